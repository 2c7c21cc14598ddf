// Moves and exchanges of all visits to a site that follow one another on a route: pieces of one
// customer, none of which could be moved alone without a second detour to the same place.
#pragma once

#include "../expect.hpp"
#include "../state.hpp"

namespace splitroute {

struct Block {
    int first, last;
    int load;
};

inline Block block_around(const State& s, int x) {
    Block block{x, x, s[x].quantity};
    auto same = [&](int v) { return s[v].item != none && s[v].site == s[x].site; };
    while (same(s[block.first].prev)) block.load += s[block.first = s[block.first].prev].quantity;
    while (same(s[block.last].next)) block.load += s[block.last = s[block.last].next].quantity;
    return block;
}

inline void carry(State& s, const Block& block, int after) {
    for (int v = block.last, done = false; !done;) {
        const int before = s[v].prev;
        done = v == block.first;
        s.move(v, after);
        v = before;
    }
}

// Behind y or in front of it, whichever is shorter; a single visit is left to relocate.
inline bool relocate_block(State& s, int x, int y, double limit) {
    const int site = s[x].site, to = s[y].route;
    const Block block = block_around(s, x);
    if (site == s[y].site || block.first == block.last) return false;
    if (s[x].route != to && s.slack(to) < block.load) return false;
    int after = none;
    Cost cost = 0;
    for (int front : {y, static_cast<int>(s[y].prev)}) {
        if (front == block.last || s[front].next == block.first) continue;
        const Cost here = s.detour(site, front, s[front].next);
        if (after == none || here < cost) cost = here, after = front;
    }
    if (after == none) return false;
    const Cost change = cost - s.detour(site, s[block.first].prev, s[block.last].next);
    if (change >= limit) return false;
    [[maybe_unused]] const Cost before = s.cost();
    carry(s, block, after);
    EXPECT(s.cost() == before + change);
    return true;
}

// Between two routes; single visits are left to swap.
inline bool swap_blocks(State& s, int x, int y, double limit) {
    const int a = s[x].route, b = s[y].route;
    if (a == b || s[x].site == s[y].site) return false;
    const Block here = block_around(s, x), there = block_around(s, y);
    if (here.first == here.last && there.first == there.last) return false;
    const int more_on_b = here.load - there.load;
    if (more_on_b > s.slack(b) || -more_on_b > s.slack(a)) return false;
    const int before_here = s[here.first].prev, before_there = s[there.first].prev;
    const int after_here = s[here.last].next, after_there = s[there.last].next;
    const Cost change =
        s.detour(s[y].site, before_here, after_here) - s.detour(s[x].site, before_here, after_here) +
        s.detour(s[x].site, before_there, after_there) - s.detour(s[y].site, before_there, after_there);
    if (change >= limit) return false;
    [[maybe_unused]] const Cost before = s.cost();
    carry(s, here, before_there);
    carry(s, there, before_here);
    EXPECT(s.cost() == before + change);
    return true;
}

}  // namespace splitroute
