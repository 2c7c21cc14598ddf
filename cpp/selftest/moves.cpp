// Each move against what it should find: all its outcomes, made with plain lists and costed anew.
#include <algorithm>
#include <functional>
#include <limits>

#include "../moves/block.hpp"
#include "../moves/flip.hpp"
#include "../moves/relocate.hpp"
#include "../moves/shift.hpp"
#include "../moves/swap.hpp"
#include "../moves/tails.hpp"
#include "check.hpp"

namespace splitroute {

namespace {

struct Place {
    int route, at;
};

Place place_of(const State& s, int visit) {
    int at = 0;
    for (int v = s[s[visit].route].next; v != visit; v = s[v].next) ++at;
    return {s[visit].route, at};
}

int room(const Problem& problem, const std::vector<Delivery>& route) {
    int load = 0;
    for (const Delivery& d : route) load += d.quantity;
    return problem.capacity() - load;
}

int index_of(const Problem& problem, const std::vector<Delivery>& route, int site) {
    for (int k = 0; k < int(route.size()); ++k)
        if (problem.item(route[k].item).site == site) return k;
    return none;
}

std::vector<Plan> relocations(const Problem& problem, const Plan& plan, Place x, Place y) {
    std::vector<Plan> out;
    const Delivery moved = plan[x.route][x.at];
    const int free = room(problem, plan[y.route]);
    const bool same = x.route == y.route, part = !same && free < moved.quantity;
    if (part && (!problem.splitting() || free <= 0)) return out;
    const int amount = part ? free : moved.quantity;
    auto taken = plan;
    if (part) taken[x.route][x.at].quantity -= amount;
    else taken[x.route].erase(taken[x.route].begin() + x.at);
    const int twin =
        same || !problem.splitting() ? none : index_of(problem, plan[y.route], problem.item(moved.item).site);
    if (twin != none) {
        taken[y.route][twin].quantity += amount;
        return {taken};
    }
    const int at = same && x.at < y.at ? y.at - 1 : y.at;  // where y is now
    for (int position : {at, at + 1}) {
        if (same && position == x.at) continue;  // where it was
        auto next = taken;
        next[y.route].insert(next[y.route].begin() + position, {moved.item, amount});
        out.push_back(next);
    }
    return out;
}

std::vector<Plan> swaps(const Problem& problem, const Plan& plan, Place x, Place y) {
    const Delivery a = plan[x.route][x.at], b = plan[y.route][y.at];
    if (problem.item(a.item).site == problem.item(b.item).site) return {};
    if (x.route == y.route && std::abs(x.at - y.at) == 1) return {};
    auto whole = plan;
    std::swap(whole[x.route][x.at], whole[y.route][y.at]);
    if (x.route == y.route || feasible(problem, whole)) return {whole};
    if (!problem.splitting()) return {};
    const bool x_is_large = a.quantity > b.quantity;
    const Place large = x_is_large ? x : y, small = x_is_large ? y : x;
    const Delivery big = plan[large.route][large.at], little = plan[small.route][small.at];
    const int part = room(problem, plan[small.route]) + little.quantity;
    if (part <= 0 || part >= big.quantity) return {};
    std::vector<Plan> out;
    for (int side : {0, 1}) {
        auto next = plan;
        next[small.route][small.at] = {big.item, part};
        next[large.route][large.at].quantity -= part;
        next[large.route].insert(next[large.route].begin() + large.at + side, little);
        out.push_back(next);
    }
    return out;
}

// The first visit of those to one site in a row, and the one after the last.
std::pair<int, int> row_around(const Problem& problem, const std::vector<Delivery>& route, int at) {
    auto same = [&](int k) {
        return k >= 0 && k < int(route.size()) &&
               problem.item(route[k].item).site == problem.item(route[at].item).site;
    };
    int first = at, last = at + 1;
    while (same(first - 1)) --first;
    while (same(last)) ++last;
    return {first, last};
}

std::vector<Plan> block_relocations(const Problem& problem, const Plan& plan, Place x, Place y) {
    const auto [first, last] = row_around(problem, plan[x.route], x.at);
    const bool same = x.route == y.route;
    if (last - first == 1) return {};
    if (problem.item(plan[x.route][x.at].item).site == problem.item(plan[y.route][y.at].item).site) return {};
    std::vector<Plan> out;
    for (int position : {y.at, y.at + 1}) {
        if (same && position >= first && position <= last) continue;  // where they were
        auto next = plan;
        auto& from = next[x.route];
        const std::vector<Delivery> row(from.begin() + first, from.begin() + last);
        from.erase(from.begin() + first, from.begin() + last);
        const int at = same && position > first ? position - int(row.size()) : position;
        next[y.route].insert(next[y.route].begin() + at, row.begin(), row.end());
        out.push_back(next);
    }
    return out;
}

std::vector<Plan> block_swaps(const Problem& problem, const Plan& plan, Place x, Place y) {
    if (x.route == y.route) return {};
    const auto& a = plan[x.route];
    const auto& b = plan[y.route];
    if (problem.item(a[x.at].item).site == problem.item(b[y.at].item).site) return {};
    const auto [i, j] = row_around(problem, a, x.at);
    const auto [k, l] = row_around(problem, b, y.at);
    if (j - i == 1 && l - k == 1) return {};
    auto next = plan;
    auto put = [&](int route, int first, int last, auto begin, auto end) {
        auto& list = next[route];
        list.erase(list.begin() + first, list.begin() + last);
        list.insert(list.begin() + first, begin, end);
    };
    put(x.route, i, j, b.begin() + k, b.begin() + l);
    put(y.route, k, l, a.begin() + i, a.begin() + j);
    return {next};
}

std::vector<Plan> flips(const Problem&, const Plan& plan, Place x, Place y) {
    if (x.route != y.route || x.at == y.at) return {};
    auto next = plan;
    auto& route = next[x.route];
    const int first = std::min(x.at, y.at) + 1, last = std::max(x.at, y.at);
    if (first == last) return {};
    std::reverse(route.begin() + first, route.begin() + last + 1);
    return {next};
}

// x is followed by y and the rest; what is too much goes to the joint of the other route.
std::vector<Plan> exchanges(const Problem& problem, const Plan& plan, Place x, Place y) {
    if (x.route == y.route) return {};
    auto next = plan;
    auto &a = next[x.route], &b = next[y.route];
    const std::vector<Delivery> tail(a.begin() + x.at + 1, a.end());
    a.erase(a.begin() + x.at + 1, a.end());
    a.insert(a.end(), b.begin() + y.at, b.end());
    b.erase(b.begin() + y.at, b.end());
    b.insert(b.end(), tail.begin(), tail.end());
    if (feasible(problem, next)) return {next};
    if (!problem.splitting()) return {};
    const bool a_is_full = room(problem, a) < 0;
    const Place full{a_is_full ? x.route : y.route, a_is_full ? x.at + 1 : y.at};
    const Place other{a_is_full ? y.route : x.route, a_is_full ? y.at : x.at + 1};
    const int over = -room(problem, next[full.route]);
    std::vector<Plan> out;
    for (int at : {full.at - 1, full.at}) {
        if (at < 0 || at >= int(next[full.route].size())) continue;
        auto split = next;
        const int item = split[full.route][at].item;
        split[full.route][at].quantity -= over;
        split[other.route].insert(split[other.route].begin() + other.at, {item, over});
        if (feasible(problem, split)) out.push_back(split);
    }
    return out;
}

std::vector<Plan> reversed_exchanges(const Problem& problem, const Plan& plan, Place x, Place y) {
    if (x.route == y.route) return {};
    auto turned = plan;
    std::reverse(turned[y.route].begin(), turned[y.route].end());
    return exchanges(problem, turned, x, {y.route, int(plan[y.route].size()) - 1 - y.at});
}

using Outcomes = std::vector<Plan> (*)(const Problem&, const Plan&, Place, Place);
using Move = std::function<bool(int x, int y, double limit)>;

// Every pair of visits: the move finds the cheapest outcome, below the limit only, and can go back.
int check_move(State& state, const Move& move, Outcomes outcomes) {
    int possible = 0;
    const Plan plan = plan_of(state);
    const Cost before = state.cost();
    CHECK(before == cost_of(state.problem, plan));
    std::vector<int> visits;
    for (int k = 0; k < state.active(); ++k)
        for (int v = state[state.route(k)].next; v != state.route(k); v = state[v].next) visits.push_back(v);
    for (int x : visits)
        for (int y : visits) {
            if (x == y) continue;
            Cost best = std::numeric_limits<Cost>::max();
            for (const Plan& next : outcomes(state.problem, plan, place_of(state, x), place_of(state, y)))
                if (feasible(state.problem, next)) best = std::min(best, cost_of(state.problem, next));
            const bool any = best != std::numeric_limits<Cost>::max();
            CHECK(!any || !move(x, y, double(best - before)));
            CHECK(state.cost() == before);
            CHECK(move(x, y, 1e12) == any);
            CHECK(state.cost() == (any ? best : before));
            CHECK(state.consistent());
            check_deliveries(state);
            state.undo();
            CHECK(state.consistent() && state.cost() == before);
            possible += any;
        }
    return possible;
}

}  // namespace

void test_each_move_against_brute_force() {
    Random random(6);
    constexpr int kinds = 7;
    int possible[kinds] = {};
    for (int round = 0; round < 60; ++round) {
        const bool splitting = round % 2 == 0;
        const int capacity = 8 + random.below(20);
        const int largest = round % 3 ? capacity / 3 : splitting ? 2 * capacity : capacity;
        const Problem problem = some_problem(random, 2 + random.below(6), capacity, largest, splitting, true);
        State state(problem);
        Inserter inserter(state, random);
        Tails tails(state);
        fill(state, random, inserter);
        const Move moves[] = {
            [&](int x, int y, double limit) { return relocate(state, x, y, limit); },
            [&](int x, int y, double limit) { return swap(state, x, y, limit); },
            [&](int x, int y, double limit) { return flip(state, x, y, limit); },
            [&](int x, int y, double limit) { return tails.run(x, y, limit); },
            [&](int x, int y, double limit) { return tails.run_reversed(x, y, limit); },
            [&](int x, int y, double limit) { return relocate_block(state, x, y, limit); },
            [&](int x, int y, double limit) { return swap_blocks(state, x, y, limit); },
        };
        const Outcomes outcomes[] = {relocations,       swaps,      flips, exchanges, reversed_exchanges,
                                     block_relocations, block_swaps};
        for (int k = 0; k < kinds; ++k) possible[k] += check_move(state, moves[k], outcomes[k]);
    }
    for (int count : possible) CHECK(count > 100);
}

}  // namespace splitroute
