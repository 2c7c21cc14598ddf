// Removes redundant visits from a solution.
//
// Where routes share customers in a cycle, quantities can be exchanged along it until one of its visits is
// empty; and a visit is redundant if the other vehicles that serve the customer have room for its quantity.
// Where distances satisfy the triangle inequality neither increases the cost, so that some optimal
// solution has no such visits.
//
// M. Dror, P. Trudeau: Split delivery routing. Naval Research Logistics 37 (1990).
#pragma once

#include <vector>

#include "instance.hpp"
#include "routes.hpp"

namespace splitroute {

class RedundantVisits {
public:
    RedundantVisits(const Instance& instance, const Routes& routes);

    void cancel_cycles();
    void use_slack();
    Routes routes() const;
    Cost tolerance() const { return tolerance_; }
    bool has_refused() const { return has_refused_; }  // a removal that would have increased the cost

private:
    // Routes and items are the nodes of a graph, visits its edges.
    struct Edge {
        std::int32_t route, item, quantity;
        std::int32_t prev = none, next = none;  // along the route; none is the depot
    };

    // The edges seen so far, without those that would close a cycle, are a forest: every node knows the
    // edge to its parent.
    int item_node(int item) const { return static_cast<int>(load_.size()) + item; }
    int other_end(int edge, int node) const;
    int component(int node);
    bool find_path(int a, int b, std::vector<int>& path);
    void link(int a, int b, int edge);
    void make_root(int node);

    int site(int edge) const;
    Cost detour(int edge) const;
    int slack(int edge) const { return instance_.capacity() - load_[edges_[edge].route]; }
    bool cancel(const std::vector<int>& cycle);
    void change_quantity(int edge, int amount);
    bool use_slack_at(int item);

    const Instance& instance_;
    Cost tolerance_;  // how negative rounding can make the detour of a visit
    std::vector<Edge> edges_;
    std::vector<int> first_, load_;          // per route
    std::vector<std::vector<int>> of_item_;  // edges, some of which may be empty
    std::vector<int> count_;                 // of edges that are not, per item
    std::vector<int> parent_;                // the edge to the parent of each node
    std::vector<int> component_, size_;      // union-find over what is, or was, one tree
    std::vector<int> seen_, step_;           // per node: the last search that came there, and its length
    std::vector<int> climbed_[2];            // edges from either end of a path
    int searches_ = 0;
    bool has_refused_ = false;
};

// Never costs more than the given routes, up to rounding.
Routes remove_redundant_visits(const Instance& instance, const Routes& routes);

}  // namespace splitroute
