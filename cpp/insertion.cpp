#include "insertion.hpp"

#include <algorithm>
#include <cmath>

namespace splitroute {

namespace {
// Enough that the search allocates nothing once it runs.
constexpr int reserved_candidates = 1024, reserved_routes = 256;
// Visits of a route above which only positions next to neighbours are considered: it has enough of them, and
// scanning all would take most of the time.
constexpr int max_scanned_length = 40;
constexpr int probe_quantiles = 256;
constexpr float max_until_blink = 1e15F;  // positions: never

// How far along the curve probes look: quantiles of all orders of magnitude beyond the neighbours, none in
// instances that have little else.
std::vector<std::int32_t> probe_distances(const Instance& instance) {
    std::vector<std::int32_t> distances;
    const int nearest = instance.neighbour_count() / 2;
    const double factor = instance.items() / (4.0 * nearest);
    if (nearest > 0 && factor >= 1)
        for (int k = 0; k < probe_quantiles; ++k)
            distances.push_back(
                // As a float, it does not depend on the last bit of a power, which differs between platforms.
                static_cast<std::int32_t>(
                    static_cast<float>(nearest * std::pow(factor, (k + 0.5) / probe_quantiles))));
    return distances;
}
}  // namespace

template <class Policy>
Inserter<Policy>::Inserter(State<Policy>& state, Random& random, const Settings& settings)
    : state_(state), random_(random), settings_(settings), chains_(state), wasted_room_(state.instance),
      neighbours_(settings.max_neighbours), max_routes_(state.instance.max_vehicles()),
      probe_distances_(probe_distances(state.instance)), scanned_stamp_(state.max_routes(), 0),
      index_(state.max_routes()), stamp_(state.max_routes(), 0) {
    if (settings.blink > 0)
        mean_until_blink_ = std::min(max_until_blink, static_cast<float>(-1 / std::log1p(-settings.blink)));
    candidates_.reserve(reserved_candidates);
    keys_.reserve(reserved_candidates);
    scanned_.reserve(reserved_routes);
    blinks();  // draws when the first blink is due
}

template <class Policy>
void Inserter<Policy>::scan_fully(int route) {
    if (scanned_stamp_[route] == scanned_tick_ || state_.length(route) > max_scanned_length) return;
    scanned_stamp_[route] = scanned_tick_;
    scanned_.push_back(route);
}

template <class Policy>
void Inserter<Policy>::clear_scanned_routes() {
    scanned_.clear();
    ++scanned_tick_;
}

// Whether to skip a position (Christiaens and Vanden Berghe). The number of positions until the next
// blink is geometrically distributed; drawing it is cheaper than a draw for every position.
template <class Policy>
bool Inserter<Policy>::blinks() {
    if (until_blink_-- > 0) return false;
    if (settings_.blink <= 0) {
        until_blink_ = std::numeric_limits<std::int64_t>::max();
        return false;
    }
    until_blink_ = static_cast<std::int64_t>(random_.exponential() * mean_until_blink_);
    return true;
}

// Keeps the position if it is the cheapest of its route so far.
template <class Policy>
void Inserter<Policy>::consider(int route, int after, Cost cost) {
    if constexpr (Policy::is_rich) {
        consider_with_rules(route, after, state_.priced(route, cost) + price_of_visit(route, after));
        return;
    }
    if (cost >= budget_) return;
    if (stamp_[route] != tick_) {
        stamp_[route] = tick_;
        index_[route] = static_cast<std::int32_t>(candidates_.size());
        candidates_.push_back({cost, route, after, none, state_.slack(route)});
        return;
    }
    Candidate& known = candidates_[index_[route]];
    if (cost < known.cost) {
        known.cost = cost;
        known.after = after;
    }
}

template <class Policy>
void Inserter<Policy>::scan(int site, int route) {
    const Instance::Legs legs(state_.instance, site);
    Cost cheapest = budget_, from = legs.from(state_[route].site);
    int at = route, after = none;
    do {
        const int next = state_[at].next, next_site = state_.arrival_site(next, route);
        const Cost to = legs.to(next_site), cost = from + to - state_[at].leg;
        from = state_.instance.is_symmetric() ? to : legs.from(next_site);
        if constexpr (Policy::is_rich) {
            consider(route, at, cost);
        } else if (cost < cheapest) {
            cheapest = cost;
            after = at;
        }
        at = next;
    } while (at != route);
    if (after != none) consider(route, after, cheapest);
}

template <class Policy>
void Inserter<Policy>::collect_candidates(int item, int site) {
    candidates_.clear();
    ++tick_;
    const Instance& instance = state_.instance;
    for (int v = state_.first_visit(site); v != none; v = state_[v].next_at_site) {
        const int route = state_[v].route;
        if (stamp_[route] == tick_) continue;
        stamp_[route] = tick_;
        index_[route] = static_cast<std::int32_t>(candidates_.size());
        int room = state_.slack(route);
        if constexpr (Policy::is_rich) room = std::min(room, state_.extendable(v, quantity_));
        candidates_.push_back({0, route, v, v, room});
    }
    const Instance::Legs legs(instance, site);
    const std::int32_t* neighbours = instance.neighbours(site);
    const std::int32_t* to = instance.from_neighbours(site);
    const std::int32_t* from = instance.to_neighbours(site);
    const int count = std::min(neighbours_, instance.neighbour_count());
    for (int k = 0; k < count; ++k) {
        for (int v = state_.first_visit(neighbours[k]); v != none; v = state_[v].next_at_site) {
            const Node& node = state_[v];
            if (scanned_stamp_[node.route] == scanned_tick_ || blinks()) continue;
            const int behind = state_.arrival_site(node.next, node.route);
            consider(node.route, v, to[k] + legs.to(behind) - node.leg);
            const Node& before = state_[node.prev];
            consider(node.route, node.prev, legs.from(before.site) + from[k] - before.leg);
        }
    }
    if constexpr (!Policy::is_rich)
        for (int k = 0; k < settings_.probes; ++k) probe(item, site);
    for (int route : scanned_)
        if (state_.length(route) > 0) scan(site, route);
    if constexpr (Policy::is_rich) {
        consider_new_trips(site);
    } else {
        if (state_.active_routes() >= max_routes_) return;
        const int empty = state_.empty_route();
        consider(empty, empty, state_.insertion(site, empty));
    }
}

// Considers positions next to an item that is far away along the space-filling curve, by a number that is
// drawn from all orders of magnitude. In dense clusters no neighbour leads to another cluster.
template <class Policy>
void Inserter<Policy>::probe(int item, int site)
    requires(!Policy::is_rich)
{
    if (probe_distances_.empty()) return;
    const Instance& instance = state_.instance;
    const int items = instance.items(), distance = probe_distances_[random_.below(probe_quantiles)];
    const int other = (item + (random_.below(2) ? distance : items - distance)) % items;
    const int first = state_.first_visit(instance.item(other).site);
    for (int v = first; v != none; v = state_[v].next_at_site)
        for (int before : {v, static_cast<int>(state_[v].prev)})
            consider(state_[v].route, before, state_.insertion(site, before));
}

template <class Policy>
Inserter<Policy>::Candidate* Inserter<Policy>::cheapest_whole(int quantity) {
    Candidate* best = nullptr;
    for (Candidate& c : candidates_)
        if (c.room >= quantity && (!best || c.cost < best->cost)) best = &c;
    return best;
}

// The cheapest set of routes that together take the quantity, if it costs less than `limit`.
template <class Policy>
bool Inserter<Policy>::find_cheapest_parts(int quantity, Cost limit) {
    list_options(limit);
    best_cost_ = limit;
    best_size_ = 0;
    // First with the room there is, which is quick: only cheaper options are asked for transfer chains.
    search_parts(0, 0, 0, quantity);
    if (uses_chains_ && extend_room(quantity)) search_parts(0, 0, 0, quantity);
    return best_size_ > 0;
}

// The candidates that cost less than `limit`, cheapest first, as many as are worth combining.
template <class Policy>
void Inserter<Policy>::list_options(Cost limit) {
    keys_.clear();
    for (int k = 0; k < static_cast<int>(candidates_.size()); ++k)
        if (candidates_[k].cost < limit) keys_.push_back(candidates_[k].cost * key_scale + k);
    option_count_ = static_cast<int>(std::min<std::ptrdiff_t>(std::ssize(keys_), max_options));
    if (option_count_ < std::ssize(keys_))
        std::nth_element(keys_.begin(), keys_.begin() + option_count_, keys_.end());
    std::sort(keys_.begin(), keys_.begin() + option_count_);
    for (int k = 0; k < option_count_; ++k) {
        const auto index = static_cast<std::int32_t>(keys_[k] & (key_scale - 1));
        options_[k] = {candidates_[index].cost, candidates_[index].room, index};
    }
}

// Adds the room that transfer chains could make; returns whether there is any.
template <class Policy>
bool Inserter<Policy>::extend_room(int quantity) {
    bool extended = false;
    chains_.forget();
    const int count = std::min(option_count_, max_chained_options);
    for (int k = 0; k < count && options_[k].cost < best_cost_; ++k) {
        Candidate& candidate = candidates_[options_[k].candidate];
        if (candidate.room >= quantity || state_.length(candidate.route) == 0) continue;
        const int extra = chains_.available(candidate.route, quantity - candidate.room);
        if (extra == 0) continue;
        extended = true;
        options_[k].room = candidate.room += extra;
        if (candidate.room >= quantity) break;  // later options cost more
    }
    return extended;
}

template <class Policy>
void Inserter<Policy>::search_parts(int from, int depth, Cost cost, int quantity) {
    for (int k = from; k < option_count_; ++k) {
        const Option& option = options_[k];
        const Cost with = cost + option.cost;
        if (with >= best_cost_) return;  // sorted: later options cost no less
        if (option.room <= 0) continue;
        chosen_[depth] = option.candidate;
        if (option.room >= quantity) {
            best_cost_ = with;
            best_size_ = depth + 1;
            best_ = chosen_;
            return;
        }
        if (depth + 1 < max_parts) search_parts(k + 1, depth + 1, with, quantity - option.room);
    }
}

template <class Policy>
bool Inserter<Policy>::insert(int item, int quantity, Cost budget) {
    if constexpr (Policy::is_rich) return insert_with_rules(item, quantity, budget);
    const int site = state_.instance.item(item).site;
    const int capacity = state_.instance.capacity();
    for (; quantity > capacity; quantity -= capacity) {
        if (state_.active_routes() >= max_routes_) return false;
        state_.add(item, capacity, state_.empty_route());
    }
    budget_ = budget;
    collect_candidates(item, site);
    chains_.protect(site);
    removals_ = state_.removals();
    const Candidate* whole = cheapest_whole(quantity);
    if (!state_.instance.allows_splitting() || (whole && whole->cost == 0)) {
        if (!whole) return false;
        place(*whole, item, quantity);
        return true;
    }
    const Candidate alone = whole ? *whole : Candidate{budget, none, none, none, 0};
    if (find_cheapest_parts(quantity, alone.cost)) return place_parts(item, quantity);
    if (!whole) return false;
    place(alone, item, quantity);
    return true;
}

template <class Policy>
bool Inserter<Policy>::insert_anywhere(int item, int quantity) {
    const int site = state_.instance.item(item).site;
    while (quantity > 0 && state_.active_routes() < max_routes_) {
        const int part = std::min(quantity, state_.instance.capacity());
        state_.add(item, part, state_.empty_route());
        quantity -= part;
    }
    candidates_.clear();
    ++tick_;
    budget_ = unlimited;
    removals_ = state_.removals();
    for (int v = state_.first_visit(site); v != none; v = state_[v].next_at_site) {
        const int route = state_[v].route;
        stamp_[route] = tick_;
        index_[route] = static_cast<std::int32_t>(candidates_.size());
        candidates_.push_back({0, route, v, v, state_.slack(route)});
    }
    for (int k = 0; k < state_.active_routes(); ++k)
        if (state_.slack(state_.route(k)) > 0) scan(site, state_.route(k));
    std::stable_sort(candidates_.begin(), candidates_.end(),
                     [](const Candidate& a, const Candidate& b) { return a.cost < b.cost; });
    for (const Candidate& candidate : candidates_) {
        if (quantity == 0) break;
        quantity -= place(candidate, item, quantity);
    }
    return quantity == 0;
}

// Fills the chosen routes one after the other. Two routes may have counted on the same room for their
// transfer chains; what does not fit then is inserted elsewhere.
template <class Policy>
bool Inserter<Policy>::place_parts(int item, int quantity) {
    std::array<Candidate, max_parts> parts;
    const int size = best_size_;
    for (int k = 0; k < size; ++k) parts[k] = candidates_[best_[k]];
    for (int k = 0; k < size && quantity > 0; ++k) {
        const int wanted = std::min(quantity, parts[k].room) - state_.slack(parts[k].route);
        if (wanted > 0) chains_.make_room(parts[k].route, wanted);
        quantity -= place(parts[k], item, quantity);
    }
    if (quantity == 0) return true;
    uses_chains_ = false;
    const bool done = insert(item, quantity, unlimited);
    uses_chains_ = true;
    return done;
}

// Inserts as much of the quantity as there is room for; returns how much.
template <class Policy>
int Inserter<Policy>::place(const Candidate& candidate, int item, int quantity) {
    const int site = state_.instance.item(item).site, route = candidate.route;
    int after = candidate.after;
    if (state_.removals() != removals_ && candidate.visit == none) {  // the position may no longer exist
        candidates_.clear();
        ++tick_;
        budget_ = unlimited;
        scan(site, route);
        if constexpr (Policy::is_rich)
            if (candidates_.empty()) return 0;
        after = candidates_.front().after;
    }
    if constexpr (Policy::is_rich)
        if (candidate.upgrade.type != none) state_.change_type(route, candidate.upgrade.type);
    const int amount = std::min(quantity, state_.slack(route));
    if (amount <= 0) return 0;
    if (candidate.visit != none && state_.instance.allows_splitting())
        state_.change_quantity(candidate.visit, amount);
    else state_.add(item, amount, after);
    return amount;
}

template class Inserter<Plain>;
template class Inserter<Rich>;

}  // namespace splitroute
