// The routes while they are being searched: visits as linked nodes, every change undoable.
//
// All that changes is a 32-bit integer that is written through set(), which keeps the old value in a
// journal: going back is writing them again in reverse. A route is a ring of nodes closed by a node of
// its own that stands for the depot; node r is the depot of route r.
#pragma once

#include <cstdint>
#include <vector>

#include "problem.hpp"

namespace splitroute {

constexpr std::int32_t none = -1;

struct Node {
    std::int32_t item = none, site = 0, quantity = 0, route = none;
    std::int32_t prev = none, next = none;            // along the route
    std::int32_t leg = 0;                             // distance to the next
    std::int32_t twin_prev = none, twin_next = none;  // visits to the same site
};

struct Delivery {
    std::int32_t item, quantity;
};

class State {
public:
    explicit State(const Problem& problem);

    const Problem& problem;

    // -- reading
    Cost cost() const { return cost_; }
    const Node& operator[](int node) const { return nodes_[node]; }
    int first_visit(int site) const { return first_[site]; }
    int visits(int site) const { return count_[site]; }
    int load(int route) const { return load_[route]; }
    int slack(int route) const { return problem.capacity() - load_[route]; }
    int length(int route) const { return length_[route]; }
    int active() const { return active_; }        // routes with visits
    int route(int k) const { return order_[k]; }  // k-th route; active ones come first
    // Whether there are so many routes or visits that another round might run out of either.
    bool crowded() const { return active_ + spare > routes_ || used_ + 4 * spare > most_visits_; }
    int routes() const { return routes_; }
    int capacity_of_nodes() const { return static_cast<int>(nodes_.size()); }
    bool split(int node) const { return nodes_[node].twin_prev != none || nodes_[node].twin_next != none; }

    // Cost of putting `site` between two nodes that are, or are to be, neighbours.
    Cost detour(int site, int before, int after) const {
        const int a = nodes_[before].site, b = nodes_[after].site;
        return problem.distance(a, site) + problem.distance(site, b) - problem.distance(a, b);
    }
    // The same behind a node as things are, and what taking a node out saves: cheaper to compute.
    Cost insertion(int site, int before) const {
        const Node& n = nodes_[before];
        return problem.distance(n.site, site) + problem.distance(site, nodes_[n.next].site) - n.leg;
    }
    Cost saving(int node) const {
        const Node& n = nodes_[node];
        return Cost{nodes_[n.prev].leg} + n.leg - problem.distance(nodes_[n.prev].site, nodes_[n.next].site);
    }

    // -- changing
    int add(int item, int quantity, int after);  // a new visit behind a node (or a depot)
    void remove(int node);
    void change(int node, int amount);            // deliver more, or less, at a visit
    void move(int node, int after);               // put a visit elsewhere
    void exchange_tails(int x, int y);            // what follows x and what follows y change places
    void reverse(int first, int last);            // the visits from first to last, one route
    int open() const { return order_[active_]; }  // a route without visits

    // -- going back and keeping
    void commit() {
        journal_.clear();
        cost_before_ = cost_;
    }
    void undo();
    std::uint32_t removals() const { return removals_; }  // changes whenever a node goes away

    // Routes changed since the last call of forget_changes().
    const std::vector<std::int32_t>& changed() const { return changed_; }
    void forget_changes();

    void clear();
    // Whether there is room for these routes, as there is for every one a search comes to by itself.
    bool fits(const std::vector<std::vector<Delivery>>& routes) const;
    void load_routes(const std::vector<std::vector<Delivery>>& routes);
    std::vector<Delivery> stops(int route) const;
    Cost recomputed() const;  // from scratch, for checks
    bool consistent() const;  // links, loads, twins and cost, for checks

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
        set(nodes_[a].leg, static_cast<std::int32_t>(problem.distance(nodes_[a].site, nodes_[b].site)));
    }
    void adjust(int route, int load, int length);
    void touch(int route) {
        if (stamp_[route] == epoch_) return;
        stamp_[route] = epoch_;
        changed_.push_back(route);
    }
    void activate(int route, bool on);

    static constexpr int spare = 64;
    int routes_, most_visits_;
    std::vector<Node> nodes_;
    std::vector<std::int32_t> first_, count_;  // per site
    std::vector<std::int32_t> load_, length_;  // per route
    std::vector<std::int32_t> order_, place_;  // permutation of routes and its inverse
    std::int32_t active_ = 0, free_ = none, used_ = 0;
    Cost cost_ = 0, cost_before_ = 0;
    std::vector<Change> journal_;
    std::vector<std::int32_t> changed_;
    std::vector<std::uint32_t> stamp_;
    std::uint32_t epoch_ = 1;
    std::uint32_t removals_ = 0;
};

}  // namespace splitroute
