// Both searches on every kind of problem, with all checks on.
#include "../anneal.hpp"
#include "../record.hpp"
#include "check.hpp"

namespace splitroute {

namespace {

// One-way streets: every direction has a length of its own, and short cuts are possible.
Problem one_way(const Problem& symmetric, Random& random) {
    const int n = symmetric.sites();
    std::vector<std::int32_t> table;
    for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b)
            table.push_back(a == b ? 0 : std::int32_t(symmetric.distance(a, b)) + random.below(50'000));
    std::vector<Item> items;
    for (int i = 0; i < symmetric.items(); ++i) items.push_back(symmetric.item(i));
    return Problem({}, Metric::exact, 1, table, n, items, symmetric.capacity(), symmetric.splitting(), false);
}

void check_answer(const Problem& problem, const Plan& plan, Cost cost) {
    CHECK(feasible(problem, plan));
    CHECK(cost_of(problem, plan) == cost);
    State state(problem);
    state.load_routes(plan);
    CHECK(state.consistent());
    check_deliveries(state);
}

void search(const Problem& problem, std::uint64_t seed) {
    Anneal anneal(problem, seed, Settings{});
    anneal.plan(0, 60);
    anneal.start();
    anneal.advance(60, 1e9);
    check_answer(problem, anneal.best(), anneal.best_cost());
    Anneal again(problem, seed, Settings{});
    again.plan(0, 30);
    again.start(anneal.best());
    CHECK(again.best_cost() == anneal.best_cost());
    again.advance(30, 1e9);
    check_answer(problem, again.best(), again.best_cost());
    CHECK(again.best_cost() <= anneal.best_cost());
    if (problem.splitting()) return;
    Record record(problem, seed);
    record.advance(1, 0);  // no time to construct anything
    CHECK(!record.has_solution());
    record.stop_construction();
    check_answer(problem, record.best(), record.best_cost());
    const Cost first = record.best_cost();
    record.advance(40, 1e9);
    check_answer(problem, record.best(), record.best_cost());
    CHECK(record.best_cost() <= first);
}

}  // namespace

void test_every_kind_of_problem() {
    Random random(8);
    for (int round = 0; round < 40; ++round) {
        const bool splitting = round % 2 == 0;
        const int capacity = 5 + random.below(60);
        const int largest = splitting && round % 3 == 0 ? 3 * capacity : capacity;
        const int n = round < 6 ? 1 + round / 2 : 4 + random.below(20);
        const Problem problem = some_problem(random, n, capacity, largest, splitting, round % 4 < 2);
        search(problem, round);
        search(one_way(problem, random), round);
    }
    // All at one place, the depot included: nothing costs anything.
    const Problem point({{1, 1}, {1, 1}, {1, 1}}, Metric::exact, 1000, {}, 3, {{1, 7}, {2, 9}}, 10, true,
                        true);
    search(point, 1);
    // A start with more vehicles than the search would ever use is not taken.
    Anneal anneal(point, 1, Settings{});
    anneal.plan(0, 10);
    anneal.start(Plan(200, {{0, 7}}));
    anneal.advance(10, 1e9);
    check_answer(point, anneal.best(), anneal.best_cost());
}

}  // namespace splitroute
