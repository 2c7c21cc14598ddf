// Priced routes against all walks there are.
#include "../pricing.hpp"

#include <algorithm>
#include <limits>

#include "check.hpp"

namespace splitroute {

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();

RoutePrices random_prices(Random& random) {
    RoutePrices prices{2 + random.below(4), 2 + random.below(7), {}, {}, {}};
    prices.lengths.assign(prices.nodes * prices.nodes, 0);
    prices.prizes.resize(prices.nodes);
    prices.memory.resize(prices.nodes);
    for (int i = 0; i < prices.nodes; ++i) {
        for (int j = 0; j < i; ++j)
            prices.lengths[i * prices.nodes + j] = prices.lengths[j * prices.nodes + i] = random.below(40);
        for (int j = 1; i && j < prices.nodes; ++j)
            if (j != i && random.below(2)) prices.memory[i].push_back(j);
        if (!i) continue;
        VisitPrize& prize = prices.prizes[i];
        prize = {1 + random.below(prices.capacity), double(random.below(30)), double(random.below(9)), 0};
        prize.full = prize.base + prize.slope * prize.max_quantity + random.below(15);
    }
    return prices;
}

double length(const RoutePrices& prices, int i, int j) { return prices.lengths[i * prices.nodes + j]; }

// What a node remembers of those visited before it, as bits of nodes; a walk cannot go on to them.
unsigned remembered(const RoutePrices& prices, unsigned visited, int node) {
    unsigned mask = 0;
    for (int other : prices.memory[node]) mask |= 1u << other;
    return (visited & mask) | 1u << node;
}

// The least cost of all continuations of a walk.
double cheapest(const RoutePrices& prices, unsigned visited, int at, int room, double cost) {
    double best = at ? cost + length(prices, at, 0) : infinity;
    for (int next = 1; next < prices.nodes; ++next)
        for (int q = 1; !(visited >> next & 1) && q <= room && q <= prices.prizes[next].max_quantity; ++q)
            best = std::min(best, cheapest(prices, remembered(prices, visited, next), next, room - q,
                                           cost + length(prices, at, next) - prices.prizes[next].of(q)));
    return best;
}

double cost_of(const RoutePrices& prices, const PricedRoute& route) {
    double cost = 0;
    int at = 0, load = 0;
    unsigned visited = 0;
    for (std::size_t k = 0; k < route.nodes.size(); ++k) {
        cost += length(prices, at, route.nodes[k]) - prices.prizes[route.nodes[k]].of(route.quantities[k]);
        at = route.nodes[k];
        load += route.quantities[k];
        CHECK(!(visited >> at & 1));
        visited = remembered(prices, visited, at);
    }
    CHECK(load <= prices.capacity);
    return cost + length(prices, at, 0);
}
}  // namespace

TEST(pricing_finds_the_cheapest_walk) {
    Random random(3);
    for (int trial = 0; trial < 300; ++trial) {
        const RoutePrices prices = random_prices(random);
        const RoutePricing pricing(prices, {1e9});
        CHECK(pricing.is_complete());
        const double cost = cheapest(prices, 0, 0, prices.capacity, 0);
        CHECK(pricing.min_cost() == cost);
        const auto routes = pricing.best(3);
        CHECK(!routes.empty() && routes.size() <= 3 && routes[0].cost == cost);
        for (const PricedRoute& route : routes) {
            CHECK(cost_of(prices, route) == route.cost);
        }
    }
}

TEST(pricing_with_few_labels_finds_walks_but_no_least_cost) {
    Random random(3);
    int worse = 0;
    for (int trial = 0; trial < 300; ++trial) {
        const RoutePrices prices = random_prices(random);
        const RoutePricing pricing(prices, {1e9, false});
        const double cost = cheapest(prices, 0, 0, prices.capacity, 0);
        for (const PricedRoute& route : pricing.best(1)) {
            CHECK(cost_of(prices, route) == route.cost && route.cost >= cost);
            worse += route.cost > cost;
            CHECK(!pricing.is_complete() && pricing.min_cost() == -infinity);
        }
    }
    CHECK(worse > 0);
}

// The least cost of all continuations along an edge, in the direction given.
double cheapest_along(const RoutePrices& prices, unsigned visited, int at, int room, double cost, int from,
                      int to, bool has_passed) {
    double best = at && (has_passed || (at == from && !to)) ? cost + length(prices, at, 0) : infinity;
    for (int next = 1; next < prices.nodes; ++next)
        for (int q = 1; !(visited >> next & 1) && q <= room && q <= prices.prizes[next].max_quantity; ++q)
            best = std::min(best, cheapest_along(prices, remembered(prices, visited, next), next, room - q,
                                                 cost + length(prices, at, next) - prices.prizes[next].of(q),
                                                 from, to, has_passed || (at == from && next == to)));
    return best;
}

TEST(no_walk_along_an_edge_costs_less_than_its_bound) {
    Random random(4);
    int useful = 0;
    for (int trial = 0; trial < 200; ++trial) {
        const RoutePrices prices = random_prices(random);
        const double slack = random.below(40);
        const RoutePricing pricing(prices, {1e9, true, slack});
        const std::vector<double> bounds = pricing.edge_costs();
        for (int i = 0; i < prices.nodes; ++i)
            for (int j = 0; j < prices.nodes; ++j) {
                if (i == j) continue;
                const double bound = bounds[prices.arc(i, j)];
                CHECK(bound <= cheapest_along(prices, 0, 0, prices.capacity, 0, i, j, false));
                useful += bound > pricing.min_cost() && bound < pricing.min_cost() + slack;
            }
    }
    CHECK(useful > 0);
}

TEST(pricing_without_time_finds_nothing) {
    Random random(3);
    const RoutePrices prices = random_prices(random);
    const RoutePricing pricing(prices, {0});
    CHECK(pricing.min_cost() == -infinity);
    CHECK(pricing.best(3).empty());
}

}  // namespace splitroute
