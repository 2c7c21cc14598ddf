// The routes while they are searched: visits as linked nodes, with every change undoable.
//
// All mutable data are 32-bit integers written through set(), which logs the old value in a journal;
// undoing writes the old values back in reverse order. A route is a cyclic list of nodes closed by its
// own depot node: node r is the depot of route r.
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "instance.hpp"
#include "journal.hpp"
#include "policy.hpp"
#include "routes.hpp"
#include "schedule.hpp"

namespace splitroute {

struct Node {
    std::int32_t item = none, site = 0, quantity = 0, route = none;
    std::int32_t prev = none, next = none;                  // along the route
    std::int32_t leg = 0;                                   // distance to the next node
    std::int32_t prev_at_site = none, next_at_site = none;  // among the visits to the same site
};

template <class Policy>
class State {
public:
    static constexpr bool rich = Policy::is_rich;

    explicit State(const Instance& instance);

    const Instance& instance;

    // -- reading
    Cost cost() const { return cost_; }
    const Node& operator[](int node) const { return nodes_[node]; }
    int first_visit(int site) const { return first_[site]; }
    int visit_count(int site) const { return count_[site]; }
    bool is_split(int node) const {
        return nodes_[node].prev_at_site != none || nodes_[node].next_at_site != none;
    }
    // Another visit to the same site on a given route, or none.
    int other_visit_on(int route, int node) const {
        for (int v = first_[nodes_[node].site]; v != none; v = nodes_[v].next_at_site)
            if (v != node && nodes_[v].route == route) return v;
        return none;
    }
    // Whether a visit precedes another one on their route; scans the visits after it.
    bool is_before(int x, int y) const {
        int v = nodes_[x].next;
        while (v != y && nodes_[v].item != none) v = nodes_[v].next;
        return v == y;
    }
    int load(int route) const { return load_[route]; }
    int capacity(int route) const {
        if constexpr (rich) return vehicle(route).capacity;
        else return instance.capacity();
    }
    int slack(int route) const { return capacity(route) - load_[route]; }
    int length(int route) const { return length_[route]; }
    int max_routes() const { return max_routes_; }
    int active_routes() const { return active_; }  // routes with visits
    int route(int k) const { return order_[k]; }   // the k-th route; active ones come first
    int empty_route(int k = 0) const { return order_[active_ + k]; }
    // Whether another iteration might run out of routes or nodes.
    bool is_nearly_full() const {
        return active_ + spare_routes > max_routes_ || used_ + spare_visits > max_visits_;
    }

    // Distances as they count for the cost of a route.
    Cost priced(int route, Cost distance) const {
        if constexpr (rich)
            return std::llround(vehicle(route).cost_per_distance * static_cast<double>(distance));
        else return distance;
    }
    // Where one gets to at a node, which is the end of its route if it is a depot's.
    int arrival_site(int node, int route) const {
        if constexpr (rich)
            if (nodes_[node].item == none) return vehicle(route).end;
        return nodes_[node].site;
    }
    int departure_site(int node, int route) const {
        if constexpr (rich)
            if (nodes_[node].item == none) return vehicle(route).start;
        return nodes_[node].site;
    }
    Cost distance(int a, int b) const {
        return instance.distance(nodes_[a].site, arrival_site(b, nodes_[b].route));
    }
    // The same where both are, or are about to be, on a given route.
    Cost distance_on(int route, int a, int b) const {
        return instance.distance(departure_site(a, route), arrival_site(b, route));
    }
    // Cost of inserting `site` between two nodes that are, or are about to become, neighbours on a route.
    Cost detour(int site, int before, int after, int route) const {
        const int a = departure_site(before, route), b = arrival_site(after, route);
        return priced(route,
                      instance.distance(a, site) + instance.distance(site, b) - instance.distance(a, b));
    }
    Cost detour(int site, int before, int after) const {
        return detour(site, before, after, nodes_[before].route);
    }
    // The same after a node on its route as it is, which is cheaper to compute.
    Cost insertion(int site, int before) const {
        const Node& n = nodes_[before];
        const Cost distance =
            instance.distance(n.site, site) + instance.distance(site, arrival_site(n.next, n.route)) - n.leg;
        return priced(n.route, distance);
    }
    // Cost of visiting another site instead of the node's own.
    Cost replacement(int node, int site) const {
        const Node& n = nodes_[node];
        return priced(n.route, instance.distance(nodes_[n.prev].site, site) +
                                   instance.distance(site, arrival_site(n.next, n.route)) -
                                   nodes_[n.prev].leg - n.leg);
    }
    // What removing a node saves.
    Cost saving(int node) const {
        const Node& n = nodes_[node];
        const Cost distance = Cost{nodes_[n.prev].leg} + n.leg - this->distance(n.prev, n.next);
        if constexpr (rich)
            if (length_[n.route] == 1 && is_only_trip(n.route))
                return priced(n.route, distance) + vehicle(n.route).fixed_cost;
        return priced(n.route, distance);
    }

