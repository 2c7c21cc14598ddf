// What the self-tests share: a check that ends the program, random problems, and plans as plain lists.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include "../insert.hpp"
#include "../random.hpp"
#include "../state.hpp"

#define CHECK(condition)                                                                 \
    do {                                                                                 \
        if (!(condition)) {                                                              \
            std::fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition); \
            std::exit(1);                                                                \
        }                                                                                \
    } while (false)

namespace splitroute {

using Plan = std::vector<std::vector<Delivery>>;

// Customers at random places; several items per site if nothing may be split.
inline Problem some_problem(Random& random, int n, int capacity, int largest, bool splitting, bool table) {
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

// Delivers everything, in a random order.
inline void fill(State& state, Random& random, Inserter& inserter) {
    std::vector<int> order;
    for (int i = 0; i < state.problem.items(); ++i) order.push_back(i);
    for (int i = int(order.size()) - 1; i > 0; --i) std::swap(order[i], order[random.below(i + 1)]);
    for (int i : order) inserter.insert(i, state.problem.item(i).demand);
    state.commit();
}

inline void check_deliveries(const State& state) {
    std::vector<std::int64_t> sums(state.problem.items(), 0);
    for (int k = 0; k < state.active(); ++k)
        for (const Delivery& d : state.stops(state.route(k))) sums[d.item] += d.quantity;
    for (int i = 0; i < state.problem.items(); ++i) CHECK(sums[i] == state.problem.item(i).demand);
}

inline Plan plan_of(const State& state) {
    Plan plan;
    for (int r = 0; r < state.routes(); ++r) plan.push_back(state.stops(r));
    return plan;
}

// From first principles: nothing of the search is used.
inline Cost cost_of(const Problem& problem, const Plan& plan) {
    Cost total = 0;
    for (const auto& route : plan) {
        int at = 0;
        for (const Delivery& d : route) {
            total += problem.distance(at, problem.item(d.item).site);
            at = problem.item(d.item).site;
        }
        total += problem.distance(at, 0);
    }
    return total;
}

// Whether every vehicle can carry its load and, where demands may be split, is nowhere twice.
inline bool feasible(const Problem& problem, const Plan& plan) {
    for (const auto& route : plan) {
        std::int64_t load = 0;
        for (std::size_t i = 0; i < route.size(); ++i) {
            if (route[i].quantity <= 0) return false;
            load += route[i].quantity;
            for (std::size_t j = 0; problem.splitting() && j < i; ++j)
                if (route[i].item == route[j].item) return false;
        }
        if (load > problem.capacity()) return false;
    }
    return true;
}

void test_each_move_against_brute_force();
void test_insertion_against_brute_force();
void test_every_kind_of_problem();
void test_shifts_against_brute_force();
void test_cuts_against_all_sets();
void test_needless_visits_are_left_out();
void test_the_hot_loop_allocates_nothing();

}  // namespace splitroute
