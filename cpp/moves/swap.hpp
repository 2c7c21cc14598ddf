// Swap: two visits exchange their positions. Where one is too large for the other's vehicle, with
// splitting, as much of it goes there as fits and the other visit moves next to what stays.
#pragma once

#include <algorithm>

#include "move.hpp"

namespace splitroute {

struct Swap {
    Cost change;
    int x, y;
    int part;   // how much of x takes the place of y, if not all of it; otherwise 0
    int after;  // if it is a part, the node behind which y moves

    template <class S>
    static std::optional<Swap> evaluate(const S& s, int x, int y, double limit) {
        const int a = s[x].route, b = s[y].route;
        if (s[x].site == s[y].site) return {};
        if (a == b) {
            if (s[x].next == y || s[y].next == x) return {};  // relocate does that
        } else {
            const bool splitting = s.instance.allows_splitting();
            // A vehicle must not visit a site twice.
            if (splitting && (s.other_visit_on(b, x) != none || s.other_visit_on(a, y) != none)) return {};
            const int more_on_b = s[x].quantity - s[y].quantity;
            if (more_on_b > s.slack(b)) return splitting ? evaluate_split(s, x, y, limit) : std::nullopt;
            if (-more_on_b > s.slack(a)) return splitting ? evaluate_split(s, y, x, limit) : std::nullopt;
        }
        const Cost change = s.replacement(y, s[x].site) + s.replacement(x, s[y].site);
        if (change >= limit) return {};
        return Swap{change, x, y, 0, none};
    }

    template <class S>
    void apply(S& s) const {
        const int before_x = s[x].prev, before_y = s[y].prev;
        if (part == 0) {
            s.move(x, before_y);
            s.move(y, before_x);
        } else {
            s.move(y, after);
            s.add(s[x].item, part, before_y);
            s.change_quantity(x, -part);
        }
    }

private:
    template <class S>
    static std::optional<Swap> evaluate_split(const S& s, int x, int y, double limit) {
        const int part = s.divisible(x, s.slack(s[y].route) + s[y].quantity);
        if (part == 0 || part == s[x].quantity) return {};
        const Cost in_front = s.insertion(s[y].site, s[x].prev), behind = s.insertion(s[y].site, x);
        const Cost change = s.replacement(y, s[x].site) + std::min(in_front, behind);
        if (change >= limit) return {};
        return Swap{change, x, y, part, in_front < behind ? static_cast<int>(s[x].prev) : x};
    }
};

}  // namespace splitroute
