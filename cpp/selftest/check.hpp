// What the self-tests share: a registry of tests, a check that counts, random instances, and the cost and
// feasibility of routes from first principles.
#pragma once

#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "../insertion.hpp"
#include "../random.hpp"
#include "../routes.hpp"
#include "../settings.hpp"
#include "../state.hpp"

namespace splitroute {

struct Test {
    const char* name;
    void (*run)();
};

std::vector<Test>& tests();
extern long checks;  // made so far
[[noreturn]] void fail(const char* file, int line, const char* condition);

// Defines a test, which then runs by itself.
#define TEST(name)                                                                                   \
    static void name();                                                                              \
    [[maybe_unused]] static const bool registered_##name = (tests().push_back({#name, name}), true); \
    static void name()

#define CHECK(condition)                                        \
    do {                                                        \
        ++checks;                                               \
        if (!(condition)) fail(__FILE__, __LINE__, #condition); \
    } while (false)

constexpr double no_limit = 1e12;

// Customers at random places; several items per site if nothing may be split.
inline Instance random_instance(Random& random, int n, int capacity, int max_demand, bool splitting,
                                bool with_table) {
    std::vector<Point> points;
    for (int i = 0; i <= n; ++i) points.push_back({double(random.below(100)), double(random.below(100))});
    std::vector<Item> items;
    for (int i = 1; i <= n; ++i)
        for (int k = splitting ? 0 : random.below(2); k >= 0; --k)
            items.push_back({i, 1 + random.below(max_demand)});
    std::vector<std::int32_t> table;
    if (with_table)
        for (const Point& a : points)
            for (const Point& b : points)
                table.push_back(std::int32_t(std::llround(1000 * distance(Metric::exact, a, b))));
    return Instance(points, Metric::exact, 1000, table, n + 1, items, capacity, splitting, true);
}

// Inserts everything, in random order.
inline void fill(State<Plain>& state, Random& random, Inserter<Plain>& inserter) {
    std::vector<int> order(state.instance.items());
    std::iota(order.begin(), order.end(), 0);
    for (int i = int(order.size()) - 1; i > 0; --i) std::swap(order[i], order[random.below(i + 1)]);
    for (int i : order) inserter.insert(i, state.instance.item(i).demand);
    state.commit();
}

inline std::vector<int> all_visits(const State<Plain>& state) {
    std::vector<int> visits;
    for (int k = 0; k < state.active_routes(); ++k)
        for (int v = state[state.route(k)].next; v != state.route(k); v = state[v].next) visits.push_back(v);
    return visits;
}

// The routes by their number, empty ones included.
inline Routes numbered_routes(const State<Plain>& state) {
    Routes routes;
    for (int r = 0; r < state.max_routes(); ++r) routes.push_back(state.visits(r));
    return routes;
}

// Whether every vehicle can carry its load and, with splitting, visits no customer twice.
inline bool is_feasible(const Instance& instance, const Routes& routes) {
    for (const Route& route : routes) {
        std::int64_t load = 0;
        for (std::size_t i = 0; i < route.size(); ++i) {
            if (route[i].quantity <= 0) return false;
            load += route[i].quantity;
            for (std::size_t j = 0; instance.allows_splitting() && j < i; ++j)
                if (route[i].item == route[j].item) return false;
        }
        if (load > instance.capacity()) return false;
    }
    return true;
}

inline void check_served(const Instance& instance, const Routes& routes) {
    std::vector<std::int64_t> sums(instance.items(), 0);
    for (const Route& route : routes)
        for (const Visit& visit : route) sums[visit.item] += visit.quantity;
    for (int i = 0; i < instance.items(); ++i) CHECK(sums[i] == instance.item(i).demand);
}

inline void check_served(const State<Plain>& state) { check_served(state.instance, state.routes()); }

}  // namespace splitroute
