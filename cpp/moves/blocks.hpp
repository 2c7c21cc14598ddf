// Relocate and swap for blocks: consecutive visits to one site, such as pieces of one customer. Moving
// one of them alone would add a second detour to the same site.
#pragma once

#include "move.hpp"

namespace splitroute {

struct Block {
    int first, last;
    int load;

    bool is_single() const { return first == last; }

    template <class S>
    static Block around(const S& s, int x) {
        Block block{x, x, s[x].quantity};
        const auto belongs = [&](int v) { return s[v].item != none && s[v].site == s[x].site; };
        while (belongs(s[block.first].prev)) block.load += s[block.first = s[block.first].prev].quantity;
        while (belongs(s[block.last].next)) block.load += s[block.last = s[block.last].next].quantity;
        return block;
    }

    template <class S>
    void move(S& s, int after) const {
        for (int v = last, done = false; !done;) {
            const int before = s[v].prev;
            done = v == first;
            s.move(v, after);
            v = before;
        }
    }
};

struct RelocateBlock {
    Cost change;
    Block block;
    int after;

    // After y or before it, whichever is cheaper; a single visit is left to relocate.
    template <class S>
    static std::optional<RelocateBlock> evaluate(const S& s, int x, int y, double limit) {
        const int site = s[x].site, to = s[y].route;
        if (site == s[y].site) return {};
        const Block block = Block::around(s, x);
        if (block.is_single()) return {};
        if (s[x].route != to && s.slack(to) < block.load) return {};
        int after = none;
        Cost cost = 0;
        for (int before : {y, static_cast<int>(s[y].prev)}) {
            if (before == block.last || s[before].next == block.first) continue;  // that is where it is
            const Cost here = s.insertion(site, before);
            if (after == none || here < cost) cost = here, after = before;
        }
        if (after == none) return {};
        const Cost change = cost - s.detour(site, s[block.first].prev, s[block.last].next);
        if (change >= limit) return {};
        return RelocateBlock{change, block, after};
    }

    template <class S>
    void apply(S& s) const {
        block.move(s, after);
    }
};

struct SwapBlocks {
    Cost change;
    Block here, there;

    // On two routes; two single visits are left to swap.
    template <class S>
    static std::optional<SwapBlocks> evaluate(const S& s, int x, int y, double limit) {
        const int a = s[x].route, b = s[y].route;
        if (a == b || s[x].site == s[y].site) return {};
        const Block here = Block::around(s, x), there = Block::around(s, y);
        if (here.is_single() && there.is_single()) return {};
        const int more_on_b = here.load - there.load;
        if (more_on_b > s.slack(b) || -more_on_b > s.slack(a)) return {};
        // What it costs to serve the other site there instead of the block's own.
        const auto replaced = [&](const Block& block, int site) {
            const int before = s[block.first].prev, after = s[block.last].next;
            return s.detour(site, before, after) - s.detour(s[block.first].site, before, after);
        };
        const Cost change = replaced(here, s[y].site) + replaced(there, s[x].site);
        if (change >= limit) return {};
        return SwapBlocks{change, here, there};
    }

    template <class S>
    void apply(S& s) const {
        const int before_here = s[here.first].prev, before_there = s[there.first].prev;
        here.move(s, before_there);
        there.move(s, before_here);
    }
};

}  // namespace splitroute
