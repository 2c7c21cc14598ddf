#include "pricing.hpp"

#include <algorithm>
#include <limits>

namespace splitroute {

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int no_node = -1;
}  // namespace

RoutePricing::RoutePricing(const RoutePrices& prices, double seconds) : prices_(prices) {
    using Clock = std::chrono::steady_clock;
    const auto deadline =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    const int n = prices.nodes;
    arrivals_.assign(at(n, 0), {infinity, infinity, no_node, no_node});
    departures_.assign(at(n, 0), {{infinity, infinity, no_node, no_node}, 0, 0});
    best_load_.assign(n, 0);
    for (int i = 1; i < n; ++i) arrivals_[at(i, 0)] = {prices.lengths[i], infinity, 0, no_node};
    for (int load = 1; load <= prices.capacity; ++load) {
        if (Clock::now() >= deadline) return;
        for (int j = 1; j < n; ++j) {
            departures_[at(j, load)] = depart(j, load);
            if (cost_at(j, load) < cost_at(j, best_load_[j])) best_load_[j] = load;
        }
        arrive(load);
    }
    is_complete_ = true;
}

RoutePricing::Departure RoutePricing::depart(int node, int load) const {
    Departure best{{infinity, infinity, no_node, no_node}, 0, 0};
    const auto offer = [&](double cost, int before, int quantity) {
        if (cost < best.first) {
            if (before != best.before_first) {
                best.second = best.first;
                best.before_second = best.before_first;
                best.quantity_second = best.quantity_first;
            }
            best.first = cost;
            best.before_first = before;
            best.quantity_first = quantity;
        } else if (cost < best.second && before != best.before_first) {
            best.second = cost;
            best.before_second = before;
            best.quantity_second = quantity;
        }
    };
    const auto& prizes = prices_.prizes[node];
    const int max_quantity = std::min(load, static_cast<int>(prizes.size()));
    const Labels* arrivals = &arrivals_[at(node, load)];
    for (int quantity = 1; quantity <= max_quantity; ++quantity) {
        const Labels& arrival = arrivals[-quantity];
        const double prize = prizes[quantity - 1];
        if (arrival.first - prize >= best.second) continue;
        offer(arrival.first - prize, arrival.before_first, quantity);
        if (arrival.second < infinity) offer(arrival.second - prize, arrival.before_second, quantity);
    }
    return best;
}

void RoutePricing::arrive(int load) {
    const int n = prices_.nodes;
    std::vector<Labels> best(n, {infinity, infinity, no_node, no_node});
    for (int j = 1; j < n; ++j) {
        const Departure& departure = departures_[at(j, load)];
        if (departure.first == infinity) continue;
        const double* lengths = &prices_.lengths[static_cast<std::size_t>(j) * n];
        for (int i = 1; i < n; ++i) {
            const bool is_two_cycle = departure.before_first == i;
            const double cost = lengths[i] + (is_two_cycle ? departure.second : departure.first);
            Labels& label = best[i];
            if (cost >= label.second || i == j) continue;
            if (cost < label.first) {
                label.second = label.first;
                label.before_second = label.before_first;
                label.first = cost;
                label.before_first = j;
            } else {
                label.second = cost;
                label.before_second = j;
            }
        }
    }
    for (int i = 1; i < n; ++i) arrivals_[at(i, load)] = best[i];
}

double RoutePricing::cost_at(int node, int load) const {
    return departures_[at(node, load)].first +
           prices_.lengths[static_cast<std::size_t>(node) * prices_.nodes];
}

double RoutePricing::min_cost() const {
    if (!is_complete_) return -infinity;
    double cost = infinity;
    for (int j = 1; j < prices_.nodes; ++j) cost = std::min(cost, cost_at(j, best_load_[j]));
    return cost;
}

std::vector<PricedRoute> RoutePricing::best(int max_routes, double limit) const {
    std::vector<std::pair<double, int>> ends;
    for (int j = 1; j < prices_.nodes; ++j) {
        const double cost = cost_at(j, best_load_[j]);
        if (cost < limit) ends.push_back({cost, j});
    }
    std::sort(ends.begin(), ends.end());
    if (static_cast<int>(ends.size()) > max_routes) ends.resize(max_routes);
    std::vector<PricedRoute> routes;
    routes.reserve(ends.size());
    for (const auto& [cost, node] : ends) routes.push_back(route(node, best_load_[node]));
    return routes;
}

PricedRoute RoutePricing::route(int node, int load) const {
    PricedRoute route{cost_at(node, load), {}, {}};
    for (int next = no_node; node != 0;) {
        const Departure& departure = departures_[at(node, load)];
        const bool is_first = next <= 0 || departure.before_first != next;
        const int quantity = is_first ? departure.quantity_first : departure.quantity_second;
        const int before = is_first ? departure.before_first : departure.before_second;
        route.nodes.push_back(node);
        route.quantities.push_back(quantity);
        load -= quantity;
        next = node;
        node = before;
    }
    std::reverse(route.nodes.begin(), route.nodes.end());
    std::reverse(route.quantities.begin(), route.quantities.end());
    return route;
}

}  // namespace splitroute
