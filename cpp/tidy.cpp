#include "tidy.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace splitroute {

namespace {
Cost cost_of(const Problem& problem, const Tidy::Routes& routes) {
    Cost total = 0;
    for (const auto& stops : routes) {
        int at = 0;
        for (const Delivery& s : stops) {
            total += problem.distance(at, problem.item(s.item).site);
            at = problem.item(s.item).site;
        }
        total += problem.distance(at, 0);
    }
    return total;
}
}  // namespace

Tidy::Tidy(const Problem& problem, const Routes& routes)
    : problem_(problem), tolerance_(problem.rounded() ? 2 : 0), first_(routes.size(), none),
      load_(routes.size()), of_item_(problem.items()), count_(problem.items()),
      up_(routes.size() + problem.items(), none), group_(up_.size()), size_(up_.size(), 1), seen_(up_.size()),
      step_(up_.size()) {
    std::iota(group_.begin(), group_.end(), 0);
    for (int r = 0; r < static_cast<int>(routes.size()); ++r) {
        int last = none;
        for (const Delivery& s : routes[r]) {
            const int visit = static_cast<int>(visits_.size());
            visits_.push_back({r, s.item, s.quantity, last, none});
            (last == none ? first_[r] : visits_[last].after) = visit;
            last = visit;
            load_[r] += s.quantity;
            of_item_[s.item].push_back(visit);
            ++count_[s.item];
        }
    }
}

int Tidy::site(int visit) const { return visit == none ? 0 : problem_.item(visits_[visit].item).site; }

Cost Tidy::detour(int visit) const {
    const int a = site(visits_[visit].before), b = site(visit), c = site(visits_[visit].after);
    return problem_.distance(a, b) + problem_.distance(b, c) - problem_.distance(a, c);
}

void Tidy::change(int visit, int by) {
    Visit& v = visits_[visit];
    v.quantity += by;
    load_[v.route] += by;
    if (v.quantity > 0) return;
    (v.before == none ? first_[v.route] : visits_[v.before].after) = v.after;
    if (v.after != none) visits_[v.after].before = v.before;
    --count_[v.item];
    for (int node : {static_cast<int>(v.route), item_node(v.item)})
        if (up_[node] == visit) up_[node] = none;
}

int Tidy::group(int node) {
    while (group_[node] != node) node = group_[node] = group_[group_[node]];
    return node;
}

int Tidy::other_end(int visit, int node) const {
    return node == visits_[visit].route ? item_node(visits_[visit].item) : visits_[visit].route;
}

// The visits between two nodes in their order, if they are in the same tree. Both ends climb in turn
// until one comes to where the other has been.
bool Tidy::path(int a, int b, std::vector<int>& visits) {
    searches_ += 2;
    int at[2] = {a, b};
    for (int side = 0; side < 2; ++side) {
        climbed_[side].clear();
        seen_[at[side]] = searches_ + side;
        step_[at[side]] = 0;
    }
    for (int side = 0; up_[at[0]] != none || up_[at[1]] != none; side = 1 - side) {
        const int visit = up_[at[side]];
        if (visit == none) continue;
        const int node = at[side] = other_end(visit, at[side]);
        climbed_[side].push_back(visit);
        if (seen_[node] == searches_ + 1 - side) {
            climbed_[1 - side].resize(step_[node]);
            visits = climbed_[0];
            visits.insert(visits.end(), climbed_[1].rbegin(), climbed_[1].rend());
            return true;
        }
        seen_[node] = searches_ + side;
        step_[node] = static_cast<int>(climbed_[side].size());
    }
    return false;
}

// Joins two trees by a visit; the smaller one is turned, so that little has to be.
void Tidy::link(int a, int b, int visit) {
    if (size_[group(a)] > size_[group(b)]) std::swap(a, b);
    make_root(a);
    up_[a] = visit;
    const int joined = group(b);
    if (group(a) == joined) return;  // they were one tree before
    size_[joined] += size_[group(a)];
    group_[group(a)] = joined;
}

