#include "ruin.hpp"

#include <algorithm>

namespace splitroute {

namespace {
constexpr int reserved_visits = 1024;  // enough that ruins allocate nothing once the search runs
// Probability that a string preserves yet another visit: two on average.
constexpr double preserve_another = 0.5;
constexpr double mean_optional = 2;       // items of optional demand that are tried again
constexpr int all_optional_interval = 4;  // ruins of which one tries all around it again
constexpr int whole_route_interval = 16;  // ruins of which one removes whole routes, if types differ
}  // namespace

template <class Policy>
Ruin<Policy>::Ruin(State<Policy>& state, Random& random, Inserter<Policy>& inserter, const Settings& settings)
    : state_(state), random_(random), inserter_(inserter), settings_(settings),
      index_(state.instance.items()), stamp_(state.instance.items(), 0), ruined_(state.max_routes(), 0) {
    unserved_.reserve(reserved_visits);
    string_.reserve(reserved_visits);
}

template <class Policy>
void Ruin<Policy>::run(int centre) {
    const Instance& instance = state_.instance;
    unserved_.clear();
    if constexpr (Policy::is_rich) routes_.clear();
    ++tick_;
    inserter_.clear_scanned_routes();
    // Christiaens and Vanden Berghe take the mean length of all routes; the longest one at the centre
    // takes a time that does not grow with the instance.
    double visits = 0;
    for (int v = state_.first_visit(centre); v != none; v = state_[v].next_at_site)
        visits = std::max(visits, static_cast<double>(state_.length(state_[v].route)));
    const bool large = random_.chance(settings_.large_ruin_probability) && visits > mean_removals(visits);
    const double limit = large ? settings_.max_large_string_length : settings_.max_string_length;
    const double max_length = std::max(1.0, std::min(limit, visits));
    const double removals = large ? max_length : mean_removals(visits);
    const double max_strings = 4 * removals / (1 + max_length) - 1;  // their equation 6
    const int strings = static_cast<int>(1 + random_.unit() * max_strings);
    int done = 0;
    // Only what replaces a whole route may be served by other vehicle types.
    [[maybe_unused]] bool whole = false;
    if constexpr (Policy::is_rich)
        whole = instance.rules().types.size() > 1 && random_.below(whole_route_interval) == 0;
    const std::int32_t* neighbours = instance.neighbours(centre);
    if constexpr (Policy::is_rich) add_undelivered(centre);
    for (int k = -1; k < instance.neighbour_count() && done < strings; ++k) {
        const int site = k < 0 ? centre : neighbours[k];
        // A random one of its visits on routes that are not ruined yet.
        int chosen = none, seen = 0;
        for (int v = state_.first_visit(site); v != none; v = state_[v].next_at_site)
            if (ruined_[state_[v].route] != tick_ && random_.below(++seen) == 0) chosen = v;
        if (chosen == none) continue;
        const int route = state_[chosen].route;
        const double longest = std::min<double>(state_.length(route), max_length);
        int length = std::min(state_.length(route), static_cast<int>(1 + random_.unit() * longest));
        if constexpr (Policy::is_rich)
            if (whole) length = state_.length(route);
        remove_string(chosen, length);
        ruined_[route] = tick_;
        if constexpr (Policy::is_rich) routes_.push_back(route);
        inserter_.scan_fully(route);
        ++done;
    }
}

// Strings of long routes are long, so that a ruin of six visits would mostly be a single one: it would change
// the order within a route, but hardly ever what shares a vehicle.
template <class Policy>
double Ruin<Policy>::mean_removals(double visits) const {
    const double mean = settings_.mean_removals;
    if (Policy::is_rich || state_.instance.is_large()) return mean;
    return std::clamp(visits, mean, std::max(mean, settings_.long_route_removals));
}

// Adds what is undelivered around a site. Where much optional demand is left, all of it would crowd out what
// is removed; so usually a few items are exchanged for a few others.
template <class Policy>
void Ruin<Policy>::add_undelivered(int centre)
    requires Policy::is_rich
{
    const Instance& instance = state_.instance;
    const std::int32_t* neighbours = instance.neighbours(centre);
    optional_.clear();
    auto add = [&](int item) {
        const int quantity = state_.undelivered(item);
        state_.change_undelivered(item, -quantity);
        add_unserved(item, quantity);
    };
    for (int k = -1; k < instance.neighbour_count(); ++k)
        for (int item : instance.items_at(k < 0 ? centre : neighbours[k])) {
            if (state_.undelivered(item) == 0) continue;
            if (instance.rules().items[item].is_mandatory) add(item);
            else optional_.push_back(item);
        }
    if (optional_.empty()) return;
    const double share = random_.below(all_optional_interval) == 0
                             ? 1.0
                             : mean_optional / static_cast<double>(optional_.size());
    for (int item : optional_)
        if (share >= 1 || random_.chance(share)) add(item);
}

template <class Policy>
void Ruin<Policy>::remove_string(int visit, int length) {
    const int route = state_[visit].route, total = state_.length(route);
    int preserved = 0;
    if (length > 1 && length < total && random_.chance(settings_.split_string_probability)) {
        preserved = 1;
        while (length + preserved < total && random_.chance(preserve_another)) ++preserved;
    }
    const int window = length + preserved;
    // The window contains the visit, anywhere that keeps it inside the route.
    int before = 0, behind = 0;
    for (int v = state_[visit].prev; v != route && before < window - 1; v = state_[v].prev) ++before;
    for (int v = state_[visit].next; v != route && behind < window - 1; v = state_[v].next) ++behind;
    const int min_back = std::max(0, window - 1 - behind), max_back = std::min(before, window - 1);
    int first = visit;
    for (int back = min_back + random_.below(max_back - min_back + 1); back > 0; --back)
        first = state_[first].prev;
    string_.clear();
    for (int k = 0, v = first; k < window; ++k, v = state_[v].next) string_.push_back(v);
    const int skip = preserved ? 1 + random_.below(length - 1) : window;
    for (int k = 0; k < window; ++k)
        if (k < skip || k >= skip + preserved) remove(string_[k]);
}

template <class Policy>
void Ruin<Policy>::add_unserved(int item, int quantity) {
    if (stamp_[item] != tick_) {
        stamp_[item] = tick_;
        index_[item] = static_cast<std::int32_t>(unserved_.size());
        unserved_.push_back({item, 0});
    }
    unserved_[index_[item]].quantity += quantity;
}

template <class Policy>
void Ruin<Policy>::remove(int visit) {
    if (state_[visit].route == none) return;  // removed with another visit to the same site
    const Node node = state_[visit];
    add_unserved(node.item, node.quantity);
    state_.remove(visit);
    if (state_.instance.allows_splitting() && state_.first_visit(node.site) != none &&
        random_.chance(settings_.whole_site_probability)) {
        while (state_.first_visit(node.site) != none) {
            const int other = state_.first_visit(node.site);
            inserter_.scan_fully(state_[other].route);
            unserved_[index_[node.item]].quantity += state_[other].quantity;
            state_.remove(other);
        }
    }
}

template class Ruin<Plain>;
template class Ruin<Rich>;

}  // namespace splitroute
