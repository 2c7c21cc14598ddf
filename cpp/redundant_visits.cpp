#include "redundant_visits.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace splitroute {

namespace {
// Three rounded distances make up a detour: their errors of at most a half sum to less than two.
constexpr Cost rounding_tolerance = 2;
}  // namespace

RedundantVisits::RedundantVisits(const Instance& instance, const Routes& routes)
    : instance_(instance), tolerance_(instance.is_rounded() ? rounding_tolerance : 0),
      first_(routes.size(), none), load_(routes.size()), of_item_(instance.items()), count_(instance.items()),
      parent_(routes.size() + instance.items(), none), component_(parent_.size()), size_(parent_.size(), 1),
      seen_(parent_.size()), step_(parent_.size()) {
    std::iota(component_.begin(), component_.end(), 0);
    for (int r = 0; r < static_cast<int>(routes.size()); ++r) {
        int last = none;
        for (const Visit& visit : routes[r]) {
            const int edge = static_cast<int>(edges_.size());
            edges_.push_back({r, visit.item, visit.quantity, last, none});
            (last == none ? first_[r] : edges_[last].next) = edge;
            last = edge;
            load_[r] += visit.quantity;
            of_item_[visit.item].push_back(edge);
            ++count_[visit.item];
        }
    }
}

int RedundantVisits::site(int edge) const {
    return edge == none ? 0 : instance_.item(edges_[edge].item).site;
}

Cost RedundantVisits::detour(int edge) const {
    const int a = site(edges_[edge].prev), b = site(edge), c = site(edges_[edge].next);
    return instance_.distance(a, b) + instance_.distance(b, c) - instance_.distance(a, c);
}

void RedundantVisits::change_quantity(int edge, int amount) {
    Edge& e = edges_[edge];
    e.quantity += amount;
    load_[e.route] += amount;
    if (e.quantity > 0) return;
    (e.prev == none ? first_[e.route] : edges_[e.prev].next) = e.next;
    if (e.next != none) edges_[e.next].prev = e.prev;
    --count_[e.item];
    for (int node : {static_cast<int>(e.route), item_node(e.item)})
        if (parent_[node] == edge) parent_[node] = none;
}

int RedundantVisits::component(int node) {
    while (component_[node] != node) node = component_[node] = component_[component_[node]];
    return node;
}

int RedundantVisits::other_end(int edge, int node) const {
    return node == edges_[edge].route ? item_node(edges_[edge].item) : edges_[edge].route;
}

// The edges between two nodes in order, if they are in the same tree. Both ends climb in turn until one
// reaches a node where the other has been.
bool RedundantVisits::find_path(int a, int b, std::vector<int>& path) {
    searches_ += 2;
    int at[2] = {a, b};
    for (int side = 0; side < 2; ++side) {
        climbed_[side].clear();
        seen_[at[side]] = searches_ + side;
        step_[at[side]] = 0;
    }
    for (int side = 0; parent_[at[0]] != none || parent_[at[1]] != none; side = 1 - side) {
        const int edge = parent_[at[side]];
        if (edge == none) continue;
        const int node = at[side] = other_end(edge, at[side]);
        climbed_[side].push_back(edge);
        if (seen_[node] == searches_ + 1 - side) {
            climbed_[1 - side].resize(step_[node]);
            path = climbed_[0];
            path.insert(path.end(), climbed_[1].rbegin(), climbed_[1].rend());
            return true;
        }
        seen_[node] = searches_ + side;
        step_[node] = static_cast<int>(climbed_[side].size());
    }
    return false;
}

// Joins two trees by an edge. The smaller one gets a new root, which keeps the work small.
void RedundantVisits::link(int a, int b, int edge) {
    if (size_[component(a)] > size_[component(b)]) std::swap(a, b);
    make_root(a);
    parent_[a] = edge;
    const int joined = component(b);
    if (component(a) == joined) return;  // they were one tree before
    size_[joined] += size_[component(a)];
    component_[component(a)] = joined;
}

