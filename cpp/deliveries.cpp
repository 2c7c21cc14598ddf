// The parts of a rich state about quantities: what is undelivered, and what visits and trips may carry.
#include <algorithm>
#include <cmath>

#include "schedule.hpp"
#include "state.hpp"

namespace splitroute {

namespace {
constexpr double max_discount = 0.1;  // on the price of a unit on a trip below its minimum load
}

template <class Policy>
void State<Policy>::change_undelivered(int item, int amount)
    requires Policy::is_rich
{
    set(schedule_.undelivered[item], schedule_.undelivered[item] + amount);
    if (schedule_.rules.items[item].is_mandatory) set(schedule_.missing, schedule_.missing + amount);
    soil_item(item);
}

template <class Policy>
void State<Policy>::set_leniency(double share)
    requires Policy::is_rich
{
    schedule_.leniency = share;
    for (int i = 0; i < instance.items(); ++i)
        if (schedule_.undelivered[i] > 0) soil_item(i);
    for (int k = 0; k < active_; ++k)
        if (schedule_.short_load[order_[k]] > 0) touch(order_[k]);
    settle();
    commit();
}

template <class Policy>
Cost State<Policy>::driving_cost() const
    requires Policy::is_rich
{
    const Schedule& s = schedule_;
    Cost total = 0;
    for (int k = 0; k < active_; ++k) {
        const int r = order_[k];
        total += s.cost[r] - s.short_cost[r] - (s.prev_trip[r] == none ? vehicle(r).fixed_cost : 0);
    }
    return total;
}

template <class Policy>
void State<Policy>::settle_item(int item)
    requires Policy::is_rich
{
    Schedule& s = schedule_;
    const ItemRules& rule = s.rules.items[item];
    const int demand = instance.item(item).demand;
    int visits = 0, odd = 0;
    bool legal = true;
    if (instance.allows_splitting()) {
        for (int v = first_[instance.item(item).site]; v != none; v = nodes_[v].next_at_site) {
            ++visits;
            const int q = nodes_[v].quantity;
            if (q == demand) continue;
            if (q < rule.min_drop) legal = false;
            if (q % rule.lot != 0) {
                ++odd;
                if (q % rule.lot != demand % rule.lot) legal = false;
            }
        }
        if (odd > 1 || visits > rule.max_visits) legal = false;
    }
    const double rate = rule.is_mandatory ? s.leniency * rule.penalty : rule.penalty;
    const Cost penalty = std::llround(rate * s.undelivered[item]);
    const Cost cost = rule.extra_visit_cost * std::max(0, visits - 1) + penalty;
    if (rule.is_mandatory && penalty != s.item_penalty[item]) {
        set(s.missing_cost, s.missing_cost + penalty - s.item_penalty[item]);
        set(s.item_penalty[item], penalty);
    }
    if (cost != s.item_cost[item]) {
        cost_ += cost - s.item_cost[item];
        set(s.item_cost[item], cost);
    }
    if (legal == (s.is_illegal[item] != 0)) {
        set(s.is_illegal[item], legal ? 0 : 1);
        set(s.broken, s.broken + (legal ? -1 : 1));
    }
}

// What a short trip carries is as good as undelivered. The fuller it is, the less a unit costs: filling it
// up is better than leaving a unit behind.
template <class Policy>
Cost State<Policy>::short_trip_cost(const VehicleType& vehicle, int load) const
    requires Policy::is_rich
{
    if (load >= vehicle.min_load) return 0;
    const double price = 1 - max_discount * load / vehicle.min_load;
    return std::llround(schedule_.leniency * schedule_.rules.short_trip_penalty * load * price);
}

template <class Policy>
void State<Policy>::set_short_load(int route, int units)
    requires Policy::is_rich
{
    Schedule& s = schedule_;
    const Cost cost = units > 0 ? short_trip_cost(vehicle(route), units) : 0;
    if (units == s.short_load[route] && cost == s.short_cost[route]) return;
    set(s.missing, s.missing + units - s.short_load[route]);
    set(s.missing_cost, s.missing_cost + cost - s.short_cost[route]);
    set(s.short_load[route], units);
    set(s.short_cost[route], cost);
}

template void State<Rich>::change_undelivered(int, int);
template void State<Rich>::set_leniency(double);
template Cost State<Rich>::driving_cost() const;
template void State<Rich>::settle_item(int);
template Cost State<Rich>::short_trip_cost(const VehicleType&, int) const;
template void State<Rich>::set_short_load(int, int);

}  // namespace splitroute
