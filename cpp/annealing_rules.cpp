// The parts of the search that only rich instances need: vehicle types, and fleets that are too small.
#include <algorithm>
#include <cmath>

#include "annealing.hpp"

namespace splitroute {

namespace {
constexpr double tight_fleet = 1.2;     // times the demand
constexpr double first_leniency = 4;    // mean edges for not delivering a mean demand
constexpr int leniency_interval = 100;  // iterations
constexpr double leniency_step = 1.2, min_complete = 0.2, max_complete = 0.5;
}  // namespace

// Gives vehicles of another type to routes where that is cheaper.
template <class Policy>
void Annealing<Policy>::improve_types()
    requires Policy::is_rich
{
    const auto& types = instance_.rules().types;
    if (types.size() <= 1) return;
    for (int route : ruin_.routes()) {
        if (state_.length(route) == 0 || !state_.is_only_trip(route)) continue;
        improve_type(route);
    }
}

template <class Policy>
bool Annealing<Policy>::improve_type(int route)
    requires Policy::is_rich
{
    const auto& types = instance_.rules().types;
    const int first = state_[state_[route].next].site, last = state_[state_[route].prev].site;
    const VehicleType& now = state_.vehicle(route);
    const Cost inside = state_.route_distance(route) - instance_.distance(now.start, first) -
                        instance_.distance(last, now.end);
    auto cost_with = [&](const VehicleType& v) {
        const Cost distance = inside + instance_.distance(v.start, first) + instance_.distance(last, v.end);
        return v.fixed_cost + std::llround(v.cost_per_distance * static_cast<double>(distance));
    };
    int best = none;
    Cost best_cost = cost_with(now);
    for (int t = 0; t < static_cast<int>(types.size()); ++t) {
        if (t == state_.type(route) || types[t].capacity < state_.load(route) ||
            state_.spare_vehicles(t) <= 0)
            continue;
        if (const Cost cost = cost_with(types[t]); cost < best_cost) best = t, best_cost = cost;
    }
    if (best == none) return false;
    const auto before = state_.mark();
    state_.change_type(route, best);
    if (state_.settle() && state_.cost() < before.cost) return true;
    state_.undo_to(before);
    return false;
}

// Two vehicles of different types exchange all of their visits.
template <class Policy>
bool Annealing<Policy>::swap_types(int a)
    requires Policy::is_rich
{
    const int b = state_.route(random_.below(state_.active_routes()));
    const int type_a = state_.type(a), type_b = state_.type(b);
    if (type_a == type_b || !state_.is_only_trip(b)) return false;
    if (state_.load(a) > state_.capacity(b) || state_.load(b) > state_.capacity(a)) return false;
    const double limit = random_threshold();
    const auto before = state_.mark();
    state_.change_type(a, type_b);
    state_.change_type(b, type_a);
    if (state_.settle() && static_cast<double>(state_.cost() - before.cost) < limit) return true;
    state_.undo_to(before);
    return false;
}

// Whether the fleet is so small that what is delivered is hard to decide.
template <class Policy>
bool Annealing<Policy>::is_tight() const
    requires Policy::is_rich
{
    if (state_.missing() > 0) return true;
    double room = 0;
    for (const VehicleType& type : instance_.rules().types) {
        if (type.min_load > 0) return true;
        room += static_cast<double>(type.total_capacity()) * type.count;
    }
    return room < tight_fleet * static_cast<double>(instance_.total_demand());
}

// Whether it matters which optional demand is left.
template <class Policy>
bool Annealing<Policy>::has_several_penalties() const
    requires Policy::is_rich
{
    const ItemRules* before = nullptr;
    for (const ItemRules& item : instance_.rules().items) {
        if (item.is_mandatory) continue;
        if (before && item.penalty != before->penalty) return true;
        before = &item;
    }
    return false;
}

// At first, leaving a mean quantity undelivered costs about as much as a few detours.
template <class Policy>
void Annealing<Policy>::initialize_leniency()
    requires Policy::is_rich
{
    complete_ = since_adapted_ = 0;
    leniency_ = 1;
    if (is_tight_) {
        double penalties = 0;
        for (int i = 0; i < instance_.items(); ++i)
            penalties += instance_.rules().items[i].penalty * instance_.item(i).demand;
        leniency_ = std::min(1.0, first_leniency * mean_edge_ * instance_.items() / std::max(1.0, penalties));
    }
    state_.set_leniency(leniency_);
}

// So that the search is sometimes, but not always, at solutions that deliver everything.
template <class Policy>
void Annealing<Policy>::adapt_leniency()
    requires Policy::is_rich
{
    complete_ += state_.missing() == 0;
    if (++since_adapted_ < leniency_interval) return;
    const double share = static_cast<double>(complete_) / since_adapted_;
    if (share < min_complete) leniency_ = std::min(1.0, leniency_ * leniency_step);
    if (share > max_complete) leniency_ /= leniency_step;
    state_.set_leniency(leniency_);
    since_adapted_ = complete_ = 0;
}

// Without the trips below their minimum load, if any could not be avoided: what they carry counts as
// undelivered.
template <class Policy>
void Annealing<Policy>::drop_short_trips(Routes& routes) const
    requires Policy::is_rich
{
    std::erase_if(routes, [&](const Route& route) {
        std::int64_t load = 0;
        for (const Visit& visit : route) load += visit.quantity;
        return load < instance_.rules().types[route.type].min_load;
    });
}

template void Annealing<Rich>::improve_types();
template bool Annealing<Rich>::improve_type(int);
template bool Annealing<Rich>::swap_types(int);
template bool Annealing<Rich>::is_tight() const;
template bool Annealing<Rich>::has_several_penalties() const;
template void Annealing<Rich>::initialize_leniency();
template void Annealing<Rich>::adapt_leniency();
template void Annealing<Rich>::drop_short_trips(Routes&) const;

}  // namespace splitroute
