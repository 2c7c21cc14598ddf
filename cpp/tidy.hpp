// Leaves out visits that serve nothing.
//
// Where routes share customers in a ring, quantities can be exchanged around it until a visit is
// gone; and a visit is not needed if the other vehicles that come to the customer have room for its
// quantity. Neither makes a solution dearer where distances obey the triangle inequality, so that
// some best solution has no such visits (Dror and Trudeau).
#pragma once

#include <vector>

#include "problem.hpp"
#include "state.hpp"

namespace splitroute {

class Tidy {
public:
    using Routes = std::vector<std::vector<Delivery>>;

    Tidy(const Problem& problem, const Routes& routes);

    void cancel_rings();
    void use_room();
    Routes routes() const;
    Cost tolerance() const { return tolerance_; }
    bool refused() const { return refused_; }  // something that would have cost more

private:
    struct Visit {
        std::int32_t route, item, quantity;
        std::int32_t before = none, after = none;  // none for the depot
    };
    static constexpr int none = -1;

    // Routes and items are the nodes of a graph, visits its edges. Those looked at so far, without
    // any that would close a ring, are a forest: each node knows the visit that leads to its parent.
    int item_node(int item) const { return static_cast<int>(load_.size()) + item; }
    int other_end(int visit, int node) const;
    int group(int node);
    bool path(int a, int b, std::vector<int>& visits);
    void link(int a, int b, int visit);
    void make_root(int node);

    int site(int visit) const;
    Cost detour(int visit) const;
    int slack(int visit) const { return problem_.capacity() - load_[visits_[visit].route]; }
    bool exchange(const std::vector<int>& ring);
    void change(int visit, int by);
    bool use_room_at(int item);

    const Problem& problem_;
    Cost tolerance_;  // what rounding may make of a detour of nothing
    std::vector<Visit> visits_;
    std::vector<int> first_, load_;          // of each route
    std::vector<std::vector<int>> of_item_;  // visits, some of which may be gone
    std::vector<int> count_;                 // of visits of each item that are not
    std::vector<int> up_;                    // the visit to the parent of each node
    std::vector<int> group_, size_;          // union-find over what is, or was, one tree
    std::vector<int> seen_, step_;           // at each node: which search, after how many visits
    std::vector<int> climbed_[2];            // visits from either end of a path
    int searches_ = 0;
    bool refused_ = false;
};

// Never dearer than the routes given, but for rounding.
Tidy::Routes tidied(const Problem& problem, const Tidy::Routes& routes);

}  // namespace splitroute
