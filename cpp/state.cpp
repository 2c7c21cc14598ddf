#include "state.hpp"

#include <algorithm>
#include <utility>

namespace splitroute {

namespace {

// A vehicle per item and one more per full load always suffice.
template <class Policy>
int route_bound(const Instance& instance) {
    int capacity = instance.capacity();
    if constexpr (Policy::is_rich)
        for (const VehicleType& type : instance.rules().types) capacity = std::min(capacity, type.capacity);
    return static_cast<int>(instance.total_demand() / capacity) + instance.items();
}

}  // namespace

// Some optimal solution has fewer splits than routes (Dror and Trudeau 1990): twice as many leave
// the search room for more on its way there.
template <class Policy>
State<Policy>::State(const Instance& instance)
    : instance(instance), max_routes_(route_bound<Policy>(instance) + 2 * spare_routes),
      max_visits_(instance.items() + 2 * max_routes_ + 2 * spare_visits),
      schedule_(instance, max_routes_, max_routes_ + max_visits_) {
    nodes_.resize(max_routes_ + max_visits_);
    first_.assign(instance.sites(), none);
    count_.assign(instance.sites(), 0);
    load_.assign(max_routes_, 0);
    length_.assign(max_routes_, 0);
    order_.resize(max_routes_);
    position_.resize(max_routes_);
    stamp_.assign(max_routes_, 0);
    changed_.reserve(max_routes_);
    clear();
}

template <class Policy>
void State<Policy>::clear() {
    for (int r = 0; r < max_routes_; ++r) {
        nodes_[r] = Node{none, 0, 0, r, r, r, 0, none, none};
        order_[r] = position_[r] = r;
        load_[r] = length_[r] = 0;
        touch(r);
    }
    for (int k = max_routes_; k < static_cast<int>(nodes_.size()); ++k) {
        nodes_[k] = Node{};
        nodes_[k].next = k + 1 < static_cast<int>(nodes_.size()) ? k + 1 : none;
    }
    std::fill(first_.begin(), first_.end(), none);
    std::fill(count_.begin(), count_.end(), 0);
    free_ = max_routes_;
    used_ = 0;
    active_ = 0;
    cost_ = committed_cost_ = 0;
    journal_.clear();
    if constexpr (rich) clear_schedule();
}

template <class Policy>
int State<Policy>::add(int item, int quantity, int after) {
    const int k = free_;
    const int site = instance.item(item).site;
    Node& n = nodes_[k];
    const int behind = nodes_[after].next, route = nodes_[after].route;
    if constexpr (rich) soil_item(item);
    else cost_ += insertion(site, after);
    set(free_, n.next);
    set(used_, used_ + 1);
    set(n.item, item);
    set(n.site, site);
    set(n.quantity, quantity);
    set(n.route, route);
    link(after, k);
    link(k, behind);
    set(n.prev_at_site, none);
    set(n.next_at_site, first_[site]);
    if (first_[site] != none) set(nodes_[first_[site]].prev_at_site, k);
    set(first_[site], k);
    set(count_[site], count_[site] + 1);
    adjust(route, quantity, 1);
    return k;
}

template <class Policy>
void State<Policy>::remove(int node) {
    Node& n = nodes_[node];
    if constexpr (rich) soil_item(n.item);
    else cost_ -= saving(node);
    link(n.prev, n.next);
    if (n.prev_at_site != none) set(nodes_[n.prev_at_site].next_at_site, n.next_at_site);
    else set(first_[n.site], n.next_at_site);
    if (n.next_at_site != none) set(nodes_[n.next_at_site].prev_at_site, n.prev_at_site);
    set(count_[n.site], count_[n.site] - 1);
    adjust(n.route, -n.quantity, -1);
    set(n.route, none);
    set(n.next, free_);
    set(free_, node);
    set(used_, used_ - 1);
    ++removals_;
}

template <class Policy>
void State<Policy>::change_quantity(int node, int amount) {
    if constexpr (rich) soil_item(nodes_[node].item);
    set(nodes_[node].quantity, nodes_[node].quantity + amount);
    adjust(nodes_[node].route, amount, 0);
}

template <class Policy>
void State<Policy>::transfer(int from, int to, int quantity) {
    change_quantity(to, quantity);
    if (quantity == nodes_[from].quantity) remove(from);
    else change_quantity(from, -quantity);
}

template <class Policy>
void State<Policy>::move(int node, int after) {
    Node& n = nodes_[node];
    const int to = nodes_[after].route;
    if constexpr (!rich) cost_ -= saving(node);
    link(n.prev, n.next);
    const int behind = nodes_[after].next;
    if constexpr (!rich) cost_ += detour(n.site, after, behind, to);
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

template <class Policy>
void State<Policy>::exchange_suffixes(int x, int y) {
    const int a = nodes_[x].route, b = nodes_[y].route;
    const int ta = nodes_[x].next, tb = nodes_[y].next, la = nodes_[a].prev, lb = nodes_[b].prev;
    if constexpr (!rich) cost_ += distance(x, tb) + distance(y, ta) - distance(x, ta) - distance(y, tb);
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

template <class Policy>
void State<Policy>::reverse(int first, int last) {
    const int before = nodes_[first].prev, behind = nodes_[last].next;
    if constexpr (!rich)
        cost_ += distance(before, last) + distance(first, behind) - distance(before, first) -
                 distance(last, behind);
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

template <class Policy>
void State<Policy>::adjust(int route, int load, int length) {
    touch(route);
    if (load) set(load_[route], load_[route] + load);
    if (!length) return;
    const bool was = length_[route] > 0;
    set(length_[route], length_[route] + length);
    const bool is = length_[route] > 0;
    if (was == is) return;
    set_active(route, is);
    if constexpr (rich) {
        if (is) link_trip(route);
        else unlink_trip(route);
    }
}

template <class Policy>
void State<Policy>::set_active(int route, bool active) {
    const int border = active ? active_ : active_ - 1;
    const int other = order_[border], at = position_[route];
    set(order_[at], other);
    set(position_[other], at);
    set(order_[border], route);
    set(position_[route], border);
    set(active_, active_ + (active ? 1 : -1));
}

template <class Policy>
void State<Policy>::undo() {
    undo_to({0, 0, committed_cost_});
}

template <class Policy>
void State<Policy>::undo_to(Mark mark) {
    journal_.undo_to(mark.changes);
    if constexpr (rich) {
        schedule_.journal.undo_to(mark.schedule_changes);
        // What is undone is as it was when it was settled.
        schedule_.dirty.clear();
        schedule_.dirty_items.clear();
        ++schedule_.tick;
    }
    cost_ = mark.cost;
    ++removals_;
}

template <class Policy>
void State<Policy>::clear_changed_routes() {
    changed_.clear();
    ++epoch_;
}

template <class Policy>
bool State<Policy>::has_room_for(const Routes& routes) const {
    return static_cast<std::int64_t>(routes.size()) + spare_routes <= max_routes_ &&
           count_visits(routes) + spare_visits <= max_visits_;
}

template <class Policy>
void State<Policy>::load_routes(const Routes& routes) {
    clear();
    if constexpr (rich) {
        load_trips(routes);
    } else {
        for (const Route& route : routes) {
            int at = empty_route();
            for (const Visit& visit : route) at = add(visit.item, visit.quantity, at);
            commit();
        }
    }
    commit();
}

template <class Policy>
Route State<Policy>::visits(int route) const {
    Route visits;
    if constexpr (rich) {
        visits.type = type(route);
        visits.vehicle = route;
        for (; prev_trip(visits.vehicle) != none; visits.vehicle = prev_trip(visits.vehicle)) ++visits.trip;
    }
    for (int v = nodes_[route].next; v != route; v = nodes_[v].next)
        visits.push_back({nodes_[v].item, nodes_[v].quantity});
    return visits;
}

template <class Policy>
Routes State<Policy>::routes() const {
    Routes routes;
    for (int k = 0; k < active_; ++k) routes.push_back(visits(order_[k]));
    return routes;
}

template class State<Plain>;
template class State<Rich>;

}  // namespace splitroute
