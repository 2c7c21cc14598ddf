#include "tidy.hpp"

#include <algorithm>
#include <numeric>

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
    : problem_(problem), tolerance_(problem.rounded() ? 2 : 0), first_(routes.size(), none), load_(routes.size()), of_item_(problem.items()),
      near_(routes.size() + problem.items()), group_(near_.size()), seen_(near_.size()),
      came_by_(near_.size()) {
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
    std::erase(of_item_[v.item], visit);
}

int Tidy::group(int node) {
    while (group_[node] != node) node = group_[node] = group_[group_[node]];
    return node;
}

int Tidy::other_end(int visit, int node) const {
    return node == visits_[visit].route ? item_node(visits_[visit].item) : visits_[visit].route;
}

void Tidy::trace_back(int node, std::vector<int>& visits) const {
    for (; came_by_[node] != none; node = other_end(visits.back(), node)) visits.push_back(came_by_[node]);
}

// The visits between two nodes in their order, if they are in the same tree. The search goes from
// both ends at once: in a large tree most ways are short.
bool Tidy::way(int a, int b, std::vector<int>& visits) {
    searches_ += 2;
    for (int side = 0; side < 2; ++side) {
        const int end = side == 0 ? a : b;
        outermost_[side].assign(1, end);
        seen_[end] = searches_ + side;
        came_by_[end] = none;
    }
    while (!outermost_[0].empty() && !outermost_[1].empty()) {
        const int side = outermost_[0].size() <= outermost_[1].size() ? 0 : 1;
        fresh_.clear();
        for (int node : outermost_[side]) {
            for (int visit : near_[node]) {
                if (visits_[visit].quantity == 0) continue;  // it is gone
                const int other = other_end(visit, node);
                if (seen_[other] == searches_ + side) continue;
                if (seen_[other] == searches_ + 1 - side) {
                    visits.clear();
                    trace_back(node, visits);
                    std::reverse(visits.begin(), visits.end());
                    visits.push_back(visit);
                    trace_back(other, visits);
                    return true;
                }
                seen_[other] = searches_ + side;
                came_by_[other] = visit;
                fresh_.push_back(other);
            }
        }
        std::swap(outermost_[side], fresh_);
    }
    return false;
}

void Tidy::cancel_rings() {
    std::vector<int> ring;
    for (int v = 0; v < static_cast<int>(visits_.size()); ++v) {
        if (of_item_[visits_[v].item].size() < 2) continue;  // nobody else comes there
        const int route = visits_[v].route, item = item_node(visits_[v].item);
        while (visits_[v].quantity > 0) {
            if (group(route) == group(item) && way(route, item, ring)) {
                ring.push_back(v);
                if (!exchange(ring)) break;
            } else {
                group_[group(route)] = group(item);
                near_[route].push_back(v);
                near_[item].push_back(v);
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
        for (int item = 0; item < problem_.items(); ++item) {
            if (of_item_[item].size() < 2) continue;
            auto order = of_item_[item];
            std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return detour(a) > detour(b); });
            for (int visit : order) found |= leave_out(visit);
        }
    }
}

bool Tidy::leave_out(int visit) {
    const auto others = of_item_[visits_[visit].item];
    int left = visits_[visit].quantity;
    std::int64_t room = 0;
    for (int other : others)
        if (other != visit) room += problem_.capacity() - load_[visits_[other].route];
    if (room < left) return false;
    if (detour(visit) < -tolerance_) {
        refused_ = true;
        return false;
    }
    change(visit, -left);
    for (int other : others) {
        if (other == visit || left == 0) continue;
        const int more = std::min(left, problem_.capacity() - load_[visits_[other].route]);
        change(other, more);
        left -= more;
    }
    return true;
}

Tidy::Routes Tidy::routes() const {
    Routes out;
    for (int first : first_) {
        if (first == none) continue;
        auto& stops = out.emplace_back();
        for (int v = first; v != none; v = visits_[v].after) stops.push_back({visits_[v].item, visits_[v].quantity});
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
