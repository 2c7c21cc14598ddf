// What a rich state knows besides its routes: vehicle types, trips, times and the cost of every route.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "instance.hpp"
#include "journal.hpp"
#include "rules.hpp"

namespace splitroute {

struct Schedule {
    Schedule(const Instance& instance, int routes, int nodes)
        : rules(instance.rules()), type(routes, 0), next_trip(routes, none), prev_trip(routes, none),
          is_broken(routes, 0), short_load(routes, 0), short_cost(routes, 0), vehicles(rules.types.size(), 0),
          max_vehicles(rules.types.size(), 0), undelivered(instance.items(), 0),
          is_illegal(instance.items(), 0), item_penalty(instance.items(), 0), ready(nodes, 0),
          latest(nodes, 0), returned(routes, 0), cost(routes, 0), distance(routes, 0), duration(routes, 0),
          item_cost(instance.items(), 0), dirty_stamp(routes, 0), dirty_item_stamp(instance.items(), 0) {
        for (std::size_t t = 0; t < rules.types.size(); ++t) max_vehicles[t] = rules.types[t].count;
        if (!rules.has_times) std::fill(latest.begin(), latest.end(), never);
    }

    const Rules& rules;

    // Per route, which is a trip.
    std::vector<std::int32_t> type, next_trip, prev_trip, is_broken;
    std::vector<std::int32_t> short_load;  // carried below the minimum load,
    std::vector<Cost> short_cost;          // and what that costs
    std::vector<std::int32_t> vehicles;    // in use, per type,
    std::vector<int> max_vehicles;         // and how many may be
    // Per item.
    std::vector<std::int32_t> undelivered, is_illegal;
    std::vector<Cost> item_penalty;  // part of item_cost that is for mandatory units
    // Per node: the earliest departure, and the latest start of service for which the rest stays
    // feasible. For depot nodes: the departure, and the latest return.
    std::vector<Time> ready, latest;
    std::vector<Time> returned;  // per route: the earliest return
    std::vector<Cost> cost, distance;
    std::vector<Time> duration;
    std::vector<Cost> item_cost;  // for extra visits and undelivered units
    std::int32_t broken = 0;      // routes and items that violate a rule
    std::int64_t missing = 0;     // mandatory units that are undelivered, and loads of short trips,
    Cost missing_cost = 0;        // and what they cost
    double leniency = 1;          // share of the penalties for these that counts

    // What has to be settled.
    std::vector<std::int32_t> dirty, dirty_items;
    std::vector<std::uint32_t> dirty_stamp, dirty_item_stamp;
    std::uint32_t tick = 1;

    Journal<std::int64_t> journal{1 << 12};
};

struct NoSchedule {
    NoSchedule(const Instance&, int, int) {}
};

}  // namespace splitroute
