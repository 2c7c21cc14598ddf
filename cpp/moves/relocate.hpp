// Relocate: a visit moves next to another one. Where the vehicle has too little room, with splitting, as
// much of it moves as fits; where the vehicle serves the site already, that visit takes the quantity.
#pragma once

#include <algorithm>

#include "move.hpp"

namespace splitroute {

struct Relocate {
    Cost change;
    int visit, quantity;
    int after;  // the node that it moves behind, or
    int onto;   // the visit that takes the quantity

    // After y or before it, whichever is cheaper.
    template <class S>
    static std::optional<Relocate> evaluate(const S& s, int x, int y, double limit) {
        const int from = s[x].route, to = s[y].route;
        const int room = s.slack(to), quantity = s[x].quantity;
        const bool splitting = s.instance.allows_splitting();
        if (from != to && splitting) {
            if (const int other = s.other_visit_on(to, x); other != none) {
                const int moved = s.movable(x, room);
                if (moved <= 0) return {};
                const Cost change = moved < quantity ? 0 : -s.saving(x);
                if (change >= limit) return {};
                return Relocate{change, x, moved, none, other};
            }
        }
        const bool whole = from == to || room >= quantity;
        if (!whole && !splitting) return {};
        const int amount = whole ? quantity : s.divisible(x, room);
        if (amount <= 0) return {};
        int after = none;
        Cost cost = 0;
        for (int before : {y, static_cast<int>(s[y].prev)}) {
            if (before == x || s[before].next == x) continue;  // that is where x is
            if constexpr (S::rich) {
                if (from != to && s.servable(s[x].item, before, amount) < amount) continue;
            }
            const Cost here = s.insertion(s[x].site, before);
            if (after == none || here < cost) cost = here, after = before;
        }
        if (after == none) return {};
        const Cost change = whole ? cost - s.saving(x) : cost;
        if (change >= limit) return {};
        return Relocate{change, x, amount, after, none};
    }

    template <class S>
    void apply(S& s) const {
        if (onto != none) {
            s.transfer(visit, onto, quantity);
        } else if (quantity == s[visit].quantity) {
            s.move(visit, after);
        } else {
            s.add(s[visit].item, quantity, after);
            s.change_quantity(visit, -quantity);
        }
    }
};

}  // namespace splitroute
