// 2-opt: the visits after x up to y, on one route, are served in the opposite order; x may be the depot.
#pragma once

#include <utility>

#include "move.hpp"

namespace splitroute {

struct TwoOpt {
    Cost change;
    int first, last;

    template <class S>
    static std::optional<TwoOpt> evaluate(const S& s, int x, int y, double limit) {
        const int route = s[x].route;
        if (x == y || route != s[y].route || !s.instance.is_symmetric()) return {};
        // Whichever comes first, the same two edges join x with y and their successors.
        const Cost change =
            s.priced(route, s.distance(x, y) + s.distance(s[x].next, s[y].next) - s[x].leg - s[y].leg);
        if (change >= limit) return {};
        if (x != route && (y == route || s.is_before(y, x))) std::swap(x, y);
        if (s[x].next == y) return {};
        return TwoOpt{change, s[x].next, y};
    }

    template <class S>
    void apply(S& s) const {
        s.reverse(first, last);
    }
};

}  // namespace splitroute
