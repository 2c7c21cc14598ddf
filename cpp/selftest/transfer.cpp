// Transfers between visits of one site against all possible ones.
#include "../moves/transfer.hpp"

#include <algorithm>

#include "check.hpp"

namespace splitroute {

namespace {
bool are_equal(const Routes& a, const Routes& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Route& x, const Route& y) {
        return std::equal(x.begin(), x.end(), y.begin(), y.end(), [](const Visit& v, const Visit& w) {
            return v.item == w.item && v.quantity == w.quantity;
        });
    });
}

// All outcomes of a transfer from the visit: all of its quantity where that fits, otherwise any part.
std::vector<Routes> outcomes_of(const State<Plain>& state, int x) {
    const Routes routes = numbered_routes(state);
    const int item = state[x].item;
    const auto find = [&](Route& route) {
        return std::find_if(route.begin(), route.end(),
                            [&](const Visit& visit) { return visit.item == item; });
    };
    std::vector<Routes> outcomes;
    for (int r = 0; r < state.max_routes(); ++r) {
        Routes copy = routes;
        if (r == state[x].route || find(copy[r]) == copy[r].end()) continue;
        const int possible = std::min(state[x].quantity, state.slack(r));
        for (int amount = 1; amount <= possible; ++amount) {
            if (possible == state[x].quantity && amount < possible) continue;
            Routes next = routes;
            find(next[r])->quantity += amount;
            Route& from = next[state[x].route];
            const auto visit = find(from);
            visit->quantity -= amount;
            if (visit->quantity == 0) from.erase(visit);
            outcomes.push_back(next);
        }
    }
    return outcomes;
}
}  // namespace

TEST(transfers_match_brute_force) {
    Random random(8);
    int possible = 0, removed = 0;
    for (int trial = 0; trial < 60; ++trial) {
        const int capacity = 8 + random.below(12);
        const Instance instance =
            random_instance(random, 3 + random.below(6), capacity, 2 * capacity, true, true);
        const Settings settings;
        State<Plain> state(instance);
        Inserter inserter(state, random, settings);
        fill(state, random, inserter);
        const Cost before = state.cost();
        for (int x : all_visits(state)) {
            const std::vector<Routes> outcomes =
                state.is_split(x) ? outcomes_of(state, x) : std::vector<Routes>{};
            bool done = false;
            for (int draw = 0; draw < 30; ++draw) {
                const Cost saving = state.saving(x);
                const auto move = Transfer::evaluate(state, x, random, no_limit);
                if (!move) continue;
                done = true;
                CHECK(move->change == 0 || move->change == -saving);
                apply(state, *move);
                const Routes found = numbered_routes(state);
                CHECK(std::any_of(outcomes.begin(), outcomes.end(),
                                  [&](const Routes& outcome) { return are_equal(outcome, found); }));
                CHECK(is_feasible(instance, found));
                CHECK(state.cost() == cost_of(instance, found) && state.cost() == before + move->change);
                removed += state.cost() != before;
                check_served(state);
                state.undo();
                CHECK(state.is_consistent() && state.cost() == before);
                CHECK(!Transfer::evaluate(state, x, random, -static_cast<double>(saving)));
            }
            CHECK(done == !outcomes.empty());
            possible += done;
        }
    }
    CHECK(possible > 50 && removed > 50);
}

}  // namespace splitroute
