#include "transfer_chains.hpp"

#include <algorithm>
#include <utility>

namespace splitroute {

// `depth` is how many vehicles the chain may still involve, `origin` the route before this one.
template <class Policy>
int TransferChains<Policy>::available(int route, int enough, int depth, int origin) const {
    std::int64_t sum = 0;
    for (int v = state_[route].next; v != route && sum < enough; v = state_[v].next) {
        if (!may_transfer(v)) continue;
        std::int64_t here = 0;
        for (int w = state_.first_visit(state_[v].site); w != none; w = state_[w].next_at_site)
            if (const int other = state_[w].route; other != route && other != origin)
                here += state_.slack(other);
        if (depth > 1)  // longer chains only where the shorter ones do not suffice
            for (int w = state_.first_visit(state_[v].site); w != none && here < state_[v].quantity;
                 w = state_[w].next_at_site)
                if (const int other = state_[w].route; other != route && other != origin)
                    here += available(other, static_cast<int>(state_[v].quantity - here), depth - 1, route);
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
