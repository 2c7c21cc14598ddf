// The split insertion against all sets of routes that could take the quantity.
#include <algorithm>
#include <limits>

#include "check.hpp"

namespace splitroute {

namespace {

struct Way {
    Cost cost;
    int room;
};

// What each route would charge, and take: its cheapest position, or nothing if it is there already.
std::vector<Way> ways(const State& state, int site) {
    std::vector<Way> out{{2 * state.problem.distance(0, site), state.problem.capacity()}};
    for (int k = 0; k < state.active(); ++k) {
        const int route = state.route(k);
        Way way{std::numeric_limits<Cost>::max(), state.slack(route)};
        int at = route;
        do {
            way.cost = std::min(way.cost, state.detour(site, at, state[at].next));
            CHECK(state.insertion(site, at) == state.detour(site, at, state[at].next));
            if (state.problem.splitting() && at != route && state[at].site == site) way.cost = 0;
            at = state[at].next;
        } while (at != route);
        out.push_back(way);
    }
    return out;
}

Cost cheapest(const std::vector<Way>& ways, std::size_t from, int parts, int missing) {
    Cost best = std::numeric_limits<Cost>::max() / 2;
    for (std::size_t k = from; k < ways.size(); ++k) {
        if (ways[k].room >= missing) best = std::min(best, ways[k].cost);
        else if (parts > 1 && ways[k].room > 0)
            best = std::min(best, ways[k].cost + cheapest(ways, k + 1, parts - 1, missing - ways[k].room));
    }
    return best;
}

}  // namespace

void test_insertion_against_brute_force() {
    Random random(2);
    int equal = 0, cheaper = 0, dearer = 0;
    for (int round = 0; round < 600; ++round) {
        const bool splitting = round % 4 != 0;
        const Problem problem = some_problem(random, 4 + random.below(8), 20, 15, splitting, true);
        State state(problem);
        Inserter inserter(state, random);
        inserter.blink = 0;
        fill(state, random, inserter);
        const int item = random.below(problem.items()), site = problem.item(item).site;
        int quantity = 0;
        for (int v = state.first_visit(site); v != none;) {
            const int next = state[v].twin_next;
            if (state[v].item == item) {
                quantity += state[v].quantity;
                state.remove(v);
            }
            v = next;
        }
        bool pushing = false;  // only where something else is split can room be made
        for (int s = 1; s < problem.sites(); ++s) pushing |= splitting && state.visits(s) > 1;
        const Cost before = state.cost();
        const Cost best = cheapest(ways(state, site), 0, splitting ? 4 : 1, quantity);
        if (!pushing && best > 0) CHECK(!inserter.insert(item, quantity, best) && state.cost() == before);
        CHECK(inserter.insert(item, quantity));
        CHECK(state.consistent());
        check_deliveries(state);
        const Cost found = state.cost() - before;
        if (!pushing) CHECK(found == best);
        equal += found == best;
        cheaper += found < best;
        dearer += found > best;
    }
    // Pushing makes it cheaper than any set of routes with the room they have. Two routes may count on
    // the same room, though: then it is dearer, which must stay rare.
    CHECK(equal > 400);
    CHECK(cheaper > 10);
    CHECK(dearer < 10);
}

}  // namespace splitroute
