// The routes while they are searched: visits as linked nodes, with every change undoable.
//
// All mutable data are 32-bit integers written through set(), which logs the old value in a journal;
// undoing writes the old values back in reverse order. A route is a cyclic list of nodes closed by its
// own depot node: node r is the depot of route r.
#pragma once

#include <cstdint>
#include <vector>

#include "instance.hpp"
#include "routes.hpp"

namespace splitroute {

struct Node {
    std::int32_t item = none, site = 0, quantity = 0, route = none;
    std::int32_t prev = none, next = none;                  // along the route
    std::int32_t leg = 0;                                   // distance to the next node
    std::int32_t prev_at_site = none, next_at_site = none;  // among the visits to the same site
};

class State {
public:
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
    int slack(int route) const { return instance.capacity() - load_[route]; }
    int length(int route) const { return length_[route]; }
    int max_routes() const { return max_routes_; }
    int active_routes() const { return active_; }  // routes with visits
    int route(int k) const { return order_[k]; }   // the k-th route; active ones come first
    int empty_route() const { return order_[active_]; }
    // Whether another iteration might run out of routes or nodes.
    bool is_nearly_full() const {
        return active_ + spare_routes > max_routes_ || used_ + spare_visits > max_visits_;
    }

    Cost distance(int a, int b) const { return instance.distance(nodes_[a].site, nodes_[b].site); }
    // Cost of inserting `site` between two nodes that are, or are about to become, neighbours.
    Cost detour(int site, int before, int after) const {
        const int a = nodes_[before].site, b = nodes_[after].site;
        return instance.distance(a, site) + instance.distance(site, b) - instance.distance(a, b);
    }
    // The same after a node on its route as it is, which is cheaper to compute.
    Cost insertion(int site, int before) const {
        const Node& n = nodes_[before];
        return instance.distance(n.site, site) + instance.distance(site, nodes_[n.next].site) - n.leg;
    }
    // Cost of visiting another site instead of the node's own.
    Cost replacement(int node, int site) const {
        const Node& n = nodes_[node];
        return instance.distance(nodes_[n.prev].site, site) + instance.distance(site, nodes_[n.next].site) -
               nodes_[n.prev].leg - n.leg;
    }
    // What removing a node saves.
    Cost saving(int node) const {
        const Node& n = nodes_[node];
        return Cost{nodes_[n.prev].leg} + n.leg - distance(n.prev, n.next);
    }

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
    struct Change {
        std::int32_t* where;
        std::int32_t old;
    };
    void set(std::int32_t& where, std::int32_t value) {
        journal_.push_back({&where, where});
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
        if (stamp_[route] == epoch_) return;
        stamp_[route] = epoch_;
        changed_.push_back(route);
    }

    // More than one iteration ever opens or adds, so that running out need not be checked in between.
    static constexpr int spare_routes = 64, spare_visits = 4 * spare_routes;

    int max_routes_, max_visits_;
    std::vector<Node> nodes_;
    std::vector<std::int32_t> first_, count_;     // per site
    std::vector<std::int32_t> load_, length_;     // per route
    std::vector<std::int32_t> order_, position_;  // a permutation of the routes and its inverse
    std::int32_t active_ = 0, free_ = none, used_ = 0;
    Cost cost_ = 0, committed_cost_ = 0;
    std::vector<Change> journal_;
    std::vector<std::int32_t> changed_;
    std::vector<std::uint32_t> stamp_;
    std::uint32_t epoch_ = 1;
    std::uint32_t removals_ = 0;
};

}  // namespace splitroute
