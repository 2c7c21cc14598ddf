// Priced routes against all walks there are.
#include "../pricing.hpp"

#include <algorithm>
#include <limits>

#include "check.hpp"

namespace splitroute {

namespace {
RoutePrices random_prices(Random& random) {
    RoutePrices prices{2 + random.below(4), 2 + random.below(5), {}, {}};
    prices.lengths.assign(prices.nodes * prices.nodes, 0);
    prices.prizes.resize(prices.nodes);
    for (int i = 0; i < prices.nodes; ++i) {
        for (int j = 0; j < i; ++j)
            prices.lengths[i * prices.nodes + j] = prices.lengths[j * prices.nodes + i] = random.below(40);
        if (i)
            for (int q = random.below(prices.capacity + 2); q >= 0; --q)
                prices.prizes[i].push_back(random.below(30));
    }
    return prices;
}

double length(const RoutePrices& prices, int i, int j) { return prices.lengths[i * prices.nodes + j]; }

// The least cost of all continuations of a walk.
double cheapest(const RoutePrices& prices, int before, int at, int room, double cost) {
    double best = at ? cost + length(prices, at, 0) : std::numeric_limits<double>::infinity();
    for (int next = 1; next < prices.nodes; ++next)
        for (int q = 1; next != at && next != before && q <= room && q <= int(prices.prizes[next].size());
             ++q)
            best = std::min(best, cheapest(prices, at, next, room - q,
                                           cost + length(prices, at, next) - prices.prizes[next][q - 1]));
    return best;
}

double cost_of(const RoutePrices& prices, const PricedRoute& route) {
    double cost = 0;
    int at = 0, load = 0;
    for (std::size_t k = 0; k < route.nodes.size(); ++k) {
        cost += length(prices, at, route.nodes[k]) - prices.prizes[route.nodes[k]][route.quantities[k] - 1];
        at = route.nodes[k];
        load += route.quantities[k];
        CHECK(k < 1 || route.nodes[k - 1] != at);
        CHECK(k < 2 || route.nodes[k - 2] != at);
    }
    CHECK(load <= prices.capacity);
    return cost + length(prices, at, 0);
}
}  // namespace

TEST(pricing_finds_the_cheapest_walk) {
    Random random(3);
    for (int trial = 0; trial < 300; ++trial) {
        const RoutePrices prices = random_prices(random);
        const RoutePricing pricing(prices, 1e9);
        CHECK(pricing.is_complete());
        const double cost = cheapest(prices, 0, 0, prices.capacity, 0);
        CHECK(pricing.min_cost() == cost);
        const auto routes = pricing.best(3, cost + 20);
        CHECK(!routes.empty() && routes.size() <= 3 && routes[0].cost == cost);
        for (const PricedRoute& route : routes) {
            CHECK(cost_of(prices, route) == route.cost);
            CHECK(route.cost < cost + 20);
        }
        CHECK(pricing.best(3, cost).empty());
    }
}

TEST(pricing_without_time_finds_nothing) {
    Random random(3);
    const RoutePrices prices = random_prices(random);
    const RoutePricing pricing(prices, 0);
    CHECK(pricing.min_cost() == -std::numeric_limits<double>::infinity());
    CHECK(pricing.best(3, 1e9).empty());
}

}  // namespace splitroute
