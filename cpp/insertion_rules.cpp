// The insertion of an item where there are rules: which parts of it go where, and what is left.
#include <algorithm>
#include <cmath>
#include <limits>

#include "insertion.hpp"

namespace splitroute {

// Delivers what pays and leaves the rest undelivered. Parts are placed until nothing more can be, since
// only a few of them are combined at a time.
template <class Policy>
bool Inserter<Policy>::insert_with_rules(int item, int quantity, Cost budget)
    requires Policy::is_rich
{
    const int site = state_.instance.item(item).site;
    const ItemRules& rule = rules().items[item];
    const double penalty = state_.penalty(item);
    state_.settle();
    const Cost before = state_.cost();
    budget = std::min(budget, never);  // so that differences do not overflow
    item_ = item;
    uses_chains_ = state_.instance.allows_splitting();
    // Often several customers together are worth a trip that none of them is worth alone.
    insists_ = random_.below(insistence_interval) == 0;
    for (int attempt = 0; attempt < max_attempts && quantity > 0; ++attempt) {
        quantity_ = quantity;
        const Cost leaving = std::llround(penalty * quantity);
        budget_ = budget - (state_.cost() - before);
        if (!insists_) budget_ = std::min(budget_, leaving);
        visits_ = state_.visit_count(site);
        min_part_ = wasted_room_.min_part(item, state_.instance.item(item).demand);
        extra_ = visits_ > 0 ? rule.extra_visit_cost : 0;
        extra_later_ = rule.extra_visit_cost - extra_;
        may_upgrade_ =
            rules().types.size() > 1 && (!state_.instance.allows_splitting() || random_.below(2) == 0);
        collect_candidates(item, site);
        chains_.protect(site);
        removals_ = state_.removals();
        const int placed = place_cheapest_parts(quantity);
        if (placed == 0) break;
        quantity -= placed;
    }
    if (quantity > 0) {
        state_.change_undelivered(item, quantity);
        state_.settle();
    }
    return state_.cost() - before < budget;
}

// Places what is cheapest, and what is allowed once times are known; returns how much.
template <class Policy>
int Inserter<Policy>::place_cheapest_parts(int quantity)
    requires Policy::is_rich
{
    const auto before = state_.mark();
    while (choose_parts(quantity) || choose_part_per_unit(quantity)) {
        std::array<Candidate, max_parts> parts;
        const std::array<int, max_parts> chosen = best_;
        const int size = best_size_;
        for (int k = 0; k < size; ++k) parts[k] = candidates_[chosen[k]];
        int left = quantity, failed = none;
        for (int k = 0; k < size && failed == none; ++k) {
            const int wanted = std::min(left, parts[k].room) - state_.slack(parts[k].route);
            if (wanted > 0 && parts[k].upgrade.type == none) chains_.make_room(parts[k].route, wanted);
            const bool is_last = k + 1 == size;
            const int amount = is_last && leaves_rest_ ? last_part(parts[k], left) : part_of(parts[k], left);
            const int placed = place(parts[k], item_, amount);
            left -= placed;
            if (placed == 0 || !state_.settle()) failed = k;
        }
        if (failed == none) return quantity - left;
        const bool is_outdated = state_.removals() != removals_;
        state_.undo_to(before);
        uses_chains_ = false;  // they would give room again to what has failed
        if (is_outdated) {     // they have removed visits: the candidates are no longer what they were
            collect_candidates(item_, state_.instance.item(item_).site);
        } else {
            candidates_[chosen[failed]].room = 0;
        }
        removals_ = state_.removals();
    }
    return 0;
}

// The cheapest set of parts, with the penalty for what it leaves and the price of room that it wastes. Of
// mandatory items it leaves nothing.
template <class Policy>
bool Inserter<Policy>::choose_parts(int quantity)
    requires Policy::is_rich
{
    wasted_room_.draw_price(random_);
    best_cost_ = wasted_room_.has_price() ? never : budget_;
    best_size_ = 0;
    leaves_rest_ = false;
    const bool splits = state_.instance.allows_splitting();
    for (int k = 0; k < static_cast<int>(candidates_.size()); ++k) {
        const Candidate& c = candidates_[k];
        if (c.room < quantity || c.cost >= budget_ || !may_visit(c, 0)) continue;
        const Cost cost = c.cost + price_of_waste(c, quantity);
        if (cost >= best_cost_) continue;
        best_cost_ = cost;
        best_size_ = 1;
        best_[0] = k;
    }
    if (!splits || best_cost_ == 0) return best_size_ > 0;
    list_options(std::min(budget_, best_cost_));
    search_parts_with_rules(0, 0, 0, quantity, 0);
    if (uses_chains_ && extend_room(quantity)) search_parts_with_rules(0, 0, 0, quantity, 0);
    return best_size_ > 0;
}

// Of a quantity that is too large for a few parts, the part that is cheapest per unit.
template <class Policy>
bool Inserter<Policy>::choose_part_per_unit(int quantity)
    requires Policy::is_rich
{
    if (!state_.instance.allows_splitting()) return false;
    double best_rate = insists_ ? std::numeric_limits<double>::max() : state_.penalty(item_);
    best_size_ = 0;
    leaves_rest_ = true;
    for (int k = 0; k < static_cast<int>(candidates_.size()); ++k) {
        const Candidate& c = candidates_[k];
        const int part = may_visit(c, 0) ? last_part(c, quantity) : 0;
        if (part <= 0 || part > c.room) continue;
        const double rate = static_cast<double>(c.cost) / part;
        if (rate >= best_rate) continue;
        best_rate = rate;
        best_size_ = 1;
        best_[0] = k;
    }
    return best_size_ > 0;
}

template <class Policy>
void Inserter<Policy>::search_parts_with_rules(int from, int depth, Cost cost, int quantity, int new_visits)
    requires Policy::is_rich
{
    const ItemRules& rule = rules().items[item_];
    for (int k = from; k < option_count_; ++k) {
        const Option& option = options_[k];
        if (cost + option.cost >= best_cost_) return;  // sorted: later options cost no less
        const Candidate& candidate = candidates_[option.candidate];
        if (candidate.room <= 0 || !may_visit(candidate, new_visits)) continue;
        const bool is_new = candidate.visit == none;
        const Cost with = cost + option.cost + (is_new && new_visits > 0 ? extra_later_ : 0);
        if (with >= best_cost_) continue;
        chosen_[depth] = option.candidate;
        auto keep = [&](Cost total, bool leaves_rest) {
            if (total >= best_cost_) return;
            best_cost_ = total;
            best_size_ = depth + 1;
            best_ = chosen_;
            leaves_rest_ = leaves_rest;
        };
        const int part = part_of(candidate, quantity);
        if (part >= quantity) {
            keep(with + price_of_waste(candidate, part), false);
            continue;
        }
        if (!rule.is_mandatory && !insists_)
            if (const int last = last_part(candidate, quantity); last > 0)
                keep(with + std::llround(rule.penalty * (quantity - last)), true);
        if (part > 0 && depth + 1 < max_parts)
            search_parts_with_rules(k + 1, depth + 1, with + price_of_waste(candidate, part), quantity - part,
                                    new_visits + is_new);
    }
}

// Negative where a part makes use of room that was wasted before.
template <class Policy>
Cost Inserter<Policy>::price_of_waste(const Candidate& candidate, int part) const
    requires Policy::is_rich
{
    if (!wasted_room_.has_price()) return 0;
    const int route = candidate.route, slack = state_.slack(route);
    const int before = state_.length(route) > 0 ? wasted_room_.wasted(slack) : 0;
    const int wasted = wasted_room_.wasted(std::max(0, slack - part)) - before;
    if (wasted == 0) return 0;
    const VehicleType& vehicle = state_.vehicle(route);
    const Cost trip = 2 * state_.instance.distance(vehicle.start, state_.instance.item(item_).site);
    return std::llround(wasted_room_.price() * wasted * static_cast<double>(state_.priced(route, trip)) /
                        vehicle.capacity);
}

template <class Policy>
bool Inserter<Policy>::may_visit(const Candidate& candidate, int new_visits) const
    requires Policy::is_rich
{
    return candidate.visit != none || visits_ + new_visits < rules().items[item_].max_visits;
}

// The largest part of a quantity that a route may take if the rest is delivered by others.
template <class Policy>
int Inserter<Policy>::part_of(const Candidate& candidate, int quantity) const
    requires Policy::is_rich
{
    if (candidate.room >= quantity) return quantity;
    const ItemRules& rule = rules().items[item_];
    int part = std::min(candidate.room, quantity - min_part_);
    part -= part % rule.lot;
    return candidate.visit == none && part < rule.min_drop ? 0 : std::max(0, part);
}

// The same if the rest is left undelivered.
template <class Policy>
int Inserter<Policy>::last_part(const Candidate& candidate, int quantity) const
    requires Policy::is_rich
{
    if (candidate.room >= quantity) return quantity;
    const ItemRules& rule = rules().items[item_];
    const int part = candidate.room - candidate.room % rule.lot;
    return candidate.visit == none && part < rule.min_drop ? 0 : std::max(0, part);
}

template <class Policy>
void Inserter<Policy>::consider_with_rules(int route, int after, Cost cost)
    requires Policy::is_rich
{
    if (cost >= budget_) return;
    if (stamp_[route] == tick_) {
        Candidate& known = candidates_[index_[route]];
        cost += known.upgrade.cost;
        if (cost >= known.cost || known.visit != none) return;
        const int room = std::min(known.upgrade.limit, state_.servable(item_, after, quantity_));
        if (room < std::min(quantity_, known.room)) return;
        known.room = room;
        known.cost = cost;
        known.after = after;
        return;
    }
    const int servable = state_.servable(item_, after, quantity_);
    if (servable <= 0) return;
    Candidate candidate{cost, route, after, none, state_.slack(route)};
    candidate.upgrade.limit = candidate.room;
    if (candidate.room < quantity_ && may_upgrade_) find_upgrade(candidate);
    candidate.room = std::min(candidate.room, servable);
    if (candidate.cost >= budget_) return;
    stamp_[route] = tick_;
    index_[route] = static_cast<std::int32_t>(candidates_.size());
    candidates_.push_back(candidate);
}

// The cheapest larger vehicle that takes the whole quantity on top of what the route carries.
template <class Policy>
void Inserter<Policy>::find_upgrade(Candidate& candidate) const
    requires Policy::is_rich
{
    const int route = candidate.route, load = state_.load(route);
    if (!state_.is_only_trip(route)) return;
    const VehicleType& now = state_.vehicle(route);
    const auto distance = static_cast<double>(state_.route_distance(route));
    for (int t = 0; t < static_cast<int>(rules().types.size()); ++t) {
        const VehicleType& other = rules().types[t];
        if (other.capacity < load + quantity_ || state_.spare_vehicles(t) <= 0) continue;
        if (other.start != now.start || other.end != now.end || t == state_.type(route)) continue;
        const Cost more = (state_.length(route) ? other.fixed_cost - now.fixed_cost : 0) +
                          std::llround((other.cost_per_distance - now.cost_per_distance) * distance);
        if (candidate.upgrade.type != none && more >= candidate.upgrade.cost) continue;
        candidate.upgrade.type = t;
        candidate.upgrade.cost = more;
        candidate.room = candidate.upgrade.limit = other.capacity - load;
    }
    candidate.cost += candidate.upgrade.cost;
}

// What a visit costs besides the detour.
template <class Policy>
Cost Inserter<Policy>::price_of_visit(int route, int after) const
    requires Policy::is_rich
{
    const VehicleType& vehicle = state_.vehicle(route);
    Cost cost = extra_;
    if (state_.length(route) == 0 && state_.is_only_trip(route)) cost += vehicle.fixed_cost;
    if (vehicle.min_load > 0) {
        const int load = state_.load(route);
        cost += state_.short_trip_cost(vehicle, load + quantity_) - state_.short_trip_cost(vehicle, load);
    }
    if (vehicle.cost_per_time > 0) {
        const ItemRules& rule = rules().items[item_];
        const int site = state_.instance.item(item_).site, from = state_[after].site;
        const int to = state_.arrival_site(state_[after].next, route);
        const Time longer = state_.duration(from, site) + state_.duration(site, to) -
                            state_.duration(from, to) + rule.service + rule.service_per_unit * quantity_;
        cost += std::llround(vehicle.cost_per_time * static_cast<double>(longer));
    }
    return cost;
}

// The first trips of new vehicles, one per type, and further trips of vehicles in use.
template <class Policy>
void Inserter<Policy>::consider_new_trips(int site)
    requires Policy::is_rich
{
    int used = 0;
    const auto count = static_cast<int>(rules().types.size());
    // The cheapest type for one visit is often too small for the next ones, so that types are drawn:
    // routes get the best one for what they serve later.
    const int only = count > 1 && random_.below(new_type_interval) != 0 ? random_.below(count) : none;
    for (int k = 0; k < count; ++k) {
        const int t = only == none ? k : (only + k) % count;
        const VehicleType& vehicle = rules().types[t];
        if (!(rules().items[item_].types >> t & 1)) continue;
        // As many as it takes to deliver the quantity with this type alone.
        int room = 0;
        bool found = false;
        for (int copies = 0; copies < max_parts && room < quantity_; ++copies) {
            if (state_.spare_vehicles(t) <= copies || !consider_trip(site, used, t, none)) break;
            room += candidates_.back().room;
            found = room >= quantity_;
            if (!state_.instance.allows_splitting()) break;
        }
        if (vehicle.max_trips > 1) {
            const int active = state_.active_routes(), tries = std::min(active, max_trips_tried);
            const int first = active > 0 ? random_.below(active) : 0;
            for (int j = 0; j < tries; ++j) {
                const int before = state_.route((first + j) % active);
                if (state_.type(before) != t || state_.trips(before) >= vehicle.max_trips) continue;
                if (!consider_trip(site, used, t, before)) continue;
                found = true;
                break;
            }
        }
        if (found && only != none) break;
    }
}

template <class Policy>
bool Inserter<Policy>::consider_trip(int site, int& used, int type, int after_trip)
    requires Policy::is_rich
{
    const int route = state_.empty_route(used);
    state_.prepare(route, type, after_trip);
    const std::size_t before = candidates_.size();
    consider(route, route,
             state_.instance.distance(state_[route].site, site) +
                 state_.instance.distance(site, rules().types[type].end));
    if (candidates_.size() == before) return false;
    ++used;
    return true;
}

template bool Inserter<Rich>::insert_with_rules(int, int, Cost);
template void Inserter<Rich>::consider_with_rules(int, int, Cost);
template Cost Inserter<Rich>::price_of_visit(int, int) const;
template void Inserter<Rich>::consider_new_trips(int);

}  // namespace splitroute
