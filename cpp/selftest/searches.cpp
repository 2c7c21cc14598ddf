// Both searches on every kind of instance, with all checks on.
#include <algorithm>

#include "../annealing.hpp"
#include "../record_to_record.hpp"
#include "check.hpp"

namespace splitroute {

namespace {

// One-way streets: asymmetric distances that violate the triangle inequality.
Instance with_one_way_streets(const Instance& symmetric, Random& random) {
    const int n = symmetric.sites();
    std::vector<std::int32_t> table;
    for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b)
            table.push_back(a == b ? 0 : std::int32_t(symmetric.distance(a, b)) + random.below(50'000));
    std::vector<Item> items;
    items.reserve(symmetric.items());
    for (int i = 0; i < symmetric.items(); ++i) items.push_back(symmetric.item(i));
    return Instance({}, Metric::exact, 1, table, n, items, symmetric.capacity(), symmetric.allows_splitting(),
                    false);
}

void check_solution(const Instance& instance, const Routes& routes, Cost cost) {
    CHECK(is_feasible(instance, routes));
    CHECK(cost_of(instance, routes) == cost);
    check_served(instance, routes);
    State<Plain> state(instance);
    state.load_routes(routes);
    CHECK(state.is_consistent() && state.cost() == cost);
}

void check_annealing(const Instance& instance, std::uint64_t seed) {
    Annealing<Plain> annealing(instance, seed, Settings{});
    annealing.set_budget(0, 60);
    annealing.start();
    annealing.advance(60, 1e9);
    check_solution(instance, annealing.best(), annealing.best_cost());
    Annealing<Plain> warm(instance, seed, Settings{});
    warm.set_budget(0, 30);
    warm.start(annealing.best());
    CHECK(warm.best_cost() == annealing.best_cost());
    warm.advance(30, 1e9);
    check_solution(instance, warm.best(), warm.best_cost());
    CHECK(warm.best_cost() <= annealing.best_cost());
}

void check_record_to_record(const Instance& instance, std::uint64_t seed) {
    RecordToRecord search(instance, seed);
    search.advance(1, 0);  // no time: construction is interrupted at once
    CHECK(!search.has_solution());
    search.stop_construction();
    check_solution(instance, search.best(), search.best_cost());
    const Cost first = search.best_cost();
    search.advance(40, 1e9);
    check_solution(instance, search.best(), search.best_cost());
    CHECK(search.best_cost() <= first);
}

void check_searches(const Instance& instance, std::uint64_t seed) {
    check_annealing(instance, seed);
    if (!instance.allows_splitting()) check_record_to_record(instance, seed);
}

const Instance all_at_one_place({{1, 1}, {1, 1}, {1, 1}}, Metric::exact, 1000, {}, 3, {{1, 7}, {2, 9}}, 10,
                                true, true);

}  // namespace

TEST(searches_solve_every_kind_of_instance) {
    Random random(8);
    for (int trial = 0; trial < 40; ++trial) {
        const bool splitting = trial % 2 == 0;
        const int capacity = 5 + random.below(60);
        const int max_demand = splitting && trial % 3 == 0 ? 3 * capacity : capacity;
        const int n = trial < 6 ? 1 + trial / 2 : 4 + random.below(20);
        const Instance instance = random_instance(random, n, capacity, max_demand, splitting, trial % 4 < 2);
        check_searches(instance, trial);
        check_searches(with_one_way_streets(instance, random), trial);
    }
    check_searches(all_at_one_place, 1);
}

TEST(too_many_given_routes_are_not_used) {
    Annealing<Plain> annealing(all_at_one_place, 1, Settings{});
    annealing.set_budget(0, 10);
    annealing.start(Routes(200, {{0, 7}}));
    annealing.advance(10, 1e9);
    check_solution(all_at_one_place, annealing.best(), annealing.best_cost());
}

TEST(slices_do_not_change_the_trajectory) {
    Random random(4);
    for (bool splitting : {true, false}) {
        const Instance instance = random_instance(random, 40, 60, 60, splitting, true);
        Cost costs[2];
        for (int slice : {37, 1000}) {
            Annealing<Plain> annealing(instance, 5, Settings{});
            annealing.set_budget(0, 1000);
            annealing.start();
            for (int left = 1000; left > 0; left -= slice) annealing.advance(std::min(slice, left), 1e9);
            CHECK(annealing.iterations() == 1000);
            check_solution(instance, annealing.best(), annealing.best_cost());
            costs[slice == 1000] = annealing.best_cost();
        }
        CHECK(costs[0] == costs[1]);
    }
}

}  // namespace splitroute
