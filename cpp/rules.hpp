// The rules of a rich instance: windows, vehicle types, depots, and conditions on splits.
//
// Times are integers like costs. An item without windows may be served at any time.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "instance.hpp"

namespace splitroute {

using Time = std::int64_t;
constexpr Time never = std::numeric_limits<Time>::max() / 4;  // sums of a few stay in range

struct Window {
    Time open, close;
};

// Disjoint windows in order; none at all means always.
class Windows {
public:
    Windows() = default;
    explicit Windows(std::vector<Window> windows) : windows_(std::move(windows)) {}

    // The first time inside a window from `t` on, or `never`.
    Time earliest(Time t) const {
        if (windows_.empty()) return t;
        for (const Window& w : windows_)
            if (t <= w.close) return t < w.open ? w.open : t;
        return never;
    }
    // The last time inside a window up to `t`, or `-never`.
    Time latest(Time t) const {
        if (windows_.empty()) return t;
        for (auto w = windows_.rbegin(); w != windows_.rend(); ++w)
            if (t >= w->open) return t > w->close ? w->close : t;
        return -never;
    }

    auto begin() const { return windows_.begin(); }
    auto end() const { return windows_.end(); }

private:
    std::vector<Window> windows_;
};

struct VehicleType {
    int capacity = 0, count = 0;
    int start = 0, end = 0;  // sites
    Cost fixed_cost = 0;
    double cost_per_distance = 1, cost_per_time = 0;
    Windows departure, arrival;  // the shift and the depots' windows
    Cost max_distance = never;
    Time max_duration = never;
    int max_stops = 0, max_trips = 1;
    Time loading = 0, loading_per_unit = 0;
    int min_load = 0;

    std::int64_t total_capacity() const { return std::int64_t{capacity} * max_trips; }
};

struct ItemRules {
    int customer = 0;  // pieces of one customer are items with the same
    Windows windows;
    Time service = 0, service_per_unit = 0;
    int min_drop = 1, max_visits = 0, lot = 1;
    Cost extra_visit_cost = 0;
    std::uint64_t types = 0;  // a bit for every type that may serve the item
    bool is_mandatory = true;
    double penalty = 0;  // per undelivered unit; for mandatory items more than delivering ever costs
};

struct Rules {
    std::vector<VehicleType> types;
    std::vector<ItemRules> items;
    double time_per_distance = 0;
    std::vector<Time> durations;    // row-major; if empty, durations follow from distances
    double short_trip_penalty = 0;  // per unit that a trip below its minimum load carries

    bool has_times = true;             // whether times decide on anything
    bool has_several_windows = false;  // at an item or a depot
};

}  // namespace splitroute
