// What pricing is given: a network with reduced lengths and a prize for every visit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace splitroute {

// A visit delivers from 1 unit to max_quantity. That many earn `full`, and fewer `base` and `slope` for each.
// A slope is at least 0, and `full` no less than the same line, so that delivering more never earns less.
struct VisitPrize {
    int max_quantity;
    double base, slope, full;

    double of(int quantity) const { return quantity == max_quantity ? full : base + slope * quantity; }
};

// Values are multiples of a power of two and small enough for exact sums: then so is the minimum.
struct RoutePrices {
    int nodes;                                      // 0 is the depot
    int capacity;                                   // of a vehicle
    std::vector<double> lengths;                    // nodes x nodes, symmetric; infinite for no edge
    std::vector<VisitPrize> prizes;                 // of each node; the depot's is not used
    std::vector<std::vector<std::int32_t>> memory;  // at most 8 other nodes that each node remembers

    std::size_t arc(int from, int to) const { return static_cast<std::size_t>(from) * nodes + to; }
};

}  // namespace splitroute
