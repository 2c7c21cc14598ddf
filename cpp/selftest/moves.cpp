// Checks each move against all its outcomes on plain lists, with costs computed from scratch.
#include <algorithm>
#include <limits>

#include "../moves/blocks.hpp"
#include "../moves/relocate.hpp"
#include "../moves/swap.hpp"
#include "../moves/two_opt.hpp"
#include "../moves/two_opt_star.hpp"
#include "check.hpp"

namespace splitroute {

namespace {

using Outcomes = std::vector<Routes>;

struct Place {
    int route, at;
};

Place place_of(const State<Plain>& s, int visit) {
    int at = 0;
    for (int v = s[s[visit].route].next; v != visit; v = s[v].next) ++at;
    return {s[visit].route, at};
}

int slack(const Instance& instance, const Route& route) {
    int load = 0;
    for (const Visit& visit : route) load += visit.quantity;
    return instance.capacity() - load;
}

int index_of(const Instance& instance, const Route& route, int site) {
    for (int k = 0; k < int(route.size()); ++k)
        if (instance.item(route[k].item).site == site) return k;
    return none;
}

Outcomes relocations(const Instance& instance, const Routes& routes, Place x, Place y) {
    Outcomes outcomes;
    const Visit moved = routes[x.route][x.at];
    const int free = slack(instance, routes[y.route]);
    const bool one_route = x.route == y.route, part = !one_route && free < moved.quantity;
    if (part && (!instance.allows_splitting() || free <= 0)) return outcomes;
    const int amount = part ? free : moved.quantity;
    auto taken = routes;
    if (part) taken[x.route][x.at].quantity -= amount;
    else taken[x.route].erase(taken[x.route].begin() + x.at);
    const int other = one_route || !instance.allows_splitting()
                          ? none
                          : index_of(instance, routes[y.route], instance.item(moved.item).site);
    if (other != none) {
        taken[y.route][other].quantity += amount;
        return {taken};
    }
    const int at = one_route && x.at < y.at ? y.at - 1 : y.at;  // where y is now
    for (int position : {at, at + 1}) {
        if (one_route && position == x.at) continue;  // where it was
        auto next = taken;
        next[y.route].insert(next[y.route].begin() + position, {moved.item, amount});
        outcomes.push_back(next);
    }
    return outcomes;
}

Outcomes swaps(const Instance& instance, const Routes& routes, Place x, Place y) {
    const Visit a = routes[x.route][x.at], b = routes[y.route][y.at];
    if (instance.item(a.item).site == instance.item(b.item).site) return {};
    if (x.route == y.route && std::abs(x.at - y.at) == 1) return {};
    auto whole = routes;
    std::swap(whole[x.route][x.at], whole[y.route][y.at]);
    if (x.route == y.route || is_feasible(instance, whole)) return {whole};
    if (!instance.allows_splitting()) return {};
    const bool x_is_large = a.quantity > b.quantity;
    const Place large = x_is_large ? x : y, small = x_is_large ? y : x;
    const Visit big = routes[large.route][large.at], little = routes[small.route][small.at];
    const int part = slack(instance, routes[small.route]) + little.quantity;
    if (part <= 0 || part >= big.quantity) return {};
    Outcomes outcomes;
    for (int side : {0, 1}) {
        auto next = routes;
        next[small.route][small.at] = {big.item, part};
        next[large.route][large.at].quantity -= part;
        next[large.route].insert(next[large.route].begin() + large.at + side, little);
        outcomes.push_back(next);
    }
    return outcomes;
}

// The first of consecutive visits to one site, and the one after the last.
std::pair<int, int> block_around(const Instance& instance, const Route& route, int at) {
    const auto belongs = [&](int k) {
        return k >= 0 && k < int(route.size()) &&
               instance.item(route[k].item).site == instance.item(route[at].item).site;
    };
    int first = at, last = at + 1;
    while (belongs(first - 1)) --first;
    while (belongs(last)) ++last;
    return {first, last};
}

Outcomes block_relocations(const Instance& instance, const Routes& routes, Place x, Place y) {
    const auto [first, last] = block_around(instance, routes[x.route], x.at);
    const bool one_route = x.route == y.route;
    if (last - first == 1) return {};
    if (instance.item(routes[x.route][x.at].item).site == instance.item(routes[y.route][y.at].item).site)
        return {};
    Outcomes outcomes;
    for (int position : {y.at, y.at + 1}) {
        if (one_route && position >= first && position <= last) continue;  // where they were
        auto next = routes;
        auto& from = next[x.route];
        const Route block(from.begin() + first, from.begin() + last);
        from.erase(from.begin() + first, from.begin() + last);
        const int at = one_route && position > first ? position - int(block.size()) : position;
        next[y.route].insert(next[y.route].begin() + at, block.begin(), block.end());
        outcomes.push_back(next);
    }
    return outcomes;
}

Outcomes block_swaps(const Instance& instance, const Routes& routes, Place x, Place y) {
    if (x.route == y.route) return {};
    const auto& a = routes[x.route];
    const auto& b = routes[y.route];
    if (instance.item(a[x.at].item).site == instance.item(b[y.at].item).site) return {};
    const auto [i, j] = block_around(instance, a, x.at);
    const auto [k, l] = block_around(instance, b, y.at);
    if (j - i == 1 && l - k == 1) return {};
    auto next = routes;
    auto put = [&](int route, int first, int last, auto begin, auto end) {
        auto& list = next[route];
        list.erase(list.begin() + first, list.begin() + last);
        list.insert(list.begin() + first, begin, end);
    };
    put(x.route, i, j, b.begin() + k, b.begin() + l);
    put(y.route, k, l, a.begin() + i, a.begin() + j);
    return {next};
}

Outcomes two_opts(const Instance&, const Routes& routes, Place x, Place y) {
    if (x.route != y.route || x.at == y.at) return {};
    auto next = routes;
    auto& route = next[x.route];
    const int first = std::min(x.at, y.at) + 1, last = std::max(x.at, y.at);
    if (first == last) return {};
    std::reverse(route.begin() + first, route.begin() + last + 1);
    return {next};
}

// x is followed by y and the rest; the excess goes to the new edge of the other route.
Outcomes two_opt_stars(const Instance& instance, const Routes& routes, Place x, Place y) {
    if (x.route == y.route) return {};
    auto next = routes;
    auto &a = next[x.route], &b = next[y.route];
    const Route suffix(a.begin() + x.at + 1, a.end());
    a.erase(a.begin() + x.at + 1, a.end());
    a.insert(a.end(), b.begin() + y.at, b.end());
    b.erase(b.begin() + y.at, b.end());
    b.insert(b.end(), suffix.begin(), suffix.end());
    if (is_feasible(instance, next)) return {next};
    if (!instance.allows_splitting()) return {};
    const bool a_is_full = slack(instance, a) < 0;
    const Place full{a_is_full ? x.route : y.route, a_is_full ? x.at + 1 : y.at};
    const Place other{a_is_full ? y.route : x.route, a_is_full ? y.at : x.at + 1};
    const int excess = -slack(instance, next[full.route]);
    Outcomes outcomes;
    for (int at : {full.at - 1, full.at}) {
        if (at < 0 || at >= int(next[full.route].size())) continue;
        auto split = next;
        const int item = split[full.route][at].item;
        split[full.route][at].quantity -= excess;
        split[other.route].insert(split[other.route].begin() + other.at, {item, excess});
        if (is_feasible(instance, split)) outcomes.push_back(split);
    }
    return outcomes;
}

Outcomes reversed_two_opt_stars(const Instance& instance, const Routes& routes, Place x, Place y) {
    if (x.route == y.route) return {};
    auto reversed = routes;
    std::reverse(reversed[y.route].begin(), reversed[y.route].end());
    return two_opt_stars(instance, reversed, x, {y.route, int(routes[y.route].size()) - 1 - y.at});
}

template <class M>
using Evaluate = std::optional<M> (*)(const State<Plain>&, int x, int y, double limit);
using Enumerate = Outcomes (*)(const Instance&, const Routes&, Place, Place);

// For every pair of visits, the evaluation finds the cheapest outcome, below the limit only, and the
// application yields it. Returns how many moves were possible.
template <class M>
int check_move(State<Plain>& state, Evaluate<M> evaluate, Enumerate enumerate) {
    int possible = 0;
    const Routes routes = numbered_routes(state);
    const Cost before = state.cost();
    CHECK(before == cost_of(state.instance, routes));
    const std::vector<int> visits = all_visits(state);
    for (int x : visits)
        for (int y : visits) {
            if (x == y) continue;
            Cost best = std::numeric_limits<Cost>::max();
            for (const Routes& next :
                 enumerate(state.instance, routes, place_of(state, x), place_of(state, y)))
                if (is_feasible(state.instance, next)) best = std::min(best, cost_of(state.instance, next));
            const bool any = best != std::numeric_limits<Cost>::max();
            const auto move = evaluate(state, x, y, no_limit);
            CHECK(move.has_value() == any);
            if (!move) continue;
            CHECK(move->change == best - before);
            CHECK(!evaluate(state, x, y, double(best - before)));
            apply(state, *move);
            CHECK(state.cost() == best);
            CHECK(state.is_consistent());
            check_served(state);
            state.undo();
            CHECK(state.is_consistent() && state.cost() == before);
            ++possible;
        }
    return possible;
}

}  // namespace

TEST(moves_match_brute_force) {
    Random random(6);
    int possible[7] = {};
    for (int trial = 0; trial < 60; ++trial) {
        const bool splitting = trial % 2 == 0;
        const int capacity = 8 + random.below(20);
        const int max_demand = trial % 3 ? capacity / 3 : splitting ? 2 * capacity : capacity;
        const Instance instance =
            random_instance(random, 2 + random.below(6), capacity, max_demand, splitting, true);
        const Settings settings;
        State<Plain> state(instance);
        Inserter inserter(state, random, settings);
        fill(state, random, inserter);
        possible[0] += check_move<Relocate>(state, Relocate::evaluate, relocations);
        possible[1] += check_move<Swap>(state, Swap::evaluate, swaps);
        possible[2] += check_move<TwoOpt>(state, TwoOpt::evaluate, two_opts);
        possible[3] += check_move<TwoOptStar>(state, TwoOptStar::evaluate, two_opt_stars);
        possible[4] += check_move<TwoOptStar>(state, TwoOptStar::evaluate_reversed, reversed_two_opt_stars);
        possible[5] += check_move<RelocateBlock>(state, RelocateBlock::evaluate, block_relocations);
        possible[6] += check_move<SwapBlocks>(state, SwapBlocks::evaluate, block_swaps);
    }
    for (int count : possible) CHECK(count > 100);
}

}  // namespace splitroute
