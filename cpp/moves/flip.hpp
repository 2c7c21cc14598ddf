// 2-opt within a route: what follows x, up to y, is served in the opposite order; x may be the depot.
#pragma once

#include <utility>

#include "../expect.hpp"
#include "../state.hpp"

namespace splitroute {

inline bool flip(State& s, int x, int y, double limit) {
    const int route = s[x].route;
    if (x == y || route != s[y].route || !s.problem.symmetric()) return false;
    auto between = [&](int i, int j) { return s.problem.distance(s[i].site, s[j].site); };
    // y must come after x; both orders give the same pair of new edges: (x, y) and their followers.
    if (x != route) {
        int v = y == route ? route : x;
        while (v != route && v != y) v = s[v].next;
        if (v == route) std::swap(x, y);
    }
    const Cost change =
        between(x, y) + between(s[x].next, s[y].next) - between(x, s[x].next) - between(y, s[y].next);
    if (change >= limit || s[x].next == y) return false;
    [[maybe_unused]] const Cost before = s.cost();
    s.reverse(s[x].next, y);
    EXPECT(s.cost() == before + change);
    return true;
}

}  // namespace splitroute
