// The savings of Clarke and Wright, with the shape parameter lambda of Yellow.
//
// G. Clarke, J. Wright: Scheduling of vehicles from a central depot to a number of delivery points.
// Operations Research 12 (1964).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "state.hpp"

namespace splitroute {

// Routes of items, none of them divided, merged end to end in the order of what that saves:
// d(i, 0) + d(0, j) - lambda d(i, j), over all pairs, or over those of neighbouring sites if there
// are very many.
class Savings {
public:
    using Routes = std::vector<std::vector<Delivery>>;

    Savings(const Problem& problem, double lambda);

    // Goes on until all is merged or time is up; returns whether all is merged.
    bool advance(const std::function<bool()>& time_is_up);

    // As merged so far; every item is on one of them.
    Routes routes() const;

private:
    struct Merger {
        double saved;
        std::int32_t i, j;
    };

    void propose_for(int i);
    void propose(int i, int j);
    void sort_more();
    void merge(const Merger& merger);

    const Problem& problem_;
    double lambda_;
    std::vector<Merger> mergers_;
    std::size_t sorted_ = 0, merged_ = 0;           // of the mergers
    int proposed_ = 0;                              // items
    std::vector<std::vector<std::int32_t>> items_;  // of each route, in order
    std::vector<std::int32_t> route_of_, load_;
};

}  // namespace splitroute
