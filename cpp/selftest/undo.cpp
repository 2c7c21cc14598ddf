// Long sequences of random moves, some of them undone.
#include "../moves/relocate.hpp"
#include "../moves/swap.hpp"
#include "../moves/transfer.hpp"
#include "../moves/two_opt.hpp"
#include "../moves/two_opt_star.hpp"
#include "check.hpp"

namespace splitroute {

TEST(moves_and_undo_keep_the_state_consistent) {
    Random random(1);
    int applied[6] = {};
    for (int trial = 0; trial < 60; ++trial) {
        const bool splitting = trial % 2 == 0;
        const int capacity = 10 + random.below(40);
        const int max_demand = splitting ? 2 * capacity : capacity;
        const Instance instance =
            random_instance(random, 3 + random.below(20), capacity, max_demand, splitting, trial % 3 != 0);
        const Settings settings;
        State<Plain> state(instance);
        Inserter inserter(state, random, settings);
        fill(state, random, inserter);
        CHECK(state.is_consistent());
        check_served(state);
        for (int k = 0; k < 400; ++k) {
            const int x = state.first_visit(instance.item(random.below(instance.items())).site);
            const int y = state.first_visit(instance.item(random.below(instance.items())).site);
            const Cost before = state.cost();
            const double limit = random.below(2) ? no_limit : 0;
            const int kind = random.below(6);
            bool done = false;
            if (kind == 0 && x != y) done = apply(state, Relocate::evaluate(state, x, y, limit), limit);
            if (kind == 1) done = apply(state, Swap::evaluate(state, x, y, limit), limit);
            if (kind == 2) done = apply(state, TwoOptStar::evaluate(state, x, y, limit), limit);
            if (kind == 3) done = apply(state, TwoOpt::evaluate(state, x, y, limit), limit);
            if (kind == 4 && splitting)
                done = apply(state, Transfer::evaluate(state, x, random, limit), limit);
            if (kind == 5) done = apply(state, TwoOptStar::evaluate_reversed(state, x, y, limit), limit);
            CHECK(state.is_consistent());
            CHECK(done ? double(state.cost() - before) < limit : state.cost() == before);
            check_served(state);
            applied[kind] += done;
            if (random.below(3) == 0) {
                state.undo();
                CHECK(state.cost() == before);
            } else {
                state.commit();
            }
            CHECK(state.is_consistent());
            check_served(state);
        }
    }
    for (int count : applied) CHECK(count > 20);
}

}  // namespace splitroute
