#include "ruin.hpp"

#include <algorithm>

namespace splitroute {

Ruin::Ruin(State& state, Random& random, Inserter& inserter)
    : state_(state), random_(random), inserter_(inserter), index_(state.problem.items()),
      stamp_(state.problem.items(), 0), ruined_(state.routes(), 0) {
    missing_.reserve(1024);
    string_.reserve(1024);
}

void Ruin::run(int seed) {
    const Problem& problem = state_.problem;
    missing_.clear();
    ++tick_;
    inserter_.forget_favourites();
    double visits = 0;
    // The longest route at the seed stands for all: nothing here grows with n.
    for (int v = state_.first_visit(seed); v != none; v = state_[v].twin_next)
        visits = std::max(visits, static_cast<double>(state_.length(state_[v].route)));
    const bool large = random_.chance(whole_route) && visits > mean_removed;
    const double longest = std::max(1.0, std::min(large ? largest : longest_string, visits));
    const double most_strings = 4 * (large ? longest : mean_removed) / (1 + longest) - 1;
    const int strings = static_cast<int>(1 + random_.unit() * most_strings);
    int done = 0;
    const std::int32_t* near = problem.neighbours(seed);
    for (int k = -1; k < problem.neighbour_count() && done < strings; ++k) {
        const int site = k < 0 ? seed : near[k];
        // One of its visits, at random, on a route that is still whole.
        int chosen = none, seen = 0;
        for (int v = state_.first_visit(site); v != none; v = state_[v].twin_next)
            if (ruined_[state_[v].route] != tick_ && random_.below(++seen) == 0) chosen = v;
        if (chosen == none) continue;
        const int route = state_[chosen].route;
        const double most = std::min<double>(state_.length(route), longest);
        const int length = std::min(state_.length(route), static_cast<int>(1 + random_.unit() * most));
        take_string(chosen, length);
        ruined_[route] = tick_;
        inserter_.favour(route);
        ++done;
    }
}

void Ruin::take_string(int visit, int length) {
    const int route = state_[visit].route, total = state_.length(route);
    int spared = 0;
    if (length > 1 && length < total && random_.chance(keep_inner)) {
        spared = 1;
        while (length + spared < total && random_.chance(0.5)) ++spared;
    }
    const int window = length + spared;
    // Where in the window the visit is: anywhere that keeps the window inside the route.
    int before = 0, behind = 0;
    for (int v = state_[visit].prev; v != route && before < window - 1; v = state_[v].prev) ++before;
    for (int v = state_[visit].next; v != route && behind < window - 1; v = state_[v].next) ++behind;
    const int least = std::max(0, window - 1 - behind), most = std::min(before, window - 1);
    int first = visit;
    for (int back = least + random_.below(most - least + 1); back > 0; --back) first = state_[first].prev;
    string_.clear();
    for (int k = 0, v = first; k < window; ++k, v = state_[v].next) string_.push_back(v);
    const int skip = spared ? 1 + random_.below(length - 1) : window;
    for (int k = 0; k < window; ++k)
        if (k < skip || k >= skip + spared) take(string_[k]);
}

void Ruin::take(int visit) {
    if (state_[visit].route == none) return;  // went along with a visit of the same site
    const Node node = state_[visit];
    if (stamp_[node.item] != tick_) {
        stamp_[node.item] = tick_;
        index_[node.item] = static_cast<std::int32_t>(missing_.size());
        missing_.push_back({node.item, 0});
    }
    missing_[index_[node.item]].quantity += node.quantity;
    state_.remove(visit);
    if (state_.problem.splitting() && state_.first_visit(node.site) != none && random_.chance(whole_site)) {
        while (state_.first_visit(node.site) != none) {
            const int other = state_.first_visit(node.site);
            inserter_.favour(state_[other].route);
            missing_[index_[node.item]].quantity += state_[other].quantity;
            state_.remove(other);
        }
    }
}

}  // namespace splitroute
