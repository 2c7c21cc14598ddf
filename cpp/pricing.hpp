// Pricing of routes for the bound by column generation: the cheapest walks from the depot and back
// without 2-cycles (q-routes) in a network with reduced lengths and a prize for every quantity that a
// visit may deliver.
//
// N. Christofides, A. Mingozzi, P. Toth: Exact algorithms for the vehicle routing problem, based on
// spanning tree and shortest path relaxations. Mathematical Programming 20 (1981).
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

namespace splitroute {

// Values are multiples of a power of two and small enough for exact sums: then so is the minimum.
struct RoutePrices {
    int nodes;                                // 0 is the depot
    int capacity;                             // of a vehicle
    std::vector<double> lengths;              // reduced lengths, nodes x nodes
    std::vector<std::vector<double>> prizes;  // of each node for quantities 1, 2, ..; none for the depot
};

struct PricedRoute {
    double cost;
    std::vector<std::int32_t> nodes, quantities;
};

class RoutePricing {
public:
    // Walks that end in a customer are extended load by load. When the seconds are over, it stops.
    RoutePricing(const RoutePrices& prices, double seconds);

    // Whether all loads have been processed.
    bool is_complete() const { return is_complete_; }
    // Cost of the cheapest walk; minus infinity unless complete.
    double min_cost() const;
    // The cheapest walk that ends in each customer, those below the limit, the cheapest ones first.
    std::vector<PricedRoute> best(int max_routes, double limit) const;

private:
    // The best walk to a node, and the best one whose node before is another.
    struct Labels {
        double first, second;
        std::int32_t before_first, before_second;
    };
    struct Departure : Labels {
        std::int32_t quantity_first, quantity_second;
    };

    Departure depart(int node, int load) const;
    void arrive(int load);
    double cost_at(int node, int load) const;
    PricedRoute route(int node, int load) const;
    // Loads of each node are next to each other.
    std::size_t at(int node, int load) const {
        return static_cast<std::size_t>(node) * (prices_.capacity + 1) + load;
    }

    const RoutePrices& prices_;
    std::vector<Labels> arrivals_;       // at a node, by the load before the visit
    std::vector<Departure> departures_;  // from a node, by the load after the visit
    std::vector<int> best_load_;         // of the cheapest walk that ends in a node
    bool is_complete_ = false;
};

}  // namespace splitroute
