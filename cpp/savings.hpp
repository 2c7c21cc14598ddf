// The savings algorithm of Clarke and Wright, with Yellow's shape parameter lambda.
//
// G. Clarke, J. Wright: Scheduling of vehicles from a central depot to a number of delivery points.
// Operations Research 12 (1964).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "instance.hpp"
#include "routes.hpp"

namespace splitroute {

// Merges routes of undivided items end to end, in decreasing order of the saving
// d(i, 0) + d(0, j) - lambda d(i, j): over all pairs or, in large instances, over neighbouring ones.
class Savings {
public:
    Savings(const Instance& instance, double lambda);

    // Continues until all mergers are done or time is up; returns whether all are done.
    bool advance(const std::function<bool()>& time_is_up);

    // The routes merged so far; they serve every item.
    Routes routes() const;

private:
    struct Merger {
        double saved;
        std::int32_t i, j;
    };

    void propose_for(int i);
    void propose(int i, int j);
    bool proposes(int site, int other) const;
    void sort_more();
    void merge(const Merger& merger);

    const Instance& instance_;
    double lambda_;
    std::vector<Merger> mergers_;
    std::size_t sorted_ = 0, merged_ = 0;           // of the mergers
    int proposed_ = 0;                              // items
    std::vector<std::vector<std::int32_t>> items_;  // of each route, in order
    std::vector<std::int32_t> route_of_, load_;
};

// Items in their order, each vehicle filled in turn: a solution without any search.
Routes filled_in_order(const Instance& instance);

}  // namespace splitroute
