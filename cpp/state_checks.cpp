// Consistency checks of the state, for the self-test and the checking build.
#include "state.hpp"

namespace splitroute {

Cost State::recomputed_cost() const {
    Cost total = 0;
    for (int k = 0; k < active_; ++k) {
        const int r = order_[k];
        int at = r;
        do {
            total += distance(at, nodes_[at].next);
            at = nodes_[at].next;
        } while (at != r);
    }
    return total;
}

bool State::is_consistent() const {
    thread_local std::vector<int> seen;  // reused, so that checks allocate nothing
    seen.assign(instance.sites(), 0);
    int used = 0;
    for (int r = 0; r < max_routes_; ++r) {
        int load = 0, length = 0, at = r;
        do {
            const int next = nodes_[at].next;
            if (nodes_[next].prev != at || nodes_[next].route != r) return false;
            if (nodes_[at].leg != distance(at, next)) return false;
            at = next;
            if (at == r) break;
            if (nodes_[at].quantity <= 0) return false;
            load += nodes_[at].quantity;
            ++length;
            ++seen[nodes_[at].site];
        } while (true);
        if (load != load_[r] || length != length_[r] || load > instance.capacity()) return false;
        if ((length > 0) != (position_[r] < active_) || order_[position_[r]] != r) return false;
        used += length;
    }
    for (int s = 0; s < instance.sites(); ++s) {
        int visits = 0;
        for (int v = first_[s]; v != none; v = nodes_[v].next_at_site) {
            if (nodes_[v].site != s || nodes_[v].route == none) return false;
            ++visits;
        }
        if (visits != seen[s] || visits != count_[s]) return false;
    }
    return used == used_ && recomputed_cost() == cost_;
}

}  // namespace splitroute
