// Cycles of the search that try to do with a cheaper fleet.
//
// Where vehicles cost much, annealing alone hardly ever changes how many of each type there are: on the
// way from three large ones to four small ones it would have to pay for a fifth of them.
#include <algorithm>

#include "annealing.hpp"
#include "fleet_mix.hpp"

namespace splitroute {

// Every other cycle but the last uses a cheaper fleet than the best solution, as if there were no other
// vehicles. What they cannot carry at first is undelivered, as where the fleet is too small.
template <class Policy>
void Annealing<Policy>::choose_fleet()
    requires Policy::is_rich
{
    if (cycle_ % 2 == 0 || cycle_ + 1 == schedule_.cycles() || state_.missing() > 0) return;
    const std::vector<int> fleet = cheaper_fleet();
    if (fleet.empty()) return;
    has_cheaper_fleet_ = is_tight_ = true;
    state_.set_max_vehicles(fleet);
    take_out_of_use(fleet);
    initialize_leniency();
}

template <class Policy>
void Annealing<Policy>::restore_fleet()
    requires Policy::is_rich
{
    if (!has_cheaper_fleet_) return;
    has_cheaper_fleet_ = false;
    std::vector<int> fleet;
    for (const VehicleType& type : instance_.rules().types) fleet.push_back(type.count);
    state_.set_max_vehicles(fleet);
    is_tight_ = is_fleet_tight_;
    initialize_leniency();
}

// At first the cheapest vehicles that carry everything; windows may need more of them, so that later it
// is one vehicle less. Empty if there is nothing to save.
template <class Policy>
std::vector<int> Annealing<Policy>::cheaper_fleet()
    requires Policy::is_rich
{
    const auto& types = instance_.rules().types;
    const auto count = static_cast<int>(types.size());
    std::vector<int> fleet(count), costly;
    std::int64_t spare = -instance_.total_demand();
    for (int t = 0; t < count; ++t) {
        fleet[t] = state_.vehicles(t);
        spare += fleet[t] * types[t].total_capacity();
    }
    if (!has_tried_cheapest_) {
        has_tried_cheapest_ = true;
        if (auto cheapest = cheapest_fleet(fleet); !cheapest.empty()) return cheapest;
    }
    for (int t = 0; t < count; ++t)
        if (fleet[t] > 0 && static_cast<double>(types[t].fixed_cost) > mean_edge_ &&
            types[t].total_capacity() <= spare)
            costly.push_back(t);
    if (costly.empty()) return {};
    --fleet[costly[random_.below(static_cast<int>(costly.size()))]];
    return fleet;
}

// With the present mean distance per vehicle; empty if the present fleet costs hardly more.
template <class Policy>
std::vector<int> Annealing<Policy>::cheapest_fleet(const std::vector<int>& present) const
    requires Policy::is_rich
{
    const auto& types = instance_.rules().types;
    double distance = 0, vehicles = 0, saving = 0;
    for (int k = 0; k < state_.active_routes(); ++k)
        distance += static_cast<double>(state_.route_distance(state_.route(k)));
    for (int used : present) vehicles += used;
    std::vector<double> prices;
    prices.reserve(types.size());
    for (const VehicleType& type : types)
        prices.push_back(static_cast<double>(type.fixed_cost) +
                         type.cost_per_distance * distance / std::max(1.0, vehicles));
    auto fleet = cheapest_mix(types, prices, instance_.total_demand());
    for (std::size_t t = 0; t < fleet.size(); ++t) saving += prices[t] * (present[t] - fleet[t]);
    if (saving <= mean_edge_) fleet.clear();
    return fleet;
}

// Empties the trips with the least load of the vehicles that are too many.
template <class Policy>
void Annealing<Policy>::take_out_of_use(const std::vector<int>& fleet)
    requires Policy::is_rich
{
    std::vector<int> by_load;
    by_load.reserve(state_.active_routes());
    for (int k = 0; k < state_.active_routes(); ++k) by_load.push_back(state_.route(k));
    std::stable_sort(by_load.begin(), by_load.end(),
                     [&](int a, int b) { return state_.load(a) < state_.load(b); });
    for (int route : by_load) {
        const int type = state_.type(route);
        if (state_.vehicles(type) <= fleet[type]) continue;
        while (state_.length(route) > 0) {
            const Node visit = state_[state_[route].next];
            state_.remove(state_[route].next);
            state_.change_undelivered(visit.item, visit.quantity);
        }
    }
    state_.settle();
    state_.commit();
}

template void Annealing<Rich>::choose_fleet();
template void Annealing<Rich>::restore_fleet();

}  // namespace splitroute
