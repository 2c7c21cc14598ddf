// Shifting load between two visits to one site, against all ways to do so.
#include "../moves/shift.hpp"

#include <algorithm>

#include "../insert.hpp"
#include "check.hpp"

namespace splitroute {

namespace {
bool same(const Plan& a, const Plan& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
        return std::equal(x.begin(), x.end(), y.begin(), y.end(), [](const Delivery& d, const Delivery& e) {
            return d.item == e.item && d.quantity == e.quantity;
        });
    });
}

// All plans that shifting load away from the visit can lead to: all of it where it fits, else any part.
std::vector<Plan> shifts(const State& state, int x) {
    const Plan plan = plan_of(state);
    const int item = state[x].item;
    const auto find = [&](std::vector<Delivery>& route) {
        return std::find_if(route.begin(), route.end(), [&](const Delivery& d) { return d.item == item; });
    };
    std::vector<Plan> out;
    for (int r = 0; r < state.routes(); ++r) {
        Plan taken = plan;
        if (r == state[x].route || find(taken[r]) == taken[r].end()) continue;
        const int most = std::min(state[x].quantity, state.slack(r));
        for (int amount = 1; amount <= most; ++amount) {
            if (most == state[x].quantity && amount < most) continue;
            Plan next = plan;
            find(next[r])->quantity += amount;
            auto& from = next[state[x].route];
            const auto visit = find(from);
            visit->quantity -= amount;
            if (visit->quantity == 0) from.erase(visit);
            out.push_back(next);
        }
    }
    return out;
}
}  // namespace

void test_shifts_against_brute_force() {
    Random random(8);
    int possible = 0, removed = 0;
    for (int round = 0; round < 60; ++round) {
        const int capacity = 8 + random.below(12);
        const Problem problem = some_problem(random, 3 + random.below(6), capacity, 2 * capacity, true, true);
        State state(problem);
        Inserter inserter(state, random);
        fill(state, random, inserter);
        const Cost before = state.cost();
        std::vector<int> visits;
        for (int k = 0; k < state.active(); ++k)
            for (int v = state[state.route(k)].next; v != state.route(k); v = state[v].next)
                visits.push_back(v);
        for (int x : visits) {
            const std::vector<Plan> outcomes = state.split(x) ? shifts(state, x) : std::vector<Plan>{};
            bool done = false;
            for (int trial = 0; trial < 30; ++trial) {
                const Cost saved = state.saving(x);
                if (!shift(state, x, random, 1e12)) {
                    CHECK(state.cost() == before);
                    continue;
                }
                done = true;
                const Plan found = plan_of(state);
                CHECK(std::any_of(outcomes.begin(), outcomes.end(),
                                  [&](const Plan& plan) { return same(plan, found); }));
                CHECK(feasible(problem, found) && state.cost() == cost_of(problem, found));
                CHECK(state.cost() == before || state.cost() == before - saved);
                removed += state.cost() != before;
                check_deliveries(state);
                state.undo();
                CHECK(state.consistent() && state.cost() == before);
                // What saves nothing below the limit is not done.
                CHECK(!shift(state, x, random, -static_cast<double>(saved)) && state.cost() == before);
            }
            CHECK(done == !outcomes.empty());
            possible += done;
        }
    }
    CHECK(possible > 50 && removed > 50);
}

}  // namespace splitroute
