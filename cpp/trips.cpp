// The vehicles of a rich state: their types, and which trips follow each other.
#include <algorithm>
#include <map>

#include "state.hpp"

namespace splitroute {

template <class Policy>
void State<Policy>::load_trips(const Routes& routes)
    requires Policy::is_rich
{
    std::vector<const Route*> ordered;
    for (const Route& route : routes) ordered.push_back(&route);
    std::stable_sort(ordered.begin(), ordered.end(),
                     [](const Route* a, const Route* b) { return a->trip < b->trip; });
    std::map<int, int> last_trip;  // per vehicle
    std::vector<std::int32_t> unserved(instance.items());
    for (int i = 0; i < instance.items(); ++i) unserved[i] = instance.item(i).demand;
    for (const Route* route : ordered) {
        const int empty = empty_route();
        const auto known = route->vehicle == none ? last_trip.end() : last_trip.find(route->vehicle);
        prepare(empty, route->type, known == last_trip.end() ? none : known->second);
        int at = empty;
        for (const Visit& visit : *route) {
            at = add(visit.item, visit.quantity, at);
            unserved[visit.item] -= visit.quantity;
        }
        if (route->vehicle != none) last_trip[route->vehicle] = empty;
    }
    for (int i = 0; i < instance.items(); ++i)
        if (unserved[i] > 0) change_undelivered(i, unserved[i]);
    settle();
}

template <class Policy>
int State<Policy>::trips(int route) const
    requires Policy::is_rich
{
    int count = 1;
    for (int r = prev_trip(route); r != none; r = prev_trip(r)) ++count;
    for (int r = next_trip(route); r != none; r = next_trip(r)) ++count;
    return count;
}

template <class Policy>
void State<Policy>::prepare(int route, int type, int after_trip)
    requires Policy::is_rich
{
    Schedule& s = schedule_;
    const VehicleType& vehicle = s.rules.types[type];
    set(s.type[route], type);
    set(s.prev_trip[route], after_trip);
    const int before = after_trip == none ? none : s.next_trip[after_trip];
    set(s.next_trip[route], before);
    set(nodes_[route].site, vehicle.start);
    set(nodes_[route].leg, static_cast<std::int32_t>(instance.distance(vehicle.start, vehicle.end)));
    const Time earliest = after_trip == none ? 0 : s.returned[after_trip] + vehicle.loading;
    set(s.ready[route], vehicle.departure.earliest(earliest));
    Time latest = never;
    if (before != none)  // its departure, at the latest
        latest = vehicle.departure.latest(s.latest[nodes_[before].next] -
                                          duration(vehicle.start, nodes_[nodes_[before].next].site)) -
                 vehicle.loading - vehicle.loading_per_unit * load_[before];
    set(s.latest[route], vehicle.arrival.latest(latest));
    set(s.distance[route], Cost{0});
    set(s.duration[route], Time{0});
}

template <class Policy>
void State<Policy>::link_trip(int route)
    requires Policy::is_rich
{
    Schedule& s = schedule_;
    const int prev = s.prev_trip[route], next = s.next_trip[route];
    if (prev != none) set(s.next_trip[prev], route);
    if (next != none) set(s.prev_trip[next], route);
    // The vehicle may have got another type since the trip was prepared.
    if (const int other = prev != none ? prev : next; other != none && s.type[route] != s.type[other])
        set_type(route, s.type[other]);
    if (prev == none && next == none) set(s.vehicles[s.type[route]], s.vehicles[s.type[route]] + 1);
    touch_trips(prev, next);
}

template <class Policy>
void State<Policy>::unlink_trip(int route)
    requires Policy::is_rich
{
    Schedule& s = schedule_;
    const int prev = s.prev_trip[route], next = s.next_trip[route];
    if (prev != none) set(s.next_trip[prev], next);
    if (next != none) set(s.prev_trip[next], prev);
    if (prev == none && next == none) set(s.vehicles[s.type[route]], s.vehicles[s.type[route]] - 1);
    set(s.prev_trip[route], none);
    set(s.next_trip[route], none);
    touch_trips(prev, next);
}

// Those before and after a trip that comes or goes: their times change.
template <class Policy>
void State<Policy>::touch_trips(int prev, int next)
    requires Policy::is_rich
{
    for (int r = prev; r != none; r = prev_trip(r)) touch(r);
    for (int r = next; r != none; r = next_trip(r)) touch(r);
}

template <class Policy>
void State<Policy>::change_type(int route, int type)
    requires Policy::is_rich
{
    Schedule& s = schedule_;
    if (length_[route] == 0) return prepare(route, type, none);
    set(s.vehicles[s.type[route]], s.vehicles[s.type[route]] - 1);
    set(s.vehicles[type], s.vehicles[type] + 1);
    int head = route;
    while (s.prev_trip[head] != none) head = s.prev_trip[head];
    for (int r = head; r != none; r = s.next_trip[r]) set_type(r, type);
}

template <class Policy>
void State<Policy>::set_type(int route, int type)
    requires Policy::is_rich
{
    set(schedule_.type[route], type);
    set(nodes_[route].site, schedule_.rules.types[type].start);
    link(route, nodes_[route].next);
    link(nodes_[route].prev, route);
    touch(route);
}

template void State<Rich>::load_trips(const Routes&);
template int State<Rich>::trips(int) const;
template void State<Rich>::prepare(int, int, int);
template void State<Rich>::link_trip(int);
template void State<Rich>::unlink_trip(int);
template void State<Rich>::change_type(int, int);

}  // namespace splitroute
