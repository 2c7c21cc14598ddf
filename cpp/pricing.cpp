#include "pricing.hpp"

#include <algorithm>
#include <limits>

namespace splitroute {

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::int32_t none = -1;
constexpr std::size_t max_stored_labels = 20'000'000;  // at 24 bytes
}  // namespace

RoutePricing::RoutePricing(const RoutePrices& prices, const PricingLimits& limits)
    : prices_(prices), max_labels_(limits.max_labels) {
    using Clock = std::chrono::steady_clock;
    const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                             std::chrono::duration<double>(limits.seconds));
    const int n = prices.nodes;
    remember();
    arriving_.resize(n);
    departing_.resize(n);
    last_.assign(n, none);
    heads_.resize(n);
    for (int i = 0; i < n; ++i)
        for (int j = 1; j < n; ++j)
            if (i != j && prices.lengths[arc(i, j)] < infinity) heads_[i].push_back(j);
    for (int i : heads_[0])
        offer(arriving_[i], {prices.lengths[i], none, 0, static_cast<std::int16_t>(i), 0});
    for (int load = 0; load <= prices.capacity; ++load) {
        if (Clock::now() >= deadline || arrivals_.size() + departures_.size() > max_stored_labels) return;
        for (int j = 0; j < n; ++j) depart(j, load);
        if (load && load < prices.capacity) arrive(load);
        for (int j = 0; j < n; ++j) store(arriving_[j], arrivals_, arrival_ends_);
    }
    is_complete_ = is_exact_;
}

void RoutePricing::remember() {
    const int n = prices_.nodes;
    std::size_t size = 0;
    for (const auto& remembered : prices_.memory) size = std::max(size, remembered.size());
    memories_ = std::size_t{1} << size;
    bit_.assign(static_cast<std::size_t>(n) * n, 0);
    kept_.assign(bit_.size() * memories_, 0);
    for (int i = 1; i < n; ++i)
        for (std::size_t k = 0; k < prices_.memory[i].size(); ++k)
            bit_[arc(i, prices_.memory[i][k])] = static_cast<Memory>(1 << k);
    for (int i = 1; i < n; ++i)
        for (int j = 1; j < n; ++j) {
            Memory* kept = &kept_[arc(i, j) * memories_];
            kept[0] = bit_[arc(j, i)];
            for (std::size_t k = 0; k < prices_.memory[i].size(); ++k) {
                const Memory bit = bit_[arc(j, prices_.memory[i][k])];
                for (std::size_t m = 0; m < std::size_t{1} << k; ++m) kept[m | 1 << k] = kept[m] | bit;
            }
        }
}

void RoutePricing::offer(Bucket& bucket, const Label& label) {
    const auto is_no_better = [](const auto& a, const auto& b) {
        return b.cost <= a.cost && (b.visited & ~a.visited) == 0;
    };
    for (const Kept& kept : bucket.frontier)
        if (is_no_better(label, kept)) return;
    std::erase_if(bucket.frontier, [&](const Kept& kept) { return is_no_better(kept, label); });
    std::erase_if(bucket.labels, [&](const Label& other) { return is_no_better(other, label); });
    if (bucket.labels.size() == max_labels_) {
        is_exact_ = false;
        const auto worst = std::max_element(bucket.labels.begin(), bucket.labels.end(),
                                            [](const Label& a, const Label& b) { return a.cost < b.cost; });
        if (worst->cost <= label.cost) return;
        *worst = label;
    } else {
        bucket.labels.push_back(label);
    }
    bucket.frontier.push_back({label.cost, label.visited});
}

void RoutePricing::store(Bucket& bucket, Labels& pool, std::vector<std::int32_t>& ends) {
    pool.insert(pool.end(), bucket.labels.begin(), bucket.labels.end());
    ends.push_back(static_cast<std::int32_t>(pool.size()));
    bucket.labels.clear();
}

