// The annealing search on instances with rules, with all checks on, against a checker of its own.
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "../annealing.hpp"
#include "check.hpp"

namespace splitroute {

namespace {

constexpr Time day = 1'000'000;

Windows random_windows(Random& random) {
    if (random.below(3) == 0) return {};
    const Time open = random.below(400'000), length = 100'000 + random.below(300'000);
    if (random.below(3) > 0) return Windows({{open, open + length}});
    return Windows({{open, open + length}, {open + length + 50'000, open + length + 250'000}});
}

VehicleType random_type(Random& random, int capacity, int depots) {
    VehicleType type;
    type.capacity = std::max(1, capacity - random.below(capacity / 2 + 1));
    type.count = random.below(3) ? 1000 : 3 + random.below(4);
    type.start = random.below(depots);
    type.end = random.below(2) ? type.start : random.below(depots);
    type.fixed_cost = random.below(2) ? 0 : random.below(100'000);
    type.cost_per_distance = random.below(2) ? 1 : 0.5 + random.unit();
    type.cost_per_time = random.below(2) ? 0 : random.unit();
    if (random.below(2)) type.departure = type.arrival = Windows({{0, day}});
    if (random.below(3) == 0) type.max_distance = 400'000;
    if (random.below(3) == 0) type.max_duration = 600'000;
    type.max_stops = random.below(3) ? 1000 : 2 + random.below(3);
    type.max_trips = 1 + random.below(3);
    type.loading = random.below(20'000);
    type.loading_per_unit = random.below(2) ? 0 : random.below(1000);
    type.min_load = random.below(4) ? 0 : type.capacity / 3;
    return type;
}

ItemRules random_rules(Random& random, int demand, std::size_t types) {
    ItemRules rule;
    rule.windows = random_windows(random);
    rule.service = random.below(10'000);
    rule.service_per_unit = random.below(2) ? 0 : random.below(1000);
    rule.min_drop = random.below(2) ? 1 : 1 + demand / 4;
    rule.max_visits = random.below(2) ? 1000 : 1 + random.below(3);
    rule.lot = random.below(3) ? 1 : 1 + random.below(3);
    rule.extra_visit_cost = random.below(2) ? 0 : random.below(10'000);
    const std::uint64_t all = (std::uint64_t{1} << types) - 1;
    rule.types = random.below(3) ? all : std::uint64_t{1} << random.below(static_cast<int>(types));
    rule.is_mandatory = random.below(3) > 0;
    rule.penalty = rule.is_mandatory ? 1e7 / demand : random.below(5000);
    return rule;
}

Instance random_rich_instance(Random& random, bool splitting) {
    const int depots = 1 + random.below(2), n = 3 + random.below(15), capacity = 8 + random.below(30);
    std::vector<Point> points;
    points.reserve(n + depots);
    for (int i = 0; i < n + depots; ++i)
        points.push_back({double(random.below(100)), double(random.below(100))});
    std::vector<Item> items;
    items.reserve(n);
    for (int i = depots; i < n + depots; ++i) {
        const bool is_piece = !splitting && !items.empty() && random.below(3) == 0;
        const int site = is_piece ? items.back().site : i;
        items.push_back({site, 1 + random.below(splitting ? 2 * capacity : capacity / 2)});
    }
    auto rules = std::make_shared<Rules>();
    for (int k = 1 + random.below(3); k > 0; --k)
        rules->types.push_back(random_type(random, capacity, depots));
    for (const Item& item : items) {
        if (rules->items.empty() || rules->items.back().customer != item.site)
            rules->items.push_back(random_rules(random, item.demand, rules->types.size()));
        else rules->items.push_back(rules->items.back());  // a piece has the rules of its customer
        rules->items.back().customer = item.site;
    }
    rules->time_per_distance = 1;
    rules->has_several_windows = true;
    if (random.below(2))
        for (ItemRules& rule : rules->items) {
            rule.service_per_unit = rule.extra_visit_cost = 0;
            rule.min_drop = rule.lot = 1;
            rule.max_visits = 1000;
        }
    rules->short_trip_penalty = 1e6;
    return Instance(points, Metric::exact, 1000, {}, n + depots, items, capacity, splitting, true, 1 << 20,
                    rules);
}

// Whether quantities, loads, types and trips are allowed; times are left to the validator in Python.
void check_rules(const Instance& instance, const Routes& routes) {
    const Rules& rules = instance.rules();
    std::vector<std::vector<int>> quantities(instance.items());
    std::map<int, int> trips;
    for (const Route& route : routes) {
        const VehicleType& type = rules.types[route.type];
        std::int64_t load = 0;
        for (const Visit& visit : route) {
            CHECK(rules.items[visit.item].types >> route.type & 1);
            quantities[visit.item].push_back(visit.quantity);
            load += visit.quantity;
        }
        CHECK(load <= type.capacity && load >= type.min_load);
        CHECK(static_cast<int>(route.size()) <= type.max_stops);
        CHECK(++trips[route.vehicle] <= type.max_trips);
    }
    for (int i = 0; i < instance.items(); ++i) {
        const ItemRules& rule = rules.items[i];
        const int demand = instance.item(i).demand;
        std::int64_t total = 0;
        int remainders = 0;
        for (int q : quantities[i]) {
            total += q;
            if (q == demand) continue;
            CHECK(q >= rule.min_drop);
            remainders += q % rule.lot != 0;
        }
        CHECK(total <= demand && remainders <= 1);
        CHECK(static_cast<int>(quantities[i].size()) <= rule.max_visits);
    }
}

// Mandatory units that routes do not deliver.
std::int64_t missing_units(const Instance& instance, const Routes& routes) {
    std::int64_t missing = 0;
    for (int i = 0; i < instance.items(); ++i)
        if (instance.rules().items[i].is_mandatory) missing += instance.item(i).demand;
    for (const Route& route : routes)
        for (const Visit& visit : route)
            if (instance.rules().items[visit.item].is_mandatory) missing -= visit.quantity;
    return missing;
}

}  // namespace

TEST(the_search_respects_rules) {
    Random random(15);
    for (int trial = 0; trial < 120; ++trial) {
        const Instance instance = random_rich_instance(random, trial % 3 != 0);
        Annealing<Rich> annealing(instance, trial, Settings{});
        annealing.set_budget(0, 80);
        annealing.start();
        annealing.advance(80, 1e9);
        check_rules(instance, annealing.best());
        Annealing<Rich> warm(instance, trial, Settings{});
        warm.set_budget(0, 20);
        warm.start(annealing.best());
        CHECK(warm.best_missing() <= missing_units(instance, annealing.best()));
        warm.advance(20, 1e9);
        check_rules(instance, warm.best());
    }
}

// Cycles with a cheaper fleet begin with vehicles out of use, and may be interrupted by another solution.
TEST(cheaper_fleets_stay_consistent) {
    Random random(16);
    for (int trial = 0; trial < 12; ++trial) {
        const Instance instance = random_rich_instance(random, trial % 2 != 0);
        const std::int64_t iterations = 1000 * instance.items();  // three cycles
        Annealing<Rich> annealing(instance, trial, Settings{});
        annealing.set_budget(0, iterations);
        annealing.start();
        annealing.advance(iterations / 2, 1e9);
        annealing.offer(annealing.best());
        annealing.advance(iterations / 2, 1e9);
        check_rules(instance, annealing.best());
    }
}

}  // namespace splitroute
