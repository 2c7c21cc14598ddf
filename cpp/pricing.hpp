// Pricing of routes for the bound by column generation: the cheapest walks from the depot and back in a
// network with reduced lengths and a prize for every quantity that a visit may deliver. A walk may come
// back to a customer once it has passed one that does not remember it (ng-routes).
//
// As prizes are linear in the quantity but for the largest one, some cheapest walk delivers as little or as
// much as possible at all visits but one: units can be exchanged between two others until one of them does.
// So labels have such quantities only, and two of them that meet at a node leave it what there is room for.
//
// R. Baldacci, A. Mingozzi, R. Roberti: New route relaxation and pricing strategies for the vehicle
// routing problem. Operations Research 59 (2011).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "completion.hpp"
#include "route_prices.hpp"

namespace splitroute {

struct PricedRoute {
    double cost;
    std::vector<std::int32_t> nodes, quantities;
};

struct PricingLimits {
    double seconds;
    bool is_exact = true;  // otherwise few labels and edges are tried, and the cheapest walk may not be found
    double slack = 0;      // walks that cost so much more than the cheapest are looked for as well
};

class RoutePricing {
public:
    // A first pass with a single label for each node and load, and only short edges, finds walks. The second
    // one goes on only with labels that can become cheaper. When the seconds are over, it stops.
    RoutePricing(const RoutePrices& prices, const PricingLimits& limits);

    // Whether the cheapest walk has been found.
    bool is_complete() const { return is_complete_; }
    // Cost of the cheapest walk; minus infinity unless complete.
    double min_cost() const;
    // The cheapest walks found, the cheapest ones first.
    std::vector<PricedRoute> best(int max_routes) const;
    // For each edge, nodes x nodes, a cost that no walk along it is below; minus infinity unless complete.
    // Costs above the cheapest by more than the slack are not told apart.
    std::vector<double> edge_costs() const;

private:
    using Clock = Completion::Clock;
    using Memory = std::uint8_t;  // a bit for each remembered node that the walk has visited
    struct Label {
        double cost;
        std::int32_t before;  // label of the walk so far
        std::int32_t quantity;
        std::int16_t node;
        Memory visited;
    };
    using Labels = std::vector<Label>;
    struct Kept {
        double cost;
        Memory visited;
    };
    // Labels of a node at one load, and what those of smaller loads dominate.
    struct Bucket {
        Labels labels;
        std::vector<Kept> frontier;
    };
    // A walk that arrives at a node.
    struct Arrival {
        double cost;
        std::int32_t departure;  // label of the node before
        int load;
        Memory visited;
    };

    void remember();
    void find_heads(std::size_t max_heads);
    bool process(std::size_t max_labels);
    void depart(int node, int load);
    void arrive(int load);
    void offer(Bucket& bucket, const Label& label);
    void store(Bucket& bucket, Labels& pool, std::vector<std::int32_t>& ends);
    void collect();
    void meet(int node, const std::vector<Arrival>& arrivals, int min_quantity, int max_quantity);
    // The nodes up to a label.
    PricedRoute route(std::int32_t departure) const;
    // Loads are processed one by one, and the nodes of each.
    std::size_t at(int node, int load) const { return static_cast<std::size_t>(load) * prices_.nodes + node; }
    std::span<const Label> labels_of(const Labels& pool, const std::vector<std::int32_t>& ends, int node,
                                     int load) const {
        const std::size_t k = at(node, load);
        const std::size_t first = k ? ends[k - 1] : 0;
        return {pool.data() + first, pool.data() + ends[k]};
    }

    const RoutePrices& prices_;
    Clock::time_point deadline_;
    std::optional<Completion> completion_;  // in the second pass
    std::size_t max_labels_ = 1;
    double max_cost_;                               // of walks that labels are kept for
    std::vector<std::vector<std::int32_t>> heads_;  // by node, of its edges to customers
    std::vector<Memory> bit_;                       // by arc: of the head in the memory of the tail, or 0
    std::size_t memories_ = 1;                      // number of values of a memory
    std::vector<Memory> kept_;                      // by arc and memory of the tail: memory of the head
    std::vector<Bucket> arriving_, departing_;      // by node, at the current load
    Labels arrivals_, departures_;                  // of all loads before
    std::vector<std::int32_t> arrival_ends_, departure_ends_;  // by load and node
    std::vector<PricedRoute> routes_;                          // the cheapest ones first
    bool is_complete_ = false;
};

}  // namespace splitroute
