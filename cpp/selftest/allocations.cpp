// Counts heap allocations: the search makes none once it runs.
#include <cstdlib>
#include <new>

#include "../annealing.hpp"
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

TEST(search_does_not_allocate) {
    Random random(7);
    for (bool splitting : {true, false}) {
        const Instance instance = random_instance(random, 60, 60, 60, splitting, true);
        Annealing<Plain> annealing(instance, 5, Settings{});
        annealing.set_budget(0, 20'000);
        annealing.start();
        annealing.advance(1'000, 1e9);
        long count = 0;
        int slices = 0;
        for (int k = 0; k < 100; ++k) {
            const Cost best = annealing.best_cost();
            const long before = allocations;
            annealing.advance(32, 1e9);
            if (annealing.best_cost() < best) continue;  // keeping a better solution may allocate
            count += allocations - before;
            ++slices;
        }
        CHECK(slices > 50);
        CHECK(count == 0);
    }
}

}  // namespace splitroute
