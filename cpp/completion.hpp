// Lower bounds on the rest of a walk, for the pricing of routes: the least costs without any memory, so that
// a walk may come back to a customer at once. Few sums for each edge and load give them all.
#pragma once

#include <chrono>
#include <vector>

#include "route_prices.hpp"

namespace splitroute {

class Completion {
public:
    using Clock = std::chrono::steady_clock;

    Completion(const RoutePrices& prices, Clock::time_point deadline);

    // Whether the deadline was kept; nothing else may be asked otherwise.
    bool is_complete() const { return is_complete_; }
    // Least cost of a walk from the depot to a node, before or after a visit there, with at most that load.
    // As lengths are symmetric, it is also that of the rest of a walk to the depot.
    double arriving(int node, int load) const { return arriving_[at(node, load)]; }
    double departing(int node, int load) const { return departing_[at(node, load)]; }
    // The same for all nodes.
    const double* departing(int load) const { return &departing_[at(0, load)]; }

private:
    std::size_t at(int node, int load) const { return static_cast<std::size_t>(load) * nodes_ + node; }

    int nodes_;
    std::vector<double> arriving_, departing_;  // by load and node
    bool is_complete_ = false;
};

}  // namespace splitroute
