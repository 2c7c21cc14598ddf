#include "transfer_chains.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace splitroute {

template <class Policy>
int TransferChains<Policy>::available(int route, int enough) {
    std::int64_t sum = 0;
    for (int v = state_[route].next; v != route && sum < enough; v = state_[v].next) {
        if (!may_transfer(v)) continue;
        const int quantity = state_[v].quantity, first = state_.first_visit(state_[v].site);
        std::int64_t here = 0;
        for (int w = first; w != none; w = state_[w].next_at_site)
            if (w != v) here += state_.slack(state_[w].route);
        for (int w = first; w != none && here < quantity; w = state_[w].next_at_site)
            if (w != v)  // longer chains only where the shorter ones do not suffice
                here += indirect(state_[w].route, static_cast<int>(quantity - here), route);
        sum += state_.movable(v, static_cast<int>(std::min<std::int64_t>(here, quantity)));
    }
    return static_cast<int>(std::min<std::int64_t>(sum, enough));
}

// Room that a route could make by transfers to other routes, for one without room whose visit it is to take.
template <class Policy>
int TransferChains<Policy>::indirect(int route, int enough, int origin) {
    if (state_.slack(origin) > 0) return direct(route, enough, origin);  // which must not take from itself
    if (stamp_[route] != tick_) {
        stamp_[route] = tick_;
        direct_[route] = direct(route, std::numeric_limits<int>::max(), none);
    }
    return std::min(enough, direct_[route]);
}

template <class Policy>
int TransferChains<Policy>::direct(int route, int enough, int origin) const {
    std::int64_t sum = 0;
    for (int v = state_[route].next; v != route && sum < enough; v = state_[v].next) {
        if (!may_transfer(v)) continue;
        std::int64_t here = 0;
        for (int w = state_.first_visit(state_[v].site); w != none; w = state_[w].next_at_site)
            if (const int other = state_[w].route; other != route && other != origin)
                here += state_.slack(other);
        if (here > 0)
            sum += state_.movable(v, static_cast<int>(std::min<std::int64_t>(here, state_[v].quantity)));
    }
    return static_cast<int>(std::min<std::int64_t>(sum, enough));
}

template <class Policy>
int TransferChains<Policy>::make_room(int route, int amount, int depth, int origin) {
    int transferred = 0;
    for (int v = state_[route].next; v != route && transferred < amount;) {
        const int next = state_[v].next;
        if (may_transfer(v)) transferred += transfer_from(v, amount - transferred, depth, origin);
        v = next;
    }
    return transferred;
}

template <class Policy>
int TransferChains<Policy>::transfer_from(int v, int amount, int depth, int origin) {
    const int route = state_[v].route;
    amount = state_.movable(v, amount);
    int transferred = 0;
    for (int w = state_.first_visit(state_[v].site); w != none && transferred < amount;) {
        const int following = state_[w].next_at_site, other = state_[w].route;
        if (other != route && other != origin) {
            const int needed = std::min(amount - transferred, state_[v].quantity);
            if (state_.slack(other) < needed && depth > 1) {
                // Visits of this site are protected meanwhile, so that the list of them stays as it is.
                const int before = std::exchange(also_protected_, state_[v].site);
                make_room(other, needed - state_.slack(other), depth - 1, route);
                also_protected_ = before;
            }
            const int quantity = state_.movable(v, std::min(needed, state_.slack(other)));
            if (quantity > 0) {
                const bool all = quantity == state_[v].quantity;
                state_.transfer(v, w, quantity);
                transferred += quantity;
                if (all) return transferred;
            }
        }
        w = following;
    }
    return transferred;
}

template class TransferChains<Plain>;
template class TransferChains<Rich>;

}  // namespace splitroute
