// Routes as plain lists of visits: what goes into a search and what comes out of it.
#pragma once

#include <cstdint>
#include <vector>

#include "instance.hpp"

namespace splitroute {

struct Visit {
    std::int32_t item, quantity;
};

// Trips of one vehicle have the same number as their vehicle.
struct Route : std::vector<Visit> {
    using vector::vector;
    std::int32_t type = 0, vehicle = none, trip = 0;
};
using Routes = std::vector<Route>;

inline std::int64_t count_visits(const Routes& routes) {
    std::int64_t count = 0;
    for (const Route& route : routes) count += static_cast<std::int64_t>(route.size());
    return count;
}

inline std::int64_t load_of(const Route& route) {
    std::int64_t load = 0;
    for (const Visit& visit : route) load += visit.quantity;
    return load;
}

inline Cost cost_of(const Instance& instance, const Routes& routes) {
    Cost total = 0;
    for (const Route& route : routes) {
        int at = 0;
        for (const Visit& visit : route) {
            const int site = instance.item(visit.item).site;
            total += instance.distance(at, site);
            at = site;
        }
        total += instance.distance(at, 0);
    }
    return total;
}

}  // namespace splitroute
