// Insertion with splitting against all sets of routes that could take the quantity.
#include <algorithm>
#include <limits>

#include "check.hpp"

namespace splitroute {

namespace {

struct Option {
    Cost cost;
    int room;
};

// What each route costs, and how much it can take: its cheapest position, or 0 if it visits the site.
std::vector<Option> options_for(const State<Plain>& state, int site) {
    std::vector<Option> options{{2 * state.instance.distance(0, site), state.instance.capacity()}};
    for (int k = 0; k < state.active_routes(); ++k) {
        const int route = state.route(k);
        Option option{std::numeric_limits<Cost>::max(), state.slack(route)};
        int at = route;
        do {
            option.cost = std::min(option.cost, state.detour(site, at, state[at].next));
            CHECK(state.insertion(site, at) == state.detour(site, at, state[at].next));
            if (state.instance.allows_splitting() && at != route && state[at].site == site) option.cost = 0;
            at = state[at].next;
        } while (at != route);
        options.push_back(option);
    }
    return options;
}

Cost cheapest(const std::vector<Option>& options, std::size_t from, int parts, int quantity) {
    Cost best = std::numeric_limits<Cost>::max() / 2;
    for (std::size_t k = from; k < options.size(); ++k) {
        if (options[k].room >= quantity) best = std::min(best, options[k].cost);
        else if (parts > 1 && options[k].room > 0)
            best = std::min(
                best, options[k].cost + cheapest(options, k + 1, parts - 1, quantity - options[k].room));
    }
    return best;
}

}  // namespace

TEST(insertion_matches_brute_force) {
    Random random(2);
    Settings settings;
    settings.blink = 0;
    int equal = 0, cheaper = 0, costlier = 0;
    for (int trial = 0; trial < 600; ++trial) {
        const bool splitting = trial % 4 != 0;
        const Instance instance = random_instance(random, 4 + random.below(8), 20, 15, splitting, true);
        State<Plain> state(instance);
        Inserter inserter(state, random, settings);
        fill(state, random, inserter);
        const int item = random.below(instance.items()), site = instance.item(item).site;
        int quantity = 0;
        for (int v = state.first_visit(site); v != none;) {
            const int next = state[v].next_at_site;
            if (state[v].item == item) {
                quantity += state[v].quantity;
                state.remove(v);
            }
            v = next;
        }
        bool chains = false;  // only where something else is split are transfer chains possible
        for (int s = 1; s < instance.sites(); ++s) chains |= splitting && state.visit_count(s) > 1;
        const Cost before = state.cost();
        const Cost best = cheapest(options_for(state, site), 0, splitting ? 4 : 1, quantity);
        if (!chains && best > 0) CHECK(!inserter.insert(item, quantity, best) && state.cost() == before);
        CHECK(inserter.insert(item, quantity));
        CHECK(state.is_consistent());
        check_served(state);
        const Cost found = state.cost() - before;
        if (!chains) CHECK(found == best);
        equal += found == best;
        cheaper += found < best;
        costlier += found > best;
    }
    // Transfer chains make it cheaper than any set of routes with the room they have. Two routes may count
    // on the same room, though: then it is costlier, which must stay rare.
    CHECK(equal > 400);
    CHECK(cheaper > 10);
    CHECK(costlier < 10);
}

}  // namespace splitroute