    // How much of a visit may go to other visits of its site, up to `wanted`: all of it, or as much as
    // leaves an admissible quantity.
    int movable(int visit, int wanted) const {
        const Node& n = nodes_[visit];
        if (wanted >= n.quantity) return n.quantity;
        if constexpr (rich) {
            const ItemRules& rule = schedule_.rules.items[n.item];
            wanted = std::min(wanted, n.quantity - rule.min_drop);
            wanted -= wanted % rule.lot;
        }
        return std::max(wanted, 0);
    }
    // How much of it may become a visit of its own.
    int divisible(int visit, int wanted) const {
        const int part = movable(visit, wanted);
        if constexpr (rich)
            if (part < schedule_.rules.items[nodes_[visit].item].min_drop) return 0;
        return part;
    }

    // -- rules; for rich instances only
    const VehicleType& vehicle(int route) const
        requires Policy::is_rich
    {
        return schedule_.rules.types[schedule_.type[route]];
    }
    int type(int route) const
        requires Policy::is_rich
    {
        return schedule_.type[route];
    }
    bool is_only_trip(int route) const
        requires Policy::is_rich
    {
        return schedule_.next_trip[route] == none && schedule_.prev_trip[route] == none;
    }
    int next_trip(int route) const
        requires Policy::is_rich
    {
        return schedule_.next_trip[route];
    }
    int prev_trip(int route) const
        requires Policy::is_rich
    {
        return schedule_.prev_trip[route];
    }
    int trips(int route) const
        requires Policy::is_rich;
    int vehicles(int type) const
        requires Policy::is_rich
    {
        return schedule_.vehicles[type];
    }
    int spare_vehicles(int type) const
        requires Policy::is_rich
    {
        return schedule_.max_vehicles[type] - schedule_.vehicles[type];
    }
    // Per type; what is in use beyond that must be taken out of use.
    void set_max_vehicles(const std::vector<int>& counts)
        requires Policy::is_rich
    {
        schedule_.max_vehicles = counts;
    }
    Cost route_distance(int route) const
        requires Policy::is_rich
    {
        return schedule_.distance[route];
    }
    Cost driving_cost() const  // of all routes, without fixed costs and penalties
        requires Policy::is_rich;
    int undelivered(int item) const
        requires Policy::is_rich
    {
        return schedule_.undelivered[item];
    }
    Time duration(int a, int b) const
        requires Policy::is_rich;  // between sites
    // Whether service at a node can start in time after leaving another one.
    bool connects(int from, int to) const
        requires Policy::is_rich
    {
        if (type(nodes_[from].route) != type(nodes_[to].route)) return true;  // settle() has the last word
        const int site = arrival_site(to, nodes_[to].route);
        return schedule_.ready[from] + duration(nodes_[from].site, site) <= schedule_.latest[to];
    }
    // How much of an item could be served after a node in time, up to `wanted`.
    int servable(int item, int before, int wanted) const
        requires Policy::is_rich;
    // How much more could be delivered in time by a visit.
    int extendable(int visit, int wanted) const
        requires Policy::is_rich;
    // Makes an empty route the next trip after another one, or the first of a vehicle of some type.
    void prepare(int route, int type, int after_trip)
        requires Policy::is_rich;
    void change_type(int route, int type)
        requires Policy::is_rich;
    void change_undelivered(int item, int amount)
        requires Policy::is_rich;
    // Mandatory units may be left undelivered for a share of their penalty, on the way to something better.
    void set_leniency(double share)
        requires Policy::is_rich;
    std::int64_t missing() const
        requires Policy::is_rich
    {
        return schedule_.missing;
    }
    Cost missing_cost() const
        requires Policy::is_rich
    {
        return schedule_.missing_cost;
    }
    // What a trip costs on top if this load is below its minimum.
    Cost short_trip_cost(const VehicleType& vehicle, int load) const
        requires Policy::is_rich;
    double penalty(int item) const
        requires Policy::is_rich
    {
        const ItemRules& rule = schedule_.rules.items[item];
        return rule.is_mandatory ? schedule_.leniency * rule.penalty : rule.penalty;
    }
    // Updates times and costs of what was changed; returns whether all rules are respected.
    bool settle()
        requires Policy::is_rich;
    struct Mark {
        std::size_t changes, schedule_changes;
        Cost cost;
    };
    Mark mark() const {
        if constexpr (rich) return {journal_.size(), schedule_.journal.size(), cost_};
        else return {journal_.size(), 0, cost_};
    }
    void undo_to(Mark mark);

