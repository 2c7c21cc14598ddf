// Counts what the search asks of the heap: nothing, once it is under way.
#include <cstdlib>
#include <new>

#include "../anneal.hpp"
#include "check.hpp"

namespace {
long allocations = 0;
}

void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    ++allocations;
    return std::malloc(size ? size : 1);
}
void* operator new(std::size_t size) {
    if (void* p = operator new(size, std::nothrow)) return p;
    throw std::bad_alloc();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace splitroute {

void test_the_hot_loop_allocates_nothing() {
    Random random(7);
    for (bool splitting : {true, false}) {
        const Problem problem = some_problem(random, 60, 60, 60, splitting, true);
        Anneal anneal(problem, 5, Settings{});
        anneal.plan(0, 20'000);
        anneal.start();
        anneal.advance(1'000, 1e9);
        long asked = 0;
        int quiet = 0;
        for (int k = 0; k < 100; ++k) {
            const Cost best = anneal.best_cost();
            const long before = allocations;
            anneal.advance(32, 1e9);
            if (anneal.best_cost() < best) continue;  // keeping a better solution may need room for it
            asked += allocations - before;
            ++quiet;
        }
        CHECK(quiet > 50);
        CHECK(asked == 0);
    }
}

}  // namespace splitroute
