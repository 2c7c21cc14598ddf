// 2-opt*: x is followed by y and what comes after y; the rest of x's route follows what came before y.
// If one of the two routes is then too full, the visit at the joint is split between them.
#pragma once

#include <algorithm>
#include <vector>

#include "../state.hpp"
#include "relocate.hpp"

namespace splitroute {

class Tails {
public:
    explicit Tails(State& state) : state_(state), marked_(state.capacity_of_nodes(), 0) {}

    bool run(int x, int y, double limit) {
        State& s = state_;
        const int a = s[x].route, b = s[y].route;
        if (a == b) return false;
        const int before_y = s[y].prev, after_x = s[x].next;
        const Cost change =
            between(x, y) + between(before_y, after_x) - between(x, after_x) - between(before_y, y);
        if (change >= limit) return false;
        const int tail_a = marked_load(after_x, a), tail_b = marked_load(y, b);
        if (s.problem.splitting() && (meets_itself(after_x, a, b) || meets_itself(y, b, a))) return false;
        const int capacity = s.problem.capacity();
        const int over_a = s.load(a) - tail_a - capacity + tail_b;  // in this order nothing overflows
        const int over_b = s.load(b) - tail_b - capacity + tail_a;
        if (over_a <= 0 && over_b <= 0) {
            [[maybe_unused]] const Cost before = s.cost();
            s.exchange_tails(x, before_y);
            EXPECT(s.cost() == before + change);
            return true;
        }
        if (!s.problem.splitting()) return false;
        // x ends the head of a and y begins the tail that joins it: either may share the overload
        // with the other route, whose joint lies between before_y and after_x.
        if (over_a > 0) return split_joint(x, y, before_y, after_x, over_a, limit - change, x, before_y);
        return split_joint(before_y, after_x, x, y, over_b, limit - change, x, before_y);
    }

    // The same after turning y's route around. If it comes to nothing the state is undone, so whatever
    // came before must have been committed.
    bool run_reversed(int x, int y, double limit) {
        State& s = state_;
        const int b = s[y].route;
        if (s[x].route == b || !s.problem.symmetric()) return false;
        const Cost change =
            between(x, y) + between(s[x].next, s[y].next) - between(x, s[x].next) - between(y, s[y].next);
        if (change >= limit) return false;
        s.reverse(s[b].next, s[b].prev);
        if (run(x, y, limit)) return true;
        s.undo();
        return false;
    }

private:
    Cost between(int i, int j) const { return state_.problem.distance(state_[i].site, state_[j].site); }

    // The visits from `first` to the end of the route: marks them and adds up what they deliver.
    int marked_load(int first, int route) {
        ++tick_;
        int load = 0;
        for (int v = first; v != route; v = state_[v].next) {
            marked_[v] = tick_;
            load += state_[v].quantity;
        }
        return load;
    }

    // Whether a visit of the tail of `from` would meet its twin in the head of `to`.
    bool meets_itself(int first, int from, int to) const {
        for (int v = first; v != from; v = state_[v].next)
            if (state_.split(v))
                if (const int twin = twin_on(state_, v, to);
                    twin != none && marked_[twin] != tick_ && marked_[twin] != tick_ - 1)
                    return true;
        return false;
    }

    // Splits the end of the full route's head or the begin of its tail, whichever is shorter, puts
    // `over` of it into the other route's joint, and exchanges the tails of x and y.
    bool split_joint(int head, int tail, int other_head, int other_tail, int over, double limit, int x,
                     int y) {
        int shared = none;
        Cost detour = 0;
        for (int v : {head, tail}) {
            if (state_[v].item == none || state_[v].quantity <= over) continue;
            if (twin_on(state_, v, state_[x].route) != none || twin_on(state_, v, state_[y].route) != none)
                continue;
            const Cost here = state_.detour(state_[v].site, other_head, other_tail);
            if (shared == none || here < detour) detour = here, shared = v;
        }
        if (shared == none || detour >= limit) return false;
        const int item = state_[shared].item;
        state_.exchange_tails(x, y);
        [[maybe_unused]] const Cost before = state_.cost();
        state_.change(shared, -over);
        state_.add(item, over, other_head);
        EXPECT(state_.cost() == before + detour);
        return true;
    }

    State& state_;
    std::vector<std::uint32_t> marked_;
    std::uint32_t tick_ = 1;
};

}  // namespace splitroute
