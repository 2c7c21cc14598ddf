// Shifts load between two visits to one site; a visit that is left with nothing goes away.
#pragma once

#include <algorithm>

#include "../random.hpp"
#include "../state.hpp"

namespace splitroute {

inline bool shift(State& s, int x, Random& random, double limit) {
    if (!s.split(x)) return false;
    int twin = none, seen = 0;
    for (int v = s.first_visit(s[x].site); v != none; v = s[v].twin_next)
        if (v != x && random.below(++seen) == 0) twin = v;
    const int most = std::min(s[x].quantity, s.slack(s[twin].route));
    if (most <= 0) return false;
    if (most == s[x].quantity) {
        if (-s.saving(x) >= limit) return false;
        s.change(twin, most);
        s.remove(x);
        return true;
    }
    if (limit <= 0) return false;
    const int amount = 1 + random.below(most);
    s.change(twin, amount);
    s.change(x, -amount);
    return true;
}

}  // namespace splitroute
