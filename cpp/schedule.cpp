// The parts of a rich state that keep times and costs up to date.
#include "schedule.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "state.hpp"

namespace splitroute {

template <class Policy>
void State<Policy>::clear_schedule()
    requires Policy::is_rich
{
    Schedule& s = schedule_;
    std::fill(s.type.begin(), s.type.end(), 0);
    std::fill(s.next_trip.begin(), s.next_trip.end(), none);
    std::fill(s.prev_trip.begin(), s.prev_trip.end(), none);
    std::fill(s.is_broken.begin(), s.is_broken.end(), 0);
    std::fill(s.vehicles.begin(), s.vehicles.end(), 0);
    std::fill(s.undelivered.begin(), s.undelivered.end(), 0);
    std::fill(s.is_illegal.begin(), s.is_illegal.end(), 0);
    std::fill(s.short_load.begin(), s.short_load.end(), 0);
    std::fill(s.short_cost.begin(), s.short_cost.end(), 0);
    std::fill(s.cost.begin(), s.cost.end(), 0);
    std::fill(s.item_cost.begin(), s.item_cost.end(), 0);
    std::fill(s.item_penalty.begin(), s.item_penalty.end(), 0);
    s.broken = 0;
    s.missing = s.missing_cost = 0;
    s.dirty.clear();
    s.dirty_items.clear();
    ++s.tick;
    s.journal.clear();
}

template <class Policy>
Time State<Policy>::duration(int a, int b) const
    requires Policy::is_rich
{
    const Rules& rules = schedule_.rules;
    if (!rules.has_times) return 0;
    if (!rules.durations.empty()) return rules.durations[static_cast<std::size_t>(a) * instance.sites() + b];
    return std::llround(rules.time_per_distance * static_cast<double>(instance.distance(a, b)));
}

template <class Policy>
int State<Policy>::servable(int item, int before, int wanted) const
    requires Policy::is_rich
{
    const Schedule& s = schedule_;
    const Node& a = nodes_[before];
    const int route = a.route;
    const VehicleType& vehicle = this->vehicle(route);
    const ItemRules& rule = s.rules.items[item];
    if (!(rule.types >> s.type[route] & 1) || length_[route] >= vehicle.max_stops) return 0;
    const int site = instance.item(item).site, next = arrival_site(a.next, route);
    const Time to = duration(a.site, site), from = duration(site, next);
    const bool continues = continues_visit(item, before);
    const Time arrival = s.ready[before] + to, service = continues ? 0 : rule.service;
    const Time start = continues ? arrival : rule.windows.earliest(arrival);
    const Time slack = s.latest[a.next] - from - start - service;
    if (slack < 0) return 0;
    if (rule.service_per_unit > 0)
        wanted = static_cast<int>(std::min<Time>(wanted, slack / rule.service_per_unit));
    if (vehicle.max_distance < never) {
        const Cost longer = instance.distance(a.site, site) + instance.distance(site, next) - a.leg;
        if (s.distance[route] + longer > vehicle.max_distance) return 0;
    }
    if (vehicle.max_duration < never) {
        // Without waiting the duration grows by just this; with it, settle() has the last word.
        const Time longer = to + from - duration(a.site, next) + service;
        const Time left = vehicle.max_duration - s.duration[route] - longer;
        if (left < 0) return 0;
        if (rule.service_per_unit > 0)
            wanted = static_cast<int>(std::min<Time>(wanted, left / rule.service_per_unit));
    }
    return wanted;
}

template <class Policy>
int State<Policy>::extendable(int visit, int wanted) const
    requires Policy::is_rich
{
    const Schedule& s = schedule_;
    const Node& n = nodes_[visit];
    const ItemRules& rule = s.rules.items[n.item];
    if (rule.service_per_unit == 0) return wanted;
    Time left = s.latest[n.next] - duration(n.site, arrival_site(n.next, n.route)) - s.ready[visit];
    const VehicleType& vehicle = this->vehicle(n.route);
    if (vehicle.max_duration < never) left = std::min(left, vehicle.max_duration - s.duration[n.route]);
    return static_cast<int>(std::clamp<Time>(left / rule.service_per_unit, 0, wanted));
}

// Pieces of a customer in a row become one visit: only the first has to be in time, and takes the part of
// the service that does not depend on the quantity.
template <class Policy>
bool State<Policy>::continues_visit(int item, int before) const
    requires Policy::is_rich
{
    const auto& items = schedule_.rules.items;
    const int last = nodes_[before].item;
    return last != none && items[last].customer == items[item].customer;
}

template <class Policy>
Time State<Policy>::end_of_service(int visit, Time arrival) const
    requires Policy::is_rich
{
    const Node& n = nodes_[visit];
    const ItemRules& rule = schedule_.rules.items[n.item];
    const bool continues = continues_visit(n.item, n.prev);
    const Time start = continues ? arrival : rule.windows.earliest(arrival);
    if (start >= never) return never;
    return start + rule.service_per_unit * n.quantity + (continues ? 0 : rule.service);
}

template <class Policy>
Time State<Policy>::latest_start(int visit, Time end) const
    requires Policy::is_rich
{
    const Node& n = nodes_[visit];
    const ItemRules& rule = schedule_.rules.items[n.item];
    const bool continues = continues_visit(n.item, n.prev);
    const Time start = end - rule.service_per_unit * n.quantity - (continues ? 0 : rule.service);
    if (start <= -never / 2) return -never;
    return continues ? start : rule.windows.latest(start);
}

template <class Policy>
bool State<Policy>::settle()
    requires Policy::is_rich
{
    Schedule& s = schedule_;
    for (std::size_t k = 0; k < s.dirty.size(); ++k) {
        const int route = s.dirty[k];
        if (s.dirty_stamp[route] != s.tick) continue;  // settled with another trip of its vehicle
        if (length_[route] > 0) {
            int head = route;
            while (s.prev_trip[head] != none) head = s.prev_trip[head];
            settle_vehicle(head);
        } else if (s.cost[route] != 0 || s.is_broken[route]) {
            cost_ -= s.cost[route];
            set(s.cost[route], Cost{0});
            set_short_load(route, 0);
            if (s.is_broken[route]) {
                set(s.is_broken[route], 0);
                set(s.broken, s.broken - 1);
            }
        }
    }
    for (int item : s.dirty_items) settle_item(item);
    s.dirty.clear();
    s.dirty_items.clear();
    ++s.tick;
    // Several parts of a demand may each have been given the last vehicle of a type.
    for (std::size_t t = 0; t < s.vehicles.size(); ++t)
        if (s.vehicles[t] > s.max_vehicles[t]) return false;
    return s.broken == 0;
}

template <class Policy>
void State<Policy>::settle_vehicle(int head)
    requires Policy::is_rich
{
    Schedule& s = schedule_;
    const VehicleType& vehicle = this->vehicle(head);
    const bool has_times = s.rules.has_times;
    Time back = 0;  // when the vehicle is back from the trip before
    int trips = 0, last = head;
    for (int r = head; r != none; r = s.next_trip[r]) {
        s.dirty_stamp[r] = s.tick - 1;
        last = r;
        bool broken =
            ++trips > vehicle.max_trips || load_[r] > vehicle.capacity || length_[r] > vehicle.max_stops;
        Time now = back;
        if (has_times) {
            if (trips > 1) now += vehicle.loading + vehicle.loading_per_unit * load_[r];
            now = vehicle.departure.earliest(now);
            set(s.ready[r], now);
        }
        Cost distance = nodes_[r].leg;
        const std::uint64_t bit = std::uint64_t{1} << s.type[r];
        int site = vehicle.start;
        for (int v = nodes_[r].next; v != r; v = nodes_[v].next) {
            const Node& n = nodes_[v];
            broken |= !(s.rules.items[n.item].types & bit);
            distance += n.leg;
            if (!has_times) continue;
            now = end_of_service(v, now + duration(site, n.site));
            set(s.ready[v], now);
            site = n.site;
        }
        if (has_times) {
            now = now >= never ? never : vehicle.arrival.earliest(now + duration(site, vehicle.end));
            broken |= now >= never;
            set(s.returned[r], now);
        }
        set(s.distance[r], distance);
        broken |= distance > vehicle.max_distance;
        Cost cost = std::llround(vehicle.cost_per_distance * static_cast<double>(distance));
        if (r == head) cost += vehicle.fixed_cost;
        if (!broken && (vehicle.max_duration < never || vehicle.cost_per_time > 0)) {
            Time duration = now - latest_departure(r, now);
            if (s.rules.has_several_windows && s.next_trip[r] == none)
                std::tie(duration, now) = shortest_trip(r, duration, now);
            set(s.returned[r], now);
            set(s.duration[r], duration);
            broken |= duration > vehicle.max_duration;
            cost += std::llround(vehicle.cost_per_time * static_cast<double>(duration));
        }
        if (vehicle.min_load > 0) {
            set_short_load(r, load_[r] < vehicle.min_load ? load_[r] : 0);
            cost += s.short_cost[r];
        }
        cost_ += cost - s.cost[r];
        set(s.cost[r], cost);
        if (broken != (s.is_broken[r] != 0)) {
            set(s.is_broken[r], broken ? 1 : 0);
            set(s.broken, s.broken + (broken ? 1 : -1));
        }
        back = now;
    }
    if (has_times) settle_latest(last);
}

// The latest times on the trips of a vehicle, from its last trip back.
template <class Policy>
void State<Policy>::settle_latest(int last)
    requires Policy::is_rich
{
    Schedule& s = schedule_;
    const VehicleType& vehicle = this->vehicle(last);
    Time limit = never;
    for (int r = last; r != none; r = s.prev_trip[r]) {
        Time latest = vehicle.arrival.latest(limit);
        set(s.latest[r], latest);
        int next = vehicle.end;
        for (int v = nodes_[r].prev; v != r; v = nodes_[v].prev) {
            const Node& n = nodes_[v];
            latest = latest_start(v, latest - duration(n.site, next));
            set(s.latest[v], latest);
            next = n.site;
        }
        latest = vehicle.departure.latest(latest - duration(vehicle.start, next));
        limit = latest - vehicle.loading - vehicle.loading_per_unit * load_[r];
    }
}

// The latest departure with which a route still returns by `end`. Where nobody has several windows, it
// makes the trip with the earliest return the shortest.
template <class Policy>
Time State<Policy>::latest_departure(int route, Time end) const
    requires Policy::is_rich
{
    return latest_departure_before(route, end, vehicle(route).end);
}

// The latest departure with which one gets from the visits up to a node, to a site in time.
template <class Policy>
Time State<Policy>::latest_departure_before(int node, Time time, int site) const
    requires Policy::is_rich
{
    const VehicleType& vehicle = this->vehicle(nodes_[node].route);
    for (int v = nodes_[node].prev; nodes_[v].item != none; v = nodes_[v].prev) {
        const Node& n = nodes_[v];
        time = latest_start(v, time - duration(n.site, site));
        if (time <= -never) return -never;
        site = n.site;
    }
    return vehicle.departure.latest(time - duration(vehicle.start, site));
}

template <class Policy>
Time State<Policy>::return_after(int route, Time departure) const
    requires Policy::is_rich
{
    const VehicleType& vehicle = this->vehicle(route);
    Time now = departure;
    int site = vehicle.start;
    for (int v = nodes_[route].next; v != route; v = nodes_[v].next) {
        const Node& n = nodes_[v];
        now = end_of_service(v, now + duration(site, n.site));
        if (now >= never) return never;
        site = n.site;
    }
    return vehicle.arrival.earliest(now + duration(site, vehicle.end));
}

// With several windows a later return may make a trip shorter. The shortest trip arrives somewhere just
// when a window opens, or departs then.
template <class Policy>
std::pair<Time, Time> State<Policy>::shortest_trip(int route, Time duration, Time end) const
    requires Policy::is_rich
{
    const VehicleType& vehicle = this->vehicle(route);
    auto consider = [&](Time departure) {
        if (departure < schedule_.ready[route]) return;
        const Time back = return_after(route, departure);
        if (back < never && back - departure < duration) duration = back - departure, end = back;
    };
    for (int v = nodes_[route].next; v != route; v = nodes_[v].next)
        for (const Window& w : schedule_.rules.items[nodes_[v].item].windows)
            consider(latest_departure_before(v, w.open, nodes_[v].site));
    for (const Window& w : vehicle.arrival) consider(latest_departure_before(route, w.open, vehicle.end));
    for (const Window& w : vehicle.departure) consider(w.open);
    return {duration, end};
}

template void State<Rich>::clear_schedule();
template Time State<Rich>::duration(int, int) const;
template int State<Rich>::servable(int, int, int) const;
template int State<Rich>::extendable(int, int) const;
template bool State<Rich>::settle();

}  // namespace splitroute
