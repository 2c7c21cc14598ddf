// Transfer: quantity moves from a visit to another one of the same site; an empty visit is removed.
#pragma once

#include <algorithm>

#include "../random.hpp"
#include "move.hpp"

namespace splitroute {

struct Transfer {
    Cost change;
    int from, to, quantity;

    // To a random visit: everything where it fits, since that saves a visit, or else a random part.
    template <class S>
    static std::optional<Transfer> evaluate(const S& s, int x, Random& random, double limit) {
        if (!s.is_split(x)) return {};
        int to = none, seen = 0;
        for (int v = s.first_visit(s[x].site); v != none; v = s[v].next_at_site)
            if (v != x && random.below(++seen) == 0) to = v;
        const int possible = s.movable(x, s.slack(s[to].route));
        if (possible <= 0) return {};
        const bool whole = possible == s[x].quantity;
        const Cost change = whole ? -s.saving(x) : 0;
        if (change >= limit) return {};
        return Transfer{change, x, to, whole ? possible : s.movable(x, 1 + random.below(possible))};
    }

    template <class S>
    void apply(S& s) const {
        s.transfer(from, to, quantity);
    }
};

}  // namespace splitroute