void RoutePricing::depart(int node, int load) {
    const auto& prizes = prices_.prizes[node];
    const int max_quantity = std::min(load, static_cast<int>(prizes.size()));
    for (int quantity = 1; quantity <= max_quantity; ++quantity)
        for (const Label& arrival : labels_of(arrivals_, arrival_ends_, node, load - quantity))
            offer(departing_[node], {arrival.cost - prizes[quantity - 1],
                                     static_cast<std::int32_t>(&arrival - arrivals_.data()), quantity,
                                     arrival.node, arrival.visited});
    store(departing_[node], departures_, departure_ends_);
    for (const Label& label : labels_of(departures_, departure_ends_, node, load))
        if (last_[node] == none || label.cost < departures_[last_[node]].cost)
            last_[node] = static_cast<std::int32_t>(&label - departures_.data());
}

void RoutePricing::arrive(int load) {
    const int n = prices_.nodes;
    for (int i = 1; i < n; ++i)
        for (const Label& departure : labels_of(departures_, departure_ends_, i, load)) {
            const auto index = static_cast<std::int32_t>(&departure - departures_.data());
            for (int j : heads_[i]) {
                if (departure.visited & bit_[arc(i, j)]) continue;
                offer(arriving_[j],
                      {departure.cost + prices_.lengths[arc(i, j)], index, 0, static_cast<std::int16_t>(j),
                       kept_[arc(i, j) * memories_ + departure.visited]});
            }
        }
}

double RoutePricing::min_cost() const {
    if (!is_complete_) return -infinity;
    double cost = infinity;
    for (int j = 1; j < prices_.nodes; ++j)
        if (last_[j] != none) cost = std::min(cost, departures_[last_[j]].cost + prices_.lengths[arc(j, 0)]);
    return cost;
}

std::vector<PricedRoute> RoutePricing::best(int max_routes, double limit) const {
    std::vector<PricedRoute> routes;
    for (int j = 1; j < prices_.nodes; ++j)
        if (last_[j] != none && departures_[last_[j]].cost + prices_.lengths[arc(j, 0)] < limit)
            routes.push_back(route(last_[j]));
    std::sort(routes.begin(), routes.end(),
              [](const PricedRoute& a, const PricedRoute& b) { return a.cost < b.cost; });
    if (static_cast<int>(routes.size()) > max_routes) routes.resize(max_routes);
    return routes;
}

std::vector<double> RoutePricing::edge_costs() const {
    const int n = prices_.nodes, capacity = prices_.capacity;
    std::vector<double> costs(static_cast<std::size_t>(n) * n, is_complete_ ? infinity : -infinity);
    if (!is_complete_) return costs;
    // Of the cheapest walk that ends in a node with at most some load.
    std::vector<double> cheapest(static_cast<std::size_t>(n) * (capacity + 1), infinity);
    for (int load = 1; load <= capacity; ++load)
        for (int i = 1; i < n; ++i) {
            double& cost = cheapest[at(i, load)] = cheapest[at(i, load - 1)];
            for (const Label& label : labels_of(departures_, departure_ends_, i, load))
                cost = std::min(cost, label.cost);
        }
    for (int i = 1; i < n; ++i) {
        costs[arc(0, i)] = costs[arc(i, 0)] = cheapest[at(i, capacity)] + prices_.lengths[arc(i, 0)];
        for (int load = 1; load < capacity; ++load)
            for (const Label& label : labels_of(departures_, departure_ends_, i, load))
                for (int j : heads_[i])
                    if (!(label.visited & bit_[arc(i, j)]))
                        costs[arc(i, j)] =
                            std::min(costs[arc(i, j)], label.cost + prices_.lengths[arc(i, j)] +
                                                           cheapest[at(j, capacity - load)]);
    }
    // A walk along an edge can be seen from both ends.
    for (int i = 1; i < n; ++i)
        for (int j = i + 1; j < n; ++j)
            costs[arc(i, j)] = costs[arc(j, i)] = std::max(costs[arc(i, j)], costs[arc(j, i)]);
    return costs;
}

PricedRoute RoutePricing::route(std::int32_t departure) const {
    const Label& last = departures_[departure];
    PricedRoute route{last.cost + prices_.lengths[arc(last.node, 0)], {}, {}};
    while (departure != none) {
        const Label& label = departures_[departure];
        route.nodes.push_back(label.node);
        route.quantities.push_back(label.quantity);
        departure = arrivals_[label.before].before;
    }
    std::reverse(route.nodes.begin(), route.nodes.end());
    std::reverse(route.quantities.begin(), route.quantities.end());
    return route;
}

}  // namespace splitroute
