// Solutions split at random: which visits are removed, and that nothing else changes.
#include "../redundant_visits.hpp"

#include <algorithm>
#include <numeric>

#include "check.hpp"

namespace splitroute {

namespace {

// Every demand in random parts, each on some vehicle with room that does not visit the customer yet.
Routes split_at_random(const Instance& instance, Random& random) {
    Routes routes;
    std::vector<int> room;
    for (int item = 0; item < instance.items(); ++item) {
        for (int left = instance.item(item).demand; left > 0;) {
            int route = random.below(int(routes.size()) + 1);
            const auto visits = [&](int r) {
                return std::any_of(routes[r].begin(), routes[r].end(),
                                   [&](const Visit& v) { return v.item == item; });
            };
            if (route == int(routes.size()) || room[route] == 0 || visits(route)) {
                route = int(routes.size());
                routes.emplace_back();
                room.push_back(instance.capacity());
            }
            const int amount = 1 + random.below(std::min(left, room[route]));
            routes[route].push_back({item, amount});
            room[route] -= amount;
            left -= amount;
        }
    }
    return routes;
}

// The number of edges of a spanning forest: visits without cycles are not more than that.
int max_visits_without_cycle(const Instance& instance, const Routes& routes) {
    std::vector<int> group(routes.size() + instance.items());
    std::iota(group.begin(), group.end(), 0);
    int joined = 0;
    for (std::size_t r = 0; r < routes.size(); ++r)
        for (const Visit& v : routes[r]) {
            const int a = group[r], b = group[routes.size() + v.item];
            joined += a != b;
            for (int& g : group) g = g == a ? b : g;
        }
    return joined;
}

bool has_redundant_visit(const Instance& instance, const Routes& routes) {
    std::vector<int> load;
    for (const Route& route : routes)
        load.push_back(std::accumulate(route.begin(), route.end(), 0,
                                       [](int sum, const Visit& v) { return sum + v.quantity; }));
    for (std::size_t r = 0; r < routes.size(); ++r)
        for (const Visit& v : routes[r]) {
            int room = 0;
            for (std::size_t other = 0; other < routes.size(); ++other)
                for (const Visit& w : routes[other])
                    if (other != r && w.item == v.item) room += instance.capacity() - load[other];
            if (room >= v.quantity) return true;
        }
    return false;
}

}  // namespace

TEST(redundant_visits_are_removed) {
    Random random(9);
    int cheaper = 0;
    for (int trial = 0; trial < 200; ++trial) {
        const int capacity = 5 + random.below(30);
        const Instance instance =
            random_instance(random, 2 + random.below(15), capacity, 2 * capacity, true, trial % 2);
        const Routes before = split_at_random(instance, random);
        const Routes after = remove_redundant_visits(instance, before);
        CHECK(is_feasible(instance, after));
        check_served(instance, after);
        CHECK(cost_of(instance, after) <= cost_of(instance, before) + 100);  // of rounding, in thousandths
        CHECK(count_visits(after) <= max_visits_without_cycle(instance, after));
        CHECK(!has_redundant_visit(instance, after));
        cheaper += cost_of(instance, after) < cost_of(instance, before);
    }
    CHECK(cheaper > 150);
}

}  // namespace splitroute
