// 2-opt*: two routes exchange what follows a node on each. With splitting, if one of them would then be
// overloaded, a visit at its new edge is split and the excess goes to the new edge of the other route.
//
// J.-Y. Potvin, J.-M. Rousseau: An exchange heuristic for routeing problems with time windows. Journal of
// the Operational Research Society 46 (1995).
#pragma once

#include "move.hpp"

namespace splitroute {

struct TwoOptStar {
    Cost change;
    int x, before_y;          // what follows them is exchanged
    int reversed = none;      // a route that is reversed first
    int split_visit = none;   // the visit that is split, if any,
    int excess = 0;           // how much of it goes to the other route,
    int excess_after = none;  // and behind which node

    // x is followed by y and what comes after y; the rest of x's route follows what came before y.
    template <class S>
    static std::optional<TwoOptStar> evaluate(const S& s, int x, int y, double limit) {
        if (s[x].route == s[y].route) return {};
        const int before_y = s[y].prev;
        const int a = s[x].route, b = s[y].route;
        const Cost change = s.priced(a, s.distance_on(a, x, y) - s[x].leg) +
                            s.priced(b, s.distance_on(b, before_y, s[x].next) - s[before_y].leg);
        if (change >= limit) return {};
        if constexpr (S::rich)
            if (!s.connects(x, y) || !s.connects(before_y, s[x].next)) return {};
        return loaded(s, {change, x, before_y}, y, load_from(s, y), limit);
    }

    // The same after reversing y's route: x is followed by y and what came before y.
    template <class S>
    static std::optional<TwoOptStar> evaluate_reversed(const S& s, int x, int y, double limit) {
        const int b = s[y].route, after_y = s[y].next;
        if (s[x].route == b || !s.instance.is_symmetric()) return {};
        const int a = s[x].route;
        const Cost change = s.priced(a, s.distance_on(a, x, y) - s[x].leg) +
                            s.priced(b, s.distance_on(b, s[x].next, after_y) - s[y].leg);
        if (change >= limit) return {};
        return loaded(s, {change, x, after_y, b}, y, s.load(b) - load_from(s, after_y), limit);
    }

    template <class S>
    void apply(S& s) const {
        if (reversed != none) s.reverse(s[reversed].next, s[reversed].prev);
        s.exchange_suffixes(x, before_y);
        if (split_visit == none) return;
        const int item = s[split_visit].item;
        s.change_quantity(split_visit, -excess);
        s.add(item, excess, excess_after);
    }

private:
    // What is delivered from a node to the end of its route.
    template <class S>
    static int load_from(const S& s, int first) {
        int load = 0;
        for (int v = first; s[v].item != none; v = s[v].next) load += s[v].quantity;
        return load;
    }

    // The move, if the loads allow it; `from_b` is the load that y's route gives away.
    template <class S>
    static std::optional<TwoOptStar> loaded(const S& s, TwoOptStar move, int y, int from_b, double limit) {
        const int x = move.x, before_y = move.before_y, after_x = s[x].next;
        const int a = s[x].route, b = s[y].route;
        const int from_a = load_from(s, after_x);
        const int excess_a = s.load(a) - from_a - s.capacity(a) + from_b;  // in this order nothing overflows
        const int excess_b = s.load(b) - from_b - s.capacity(b) + from_a;
        if (!s.instance.allows_splitting()) {
            if (excess_a > 0 || excess_b > 0) return {};
            return move;
        }
        if (visits_a_site_twice(s, move, y)) return {};
        if (excess_a <= 0 && excess_b <= 0) return move;
        // x and y are the ends of a's new edge, before_y and after_x those of b's.
        const double rest = limit - static_cast<double>(move.change);
        return excess_a > 0 ? with_split(s, move, {x, y, a}, {before_y, after_x, b}, excess_a, rest)
                            : with_split(s, move, {before_y, after_x, b}, {x, y, a}, excess_b, rest);
    }

    // Whether a visit would join another one to the same site that stays on its route.
    template <class S>
    static bool visits_a_site_twice(const S& s, const TwoOptStar& move, int y) {
        const int x = move.x, a = s[x].route, b = s[y].route;
        const bool forward = move.reversed == none;
        for (int v = s[x].next; v != a; v = s[v].next) {
            if (!s.is_split(v)) continue;
            const int other = s.other_visit_on(b, v);
            if (other == none || other == y) continue;
            if (s.is_before(other, y) == forward) return true;
        }
        for (int v = y; v != b; v = forward ? s[v].next : s[v].prev) {
            if (!s.is_split(v)) continue;
            const int other = s.other_visit_on(a, v);
            if (other != none && (other == x || s.is_before(other, x))) return true;
        }
        return false;
    }

    struct Edge {
        int from, to, route;
    };

    // Splits an end of the overloaded route's new edge, whichever costs less on the other's new edge.
    template <class S>
    static std::optional<TwoOptStar> with_split(const S& s, TwoOptStar move, Edge full, Edge other,
                                                int excess, double limit) {
        const int a = s[full.from].route, b = s[full.to].route;
        Cost cost = 0;
        for (int v : {full.from, full.to}) {
            if (s[v].item == none || s[v].quantity <= excess) continue;
            if (s.other_visit_on(a, v) != none || s.other_visit_on(b, v) != none) continue;
            const Cost here = s.detour(s[v].site, other.from, other.to, other.route);
            if (move.split_visit == none || here < cost) cost = here, move.split_visit = v;
        }
        if (move.split_visit == none || cost >= limit) return {};
        move.change += cost;
        move.excess = excess;
        move.excess_after = other.from;
        return move;
    }
};

}  // namespace splitroute
