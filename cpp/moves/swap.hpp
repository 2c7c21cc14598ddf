// Exchanges two visits; where one does not fit into the other's route, a part of it stays behind.
#pragma once

#include <algorithm>

#include "../state.hpp"
#include "relocate.hpp"

namespace splitroute {

// Part of x takes the place of y, whose route is too full for all of it; y moves next to x.
inline bool split_swap(State& s, int x, int y, double limit) {
    const int part = s.slack(s[y].route) + s[y].quantity;
    if (part >= s[x].quantity) return false;
    const Cost front = s.detour(s[y].site, s[x].prev, x), back = s.detour(s[y].site, x, s[x].next);
    const Cost change = s.detour(s[x].site, s[y].prev, s[y].next) - s.saving(y) + std::min(front, back);
    if (change >= limit) return false;
    [[maybe_unused]] const Cost before = s.cost();
    const int place = s[y].prev;
    s.move(y, front < back ? s[x].prev : x);
    s.add(s[x].item, part, place);
    s.change(x, -part);
    EXPECT(s.cost() == before + change);
    return true;
}

inline bool swap(State& s, int x, int y, double limit) {
    const int a = s[x].route, b = s[y].route;
    if (s[x].site == s[y].site) return false;
    if (a == b) {
        if (s[x].next == y || s[y].next == x) return false;  // relocate does that
    } else {
        const bool splitting = s.problem.splitting();
        if (splitting && (twin_on(s, x, b) != none || twin_on(s, y, a) != none)) return false;
        const int more_on_b = s[x].quantity - s[y].quantity;
        if (more_on_b > s.slack(b)) return splitting && split_swap(s, x, y, limit);
        if (-more_on_b > s.slack(a)) return splitting && split_swap(s, y, x, limit);
    }
    const Cost change = s.detour(s[x].site, s[y].prev, s[y].next) - s.saving(y) +
                        s.detour(s[y].site, s[x].prev, s[x].next) - s.saving(x);
    if (change >= limit) return false;
    [[maybe_unused]] const Cost before = s.cost();
    const int place_of_x = s[x].prev, place_of_y = s[y].prev;
    s.move(x, place_of_y);
    s.move(y, place_of_x);
    EXPECT(s.cost() == before + change);
    return true;
}

}  // namespace splitroute
