// Moves a visit next to another one: whole, in part where there is no room, or onto a twin.
#pragma once

#include <algorithm>

#include "../expect.hpp"
#include "../state.hpp"

namespace splitroute {

// The visit to the same site on a given route, if there is one.
inline int twin_on(const State& s, int visit, int route) {
    for (int v = s.first_visit(s[visit].site); v != none; v = s[v].twin_next)
        if (v != visit && s[v].route == route) return v;
    return none;
}

// Each move applies itself and returns true if it changes the cost by less than `limit`.
inline bool relocate(State& s, int x, int y, double limit) {
    const int site = s[x].site, from = s[x].route, to = s[y].route;
    [[maybe_unused]] const Cost before = s.cost();
    const int room = s.slack(to), quantity = s[x].quantity;
    if (from != to && s.problem.splitting()) {
        if (const int twin = twin_on(s, x, to); twin != none) {
            if (room <= 0) return false;
            if (room < quantity) {
                if (limit <= 0) return false;
                s.change(twin, room);
                s.change(x, -room);
            } else {
                const Cost change = -s.saving(x);
                if (change >= limit) return false;
                s.change(twin, quantity);
                s.remove(x);
                EXPECT(s.cost() == before + change);
            }
            return true;
        }
    }
    // Behind y or in front of it, whichever is shorter; x itself is not a place.
    int after = none;
    Cost cost = 0;
    for (int front : {y, static_cast<int>(s[y].prev)}) {
        if (front == x || s[front].next == x) continue;
        const Cost here = s.detour(site, front, s[front].next);
        if (after == none || here < cost) cost = here, after = front;
    }
    if (after == none) return false;
    if (from == to || room >= quantity) {
        const Cost change = cost - s.saving(x);
        if (change >= limit) return false;
        s.move(x, after);
        EXPECT(s.cost() == before + change);
        return true;
    }
    if (!s.problem.splitting() || room <= 0 || cost >= limit) return false;
    s.add(s[x].item, room, after);
    s.change(x, -room);
    EXPECT(s.cost() == before + cost);
    return true;
}

}  // namespace splitroute
