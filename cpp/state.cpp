#include "state.hpp"

#include <algorithm>

namespace splitroute {

namespace {

// Routes and visits there can ever be: one vehicle per item and per full load, and as many visits
// again as there are vehicles, since more splits than that are never needed.
int route_bound(const Problem& p) {
    std::int64_t total = 0;
    for (int i = 0; i < p.items(); ++i) total += p.item(i).demand;
    return static_cast<int>(total / p.capacity()) + p.items();
}

}  // namespace

State::State(const Problem& p)
    : problem(p), routes_(route_bound(p) + 2 * spare), most_visits_(p.items() + 2 * routes_ + 8 * spare) {
    nodes_.resize(routes_ + most_visits_);
    first_.assign(p.sites(), none);
    count_.assign(p.sites(), 0);
    load_.assign(routes_, 0);
    length_.assign(routes_, 0);
    order_.resize(routes_);
    place_.resize(routes_);
    stamp_.assign(routes_, 0);
    changed_.reserve(routes_);
    journal_.reserve(1 << 14);
    clear();
}

void State::clear() {
    for (int r = 0; r < routes_; ++r) {
        nodes_[r] = Node{none, 0, 0, r, r, r, 0, none, none};
        order_[r] = place_[r] = r;
        load_[r] = length_[r] = 0;
        touch(r);
    }
    for (int k = routes_; k < static_cast<int>(nodes_.size()); ++k) {
        nodes_[k] = Node{};
        nodes_[k].next = k + 1 < static_cast<int>(nodes_.size()) ? k + 1 : none;
    }
    std::fill(first_.begin(), first_.end(), none);
    std::fill(count_.begin(), count_.end(), 0);
    free_ = routes_;
    used_ = 0;
    active_ = 0;
    cost_ = cost_before_ = 0;
    journal_.clear();
}

int State::add(int item, int quantity, int after) {
    const int k = free_;
    const int site = problem.item(item).site;
    Node& n = nodes_[k];
    const int before = after, behind = nodes_[after].next, route = nodes_[after].route;
    cost_ += insertion(site, before);
    set(free_, n.next);
    set(used_, used_ + 1);
    set(n.item, item);
    set(n.site, site);
    set(n.quantity, quantity);
    set(n.route, route);
    link(before, k);
    link(k, behind);
    set(n.twin_prev, none);
    set(n.twin_next, first_[site]);
    if (first_[site] != none) set(nodes_[first_[site]].twin_prev, k);
    set(first_[site], k);
    set(count_[site], count_[site] + 1);
    adjust(route, quantity, 1);
    return k;
}

void State::remove(int node) {
    Node& n = nodes_[node];
    cost_ -= saving(node);
    link(n.prev, n.next);
    if (n.twin_prev != none) set(nodes_[n.twin_prev].twin_next, n.twin_next);
    else set(first_[n.site], n.twin_next);
    if (n.twin_next != none) set(nodes_[n.twin_next].twin_prev, n.twin_prev);
    set(count_[n.site], count_[n.site] - 1);
    adjust(n.route, -n.quantity, -1);
    set(n.route, none);
    set(n.next, free_);
    set(free_, node);
    set(used_, used_ - 1);
    ++removals_;
}

void State::change(int node, int amount) {
    set(nodes_[node].quantity, nodes_[node].quantity + amount);
    adjust(nodes_[node].route, amount, 0);
}

void State::move(int node, int after) {
    Node& n = nodes_[node];
    const int to = nodes_[after].route;
    cost_ -= saving(node);
    link(n.prev, n.next);
    const int behind = nodes_[after].next;
    cost_ += detour(n.site, after, behind);
    link(after, node);
    link(node, behind);
    if (to != n.route) {
        adjust(n.route, -n.quantity, -1);
        adjust(to, n.quantity, 1);
        set(n.route, to);
    } else {
        touch(to);
    }
}

void State::exchange_tails(int x, int y) {
    const int a = nodes_[x].route, b = nodes_[y].route;
    const int ta = nodes_[x].next, tb = nodes_[y].next, la = nodes_[a].prev, lb = nodes_[b].prev;
    auto distance = [&](int i, int j) { return problem.distance(nodes_[i].site, nodes_[j].site); };
    cost_ += distance(x, tb) + distance(y, ta) - distance(x, ta) - distance(y, tb);
    auto hand_over = [&](int first, int from, int to) {
        int load = 0, length = 0;
        for (int k = first; k != from; k = nodes_[k].next) {
            set(nodes_[k].route, to);
            load += nodes_[k].quantity;
            ++length;
        }
        return std::pair{load, length};
    };
    const auto [load_a, length_a] = hand_over(ta, a, b);
    const auto [load_b, length_b] = hand_over(tb, b, a);
    if (tb != b) {
        link(x, tb);
        link(lb, a);
    } else {
        link(x, a);
    }
    if (ta != a) {
        link(y, ta);
        link(la, b);
    } else {
        link(y, b);
    }
    adjust(a, load_b - load_a, length_b - length_a);
    adjust(b, load_a - load_b, length_a - length_b);
}

void State::reverse(int first, int last) {
    const int before = nodes_[first].prev, behind = nodes_[last].next;
    auto distance = [&](int i, int j) { return problem.distance(nodes_[i].site, nodes_[j].site); };
    cost_ +=
        distance(before, last) + distance(first, behind) - distance(before, first) - distance(last, behind);
    for (int k = first;;) {
        const int next = nodes_[k].next;
        set(nodes_[k].next, nodes_[k].prev);
        set(nodes_[k].prev, next);
        if (k == last) break;
        k = next;
    }
    link(before, last);
    link(first, behind);
    for (int k = last; k != first; k = nodes_[k].next)
        set(nodes_[k].leg, static_cast<std::int32_t>(distance(k, nodes_[k].next)));
    touch(nodes_[first].route);
}

void State::adjust(int route, int load, int length) {
    touch(route);
    if (load) set(load_[route], load_[route] + load);
    if (!length) return;
    const bool was = length_[route] > 0;
    set(length_[route], length_[route] + length);
    const bool is = length_[route] > 0;
    if (was != is) activate(route, is);
}

void State::activate(int route, bool on) {
    const int border = on ? active_ : active_ - 1;
    const int other = order_[border], at = place_[route];
    set(order_[at], other);
    set(place_[other], at);
    set(order_[border], route);
    set(place_[route], border);
    set(active_, active_ + (on ? 1 : -1));
}

void State::undo() {
    for (auto it = journal_.rbegin(); it != journal_.rend(); ++it) *it->where = it->old;
    journal_.clear();
    cost_ = cost_before_;
    ++removals_;
}

void State::forget_changes() {
    changed_.clear();
    ++epoch_;
}

bool State::fits(const std::vector<std::vector<Delivery>>& routes) const {
    std::size_t visits = 0;
    for (const auto& stops : routes) visits += stops.size();
    return static_cast<std::int64_t>(routes.size()) + spare <= routes_ &&
           static_cast<std::int64_t>(visits) + 4 * spare <= most_visits_;
}

void State::load_routes(const std::vector<std::vector<Delivery>>& routes) {
    clear();
    for (const auto& stops : routes) {
        int at = open();
        for (const Delivery& s : stops) at = add(s.item, s.quantity, at);
    }
    commit();
}

std::vector<Delivery> State::stops(int route) const {
    std::vector<Delivery> out;
    for (int k = nodes_[route].next; k != route; k = nodes_[k].next)
        out.push_back({nodes_[k].item, nodes_[k].quantity});
    return out;
}

Cost State::recomputed() const {
    Cost total = 0;
    for (int k = 0; k < active_; ++k) {
        const int r = order_[k];
        int at = r;
        do {
            total += problem.distance(nodes_[at].site, nodes_[nodes_[at].next].site);
            at = nodes_[at].next;
        } while (at != r);
    }
    return total;
}

bool State::consistent() const {
    thread_local std::vector<int> seen;  // kept, so that checking asks nothing of the heap
    seen.assign(problem.sites(), 0);
    int used = 0;
    for (int r = 0; r < routes_; ++r) {
        int load = 0, length = 0, at = r;
        do {
            const int next = nodes_[at].next;
            if (nodes_[next].prev != at || nodes_[next].route != r) return false;
            if (nodes_[at].leg != problem.distance(nodes_[at].site, nodes_[next].site)) return false;
            at = next;
            if (at == r) break;
            if (nodes_[at].quantity <= 0) return false;
            load += nodes_[at].quantity;
            ++length;
            ++seen[nodes_[at].site];
        } while (true);
        if (load != load_[r] || length != length_[r] || load > problem.capacity()) return false;
        if ((length > 0) != (place_[r] < active_) || order_[place_[r]] != r) return false;
        used += length;
    }
    for (int s = 0; s < problem.sites(); ++s) {
        int twins = 0;
        for (int v = first_[s]; v != none; v = nodes_[v].twin_next) {
            if (nodes_[v].site != s || nodes_[v].route == none) return false;
            ++twins;
        }
        if (twins != seen[s] || twins != count_[s]) return false;
    }
    return used == used_ && recomputed() == cost_;
}

}  // namespace splitroute