    // -- changing
    int add(int item, int quantity, int after);  // a new visit after a node
    void remove(int node);
    void change_quantity(int node, int amount);
    void transfer(int from, int to, int quantity);  // between visits of a site; an empty one is removed
    void move(int node, int after);
    void exchange_suffixes(int x, int y);  // what follows x and what follows y change routes
    void reverse(int first, int last);     // the visits from first to last, on one route

    // -- keeping and undoing
    void commit() {
        journal_.clear();
        if constexpr (rich) schedule_.journal.clear();
        committed_cost_ = cost_;
    }
    void undo();                                          // everything since the last commit
    std::uint32_t removals() const { return removals_; }  // changes whenever a node goes away

    // Routes changed since the last call of clear_changed_routes().
    const std::vector<std::int32_t>& changed_routes() const { return changed_; }
    void clear_changed_routes();

    void clear();
    // Whether there is room for these routes, as there is for all that a search produces by itself.
    bool has_room_for(const Routes& routes) const;
    void load_routes(const Routes& routes);
    Route visits(int route) const;
    Routes routes() const;

    // -- checking (state_checks.cpp)
    Cost recomputed_cost() const;  // from scratch
    bool is_consistent() const;    // links, loads, counts and cost

private:
    void set(std::int32_t& where, std::int32_t value) {
        journal_.log(where);
        where = value;
    }
    void set(std::int64_t& where, std::int64_t value)
        requires Policy::is_rich
    {
        schedule_.journal.log(where);
        where = value;
    }
    void link(int a, int b) {
        set(nodes_[a].next, b);
        set(nodes_[b].prev, a);
        set(nodes_[a].leg, static_cast<std::int32_t>(distance(a, b)));
    }
    void adjust(int route, int load, int length);
    void set_active(int route, bool active);
    void touch(int route) {
        if constexpr (rich) soil(route);
        if (stamp_[route] == epoch_) return;
        stamp_[route] = epoch_;
        changed_.push_back(route);
    }

    void soil(int route)
        requires Policy::is_rich
    {
        if (schedule_.dirty_stamp[route] == schedule_.tick) return;
        schedule_.dirty_stamp[route] = schedule_.tick;
        schedule_.dirty.push_back(route);
    }
    void soil_item(int item)
        requires Policy::is_rich
    {
        if (schedule_.dirty_item_stamp[item] == schedule_.tick) return;
        schedule_.dirty_item_stamp[item] = schedule_.tick;
        schedule_.dirty_items.push_back(item);
    }
    Cost recomputed_cost_with_rules() const
        requires Policy::is_rich;
    void settle_vehicle(int head)
        requires Policy::is_rich;
    void settle_latest(int last)
        requires Policy::is_rich;
    void settle_item(int item)
        requires Policy::is_rich;
    bool continues_visit(int item, int before) const
        requires Policy::is_rich;
    Time end_of_service(int visit, Time arrival) const
        requires Policy::is_rich;
    Time latest_start(int visit, Time end) const
        requires Policy::is_rich;
    Time latest_departure(int route, Time end) const
        requires Policy::is_rich;
    Time latest_departure_before(int node, Time time, int site) const
        requires Policy::is_rich;
    Time return_after(int route, Time departure) const
        requires Policy::is_rich;
    std::pair<Time, Time> shortest_trip(int route, Time duration, Time end) const
        requires Policy::is_rich;
    void set_short_load(int route, int units)
        requires Policy::is_rich;
    void clear_schedule()
        requires Policy::is_rich;
    void load_trips(const Routes& routes)
        requires Policy::is_rich;
    void set_type(int route, int type)
        requires Policy::is_rich;
    void link_trip(int route)
        requires Policy::is_rich;
    void unlink_trip(int route)
        requires Policy::is_rich;
    void touch_trips(int prev, int next)
        requires Policy::is_rich;

    // More than one iteration ever opens or adds, so that running out need not be checked in between.
    static constexpr int spare_routes = 64, spare_visits = 4 * spare_routes;

    static constexpr std::size_t journal_reserve = 1 << 14;  // more than nearly every iteration logs

    int max_routes_, max_visits_;
    std::vector<Node> nodes_;
    std::vector<std::int32_t> first_, count_;     // per site
    std::vector<std::int32_t> load_, length_;     // per route
    std::vector<std::int32_t> order_, position_;  // a permutation of the routes and its inverse
    std::int32_t active_ = 0, free_ = none, used_ = 0;
    Cost cost_ = 0, committed_cost_ = 0;
    Journal<std::int32_t> journal_{journal_reserve};
    std::vector<std::int32_t> changed_;
    std::vector<std::uint32_t> stamp_;
    std::uint32_t epoch_ = 1;
    std::uint32_t removals_ = 0;
    [[no_unique_address]] std::conditional_t<rich, Schedule, NoSchedule> schedule_;
};

}  // namespace splitroute
