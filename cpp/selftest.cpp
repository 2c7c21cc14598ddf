// Exercises the core by itself, in the checking build: `make test` compiles and runs it with sanitizers.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "anneal.hpp"
#include "grid.hpp"
#include "insert.hpp"
#include "moves/flip.hpp"
#include "moves/relocate.hpp"
#include "moves/shift.hpp"
#include "moves/swap.hpp"
#include "moves/tails.hpp"

using namespace splitroute;

#define CHECK(condition)                                                              \
    do {                                                                              \
        if (!(condition)) {                                                           \
            std::fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition); \
            std::exit(1);                                                             \
        }                                                                             \
    } while (false)

namespace {

// Customers at random places; several items per site if nothing may be split.
Problem some_problem(Random& random, int n, int capacity, int largest, bool splitting, bool table) {
    std::vector<Point> points;
    for (int i = 0; i <= n; ++i) points.push_back({double(random.below(100)), double(random.below(100))});
    std::vector<Item> items;
    for (int i = 1; i <= n; ++i)
        for (int k = splitting ? 0 : random.below(2); k >= 0; --k)
            items.push_back({i, 1 + random.below(largest)});
    std::vector<std::int32_t> distances;
    if (table)
        for (const Point& a : points)
            for (const Point& b : points)
                distances.push_back(std::int32_t(std::llround(1000 * distance(Metric::exact, a, b))));
    return Problem(points, Metric::exact, 1000, distances, n + 1, items, capacity, splitting, true);
}

void fill(State& state, Random& random, Inserter& inserter) {
    std::vector<int> order;
    for (int i = 0; i < state.problem.items(); ++i) order.push_back(i);
    for (int i = int(order.size()) - 1; i > 0; --i) std::swap(order[i], order[random.below(i + 1)]);
    for (int i : order) inserter.insert(i, state.problem.item(i).demand);
    state.commit();
}

std::vector<std::int64_t> delivered(const State& state) {
    std::vector<std::int64_t> sums(state.problem.items(), 0);
    for (int k = 0; k < state.active(); ++k)
        for (const Delivery& d : state.stops(state.route(k))) sums[d.item] += d.quantity;
    return sums;
}

void check_deliveries(const State& state) {
    const auto sums = delivered(state);
    for (int i = 0; i < state.problem.items(); ++i) CHECK(sums[i] == state.problem.item(i).demand);
}

// The cheapest single position for a site, by trying them all.
Cost brute_force(const State& state, int site, int quantity) {
    Cost best = 2 * state.problem.distance(0, site);
    for (int k = 0; k < state.active(); ++k) {
        const int route = state.route(k);
        if (state.slack(route) < quantity) continue;
        int at = route;
        do {
            best = std::min(best, state.detour(site, at, state[at].next));
            CHECK(state.insertion(site, at) == state.detour(site, at, state[at].next));
            at = state[at].next;
        } while (at != route);
    }
    return best;
}

void test_moves_and_undo() {
    Random random(1);
    int applied[6] = {};
    for (int round = 0; round < 60; ++round) {
        const bool splitting = round % 2 == 0;
        const int capacity = 10 + random.below(40);
        const Problem problem = some_problem(random, 3 + random.below(20), capacity,
                                             splitting ? 2 * capacity : capacity, splitting, round % 3 != 0);
        State state(problem);
        Inserter inserter(state, random);
        Tails tails(state);
        fill(state, random, inserter);
        CHECK(state.consistent());
        check_deliveries(state);
        for (int k = 0; k < 400; ++k) {
            const int x = state.first_visit(problem.item(random.below(problem.items())).site);
            const int y = state.first_visit(problem.item(random.below(problem.items())).site);
            const Cost before = state.cost();
            const double limit = random.below(2) ? 1e9 : 0;
            const int move = random.below(6);
            bool done = false;
            if (move == 0 && x != y) done = relocate(state, x, y, limit);
            if (move == 1) done = swap(state, x, y, limit);
            if (move == 2) done = tails.run(x, y, limit);
            if (move == 3) done = flip(state, x, y, limit);
            if (move == 4 && splitting) done = shift(state, x, random, limit);
            if (move == 5) done = tails.run_reversed(x, y, limit);
            CHECK(state.consistent());
            CHECK(done || state.cost() == before);
            CHECK(!done || double(state.cost() - before) < limit);
            check_deliveries(state);
            applied[move] += done;
            if (random.below(3) == 0) {
                state.undo();
                CHECK(state.cost() == before);
            } else {
                state.commit();
            }
            CHECK(state.consistent());
            check_deliveries(state);
        }
    }
    for (int count : applied) CHECK(count > 20);
}

void test_insertion_is_never_dearer_than_the_best_whole_one() {
    Random random(2);
    int cheaper = 0, dearer = 0;
    for (int round = 0; round < 400; ++round) {
        const bool splitting = round % 4 != 0;
        const Problem problem = some_problem(random, 4 + random.below(8), 20, 15, splitting, true);
        State state(problem);
        Inserter inserter(state, random);
        inserter.blink = 0;
        fill(state, random, inserter);
        const int item = random.below(problem.items()), site = problem.item(item).site;
        int quantity = 0;
        for (int v = state.first_visit(site); v != none;) {
            const int next = state[v].twin_next;
            if (state[v].item == item) {
                quantity += state[v].quantity;
                state.remove(v);
            }
            v = next;
        }
        if (quantity > problem.capacity()) continue;
        const Cost before = state.cost(), best = brute_force(state, site, quantity);
        inserter.insert(item, quantity);
        CHECK(state.consistent());
        check_deliveries(state);
        // Two routes may have counted on the same room that pushing makes: rare, and then dearer.
        dearer += state.cost() - before > best;
        if (!splitting) CHECK(state.cost() - before == best);
        cheaper += state.cost() - before < best;
    }
    CHECK(cheaper > 20);
    CHECK(dearer < cheaper / 10);
}

void test_the_grid_finds_the_nearest() {
    Random random(3);
    for (int round = 0; round < 30; ++round) {
        std::vector<Point> points;
        std::vector<std::int32_t> members;
        const int n = 30 + random.below(200);
        for (int i = 0; i < n; ++i) {
            points.push_back({double(random.below(round % 3 ? 1000 : 5)), double(random.below(40))});
            members.push_back(i);
        }
        const Grid grid(points, members);
        std::vector<std::int32_t> found(20);
        for (int from = 0; from < n; from += 7) {
            grid.nearest(from, 20, found.data());
            std::vector<double> all;
            auto away = [&](int j) { return distance(Metric::exact, points[from], points[j]); };
            for (int j = 0; j < n; ++j)
                if (j != from) all.push_back(away(j));
            std::sort(all.begin(), all.end());
            for (int k = 0; k < 20; ++k) CHECK(away(found[k]) == all[k]);
        }
    }
}

void test_slices_do_not_change_the_way() {
    Random random(4);
    for (bool splitting : {true, false}) {
        const Problem problem = some_problem(random, 40, 60, 60, splitting, true);
        Cost costs[2];
        for (int way = 0; way < 2; ++way) {
            Anneal anneal(problem, 5, Settings{});
            anneal.plan(0, 1000);
            anneal.start();
            if (way) anneal.advance(1000, 1e9);
            else
                for (int left = 1000; left > 0; left -= 37) anneal.advance(std::min(37, left), 1e9);
            costs[way] = anneal.best_cost();
            CHECK(anneal.iterations() == 1000);
            State again(problem);
            again.load_routes(anneal.best());
            CHECK(again.cost() == anneal.best_cost());
            CHECK(again.consistent());
            check_deliveries(again);
        }
        CHECK(costs[0] == costs[1]);
    }
}

}  // namespace

int main() {
    test_moves_and_undo();
    test_insertion_is_never_dearer_than_the_best_whole_one();
    test_the_grid_finds_the_nearest();
    test_slices_do_not_change_the_way();
    std::puts("the core: 4 passed, 0 failed");
}