void Tidy::make_root(int node) {
    for (int from = none; node != none;) {
        const int visit = std::exchange(up_[node], from);
        node = visit == none ? none : other_end(visit, node);
        from = visit;
    }
}

void Tidy::cancel_rings() {
    std::vector<int> ring;
    for (int v = 0; v < static_cast<int>(visits_.size()); ++v) {
        if (count_[visits_[v].item] < 2) continue;  // nobody else comes there
        const int route = visits_[v].route, item = item_node(visits_[v].item);
        while (visits_[v].quantity > 0) {
            if (group(route) == group(item) && path(route, item, ring)) {
                ring.push_back(v);
                if (!exchange(ring)) break;
            } else {
                link(route, item, v);
                break;
            }
        }
    }
}

// What every other visit gets more, those in between get less. False if that would cost something.
bool Tidy::exchange(const std::vector<int>& ring) {
    int least[2] = {ring[0], ring[1]};
    for (std::size_t k = 2; k < ring.size(); ++k)
        if (visits_[ring[k]].quantity < visits_[least[k % 2]].quantity) least[k % 2] = ring[k];
    const std::size_t gives = detour(least[0]) >= detour(least[1]) ? 0 : 1;
    if (detour(least[gives]) < -tolerance_) {
        refused_ = true;
        return false;
    }
    const int amount = visits_[least[gives]].quantity;
    for (std::size_t k = 0; k < ring.size(); ++k) change(ring[k], k % 2 == gives ? -amount : amount);
    return true;
}

void Tidy::use_room() {
    for (bool found = true; found;) {
        found = false;
        for (int item = 0; item < problem_.items(); ++item) found |= use_room_at(item);
    }
}

// Leaves out visits of an item, the longest detours first, while the other vehicles that come there
// have room. The time is linear in the visits but for sorting: there may be very many.
bool Tidy::use_room_at(int item) {
    auto& visits = of_item_[item];
    std::erase_if(visits, [&](int visit) { return visits_[visit].quantity == 0; });
    if (visits.size() < 2) return false;
    std::int64_t room = 0;
    for (int visit : visits) room += slack(visit);
    if (room == 0) return false;
    auto order = visits;
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return detour(a) > detour(b); });
    bool found = false;
    auto other = visits.begin();  // before it, vehicles are full
    for (int visit : order) {
        int left = visits_[visit].quantity;
        if (room - slack(visit) < left) continue;
        if (detour(visit) < -tolerance_) {
            refused_ = true;
            continue;
        }
        room -= slack(visit) + left;
        change(visit, -left);
        while (left > 0) {
            const int more = visits_[*other].quantity == 0 ? 0 : std::min(left, slack(*other));
            if (more > 0) change(*other, more);
            left -= more;
            if (left > 0) ++other;
        }
        found = true;
    }
    return found;
}

Tidy::Routes Tidy::routes() const {
    Routes out;
    for (int first : first_) {
        if (first == none) continue;
        auto& stops = out.emplace_back();
        for (int v = first; v != none; v = visits_[v].after)
            stops.push_back({visits_[v].item, visits_[v].quantity});
    }
    return out;
}

Tidy::Routes tidied(const Problem& problem, const Tidy::Routes& routes) {
    Tidy tidy(problem, routes);
    tidy.cancel_rings();
    tidy.use_room();
    auto better = tidy.routes();
    const auto visits = [](const Tidy::Routes& all) {
        std::int64_t count = 0;
        for (const auto& stops : all) count += static_cast<std::int64_t>(stops.size());
        return count;
    };
    const std::int64_t gone = visits(routes) - visits(better);
    if (cost_of(problem, better) > cost_of(problem, routes) + tidy.tolerance() * gone) return routes;
    // What was refused, for want of the triangle inequality, may be worth while by now.
    return tidy.refused() && gone > 0 ? tidied(problem, better) : better;
}

}  // namespace splitroute