void RedundantVisits::make_root(int node) {
    for (int from = none; node != none;) {
        const int edge = std::exchange(parent_[node], from);
        node = edge == none ? none : other_end(edge, node);
        from = edge;
    }
}

void RedundantVisits::cancel_cycles() {
    std::vector<int> cycle;
    for (int e = 0; e < static_cast<int>(edges_.size()); ++e) {
        if (count_[edges_[e].item] < 2) continue;  // not split
        const int route = edges_[e].route, item = item_node(edges_[e].item);
        while (edges_[e].quantity > 0) {
            if (component(route) == component(item) && find_path(route, item, cycle)) {
                cycle.push_back(e);
                if (!cancel(cycle)) break;
            } else {
                link(route, item, e);
                break;
            }
        }
    }
}

// Every other visit of the cycle delivers more and those in between less, until one of them is empty.
// False if removing that one would increase the cost.
bool RedundantVisits::cancel(const std::vector<int>& cycle) {
    int smallest[2] = {cycle[0], cycle[1]};  // of either half
    for (std::size_t k = 2; k < cycle.size(); ++k)
        if (edges_[cycle[k]].quantity < edges_[smallest[k % 2]].quantity) smallest[k % 2] = cycle[k];
    const std::size_t half = detour(smallest[0]) >= detour(smallest[1]) ? 0 : 1;
    if (detour(smallest[half]) < -tolerance_) {
        has_refused_ = true;
        return false;
    }
    const int amount = edges_[smallest[half]].quantity;
    for (std::size_t k = 0; k < cycle.size(); ++k)
        change_quantity(cycle[k], k % 2 == half ? -amount : amount);
    return true;
}

void RedundantVisits::use_slack() {
    for (bool found = true; found;) {
        found = false;
        for (int item = 0; item < instance_.items(); ++item) found |= use_slack_at(item);
    }
}

// Removes visits of an item, longest detours first, while the other vehicles that serve it have room.
// Takes linear time but for sorting, since an item may have very many visits.
bool RedundantVisits::use_slack_at(int item) {
    auto& visits = of_item_[item];
    std::erase_if(visits, [&](int edge) { return edges_[edge].quantity == 0; });
    if (visits.size() < 2) return false;
    std::int64_t room = 0;
    for (int visit : visits) room += slack(visit);
    if (room == 0) return false;
    auto order = visits;
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return detour(a) > detour(b); });
    bool found = false;
    auto other = visits.begin();  // vehicles before it are full
    for (int visit : order) {
        int left = edges_[visit].quantity;
        if (room - slack(visit) < left) continue;
        if (detour(visit) < -tolerance_) {
            has_refused_ = true;
            continue;
        }
        room -= slack(visit) + left;
        change_quantity(visit, -left);
        while (left > 0) {
            const int more = edges_[*other].quantity == 0 ? 0 : std::min(left, slack(*other));
            if (more > 0) change_quantity(*other, more);
            left -= more;
            if (left > 0) ++other;
        }
        found = true;
    }
    return found;
}

Routes RedundantVisits::routes() const {
    Routes routes;
    for (int first : first_) {
        if (first == none) continue;
        Route& route = routes.emplace_back();
        for (int e = first; e != none; e = edges_[e].next)
            route.push_back({edges_[e].item, edges_[e].quantity});
    }
    return routes;
}

Routes remove_redundant_visits(const Instance& instance, const Routes& routes) {
    RedundantVisits redundant(instance, routes);
    redundant.cancel_cycles();
    redundant.use_slack();
    Routes reduced = redundant.routes();
    const std::int64_t removed = count_visits(routes) - count_visits(reduced);
    if (cost_of(instance, reduced) > cost_of(instance, routes) + redundant.tolerance() * removed)
        return routes;
    // Without the triangle inequality, what was refused may pay off by now.
    return redundant.has_refused() && removed > 0 ? remove_redundant_visits(instance, reduced) : reduced;
}

}  // namespace splitroute
