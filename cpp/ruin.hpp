// Takes strings of neighbouring visits out of neighbouring routes.
//
// J. Christiaens, G. Vanden Berghe: Slack induction by string removals for vehicle routing problems.
// Transportation Science 54 (2020), section 5.
#pragma once

#include <vector>

#include "insert.hpp"
#include "random.hpp"
#include "state.hpp"

namespace splitroute {

struct Missing {
    std::int32_t item, quantity;
};

class Ruin {
public:
    Ruin(State& state, Random& random, Inserter& inserter);

    double mean_removed = 6, longest_string = 10;
    double keep_inner = 0.5;   // chance that a string spares a block in its middle
    double whole_site = 0.2;   // chance that the other visits of a touched site go too
    double whole_route = 0.1;  // chance to remove as many visits as the route has, if that is more,
    double largest = 50;       // up to so many

    // Removes visits around a site; what is missing then is in missing(), one entry per item.
    void run(int seed);
    std::vector<Missing>& missing() { return missing_; }

private:
    void take_string(int visit, int length);
    void take(int visit);

    State& state_;
    Random& random_;
    Inserter& inserter_;
    std::vector<Missing> missing_;
    std::vector<std::int32_t> index_;  // per item: its entry, valid if stamped
    std::vector<std::uint32_t> stamp_;
    std::vector<std::uint32_t> ruined_;  // per route: the tick at which it was ruined
    std::uint32_t tick_ = 0;
    std::vector<std::int32_t> string_;
};

}  // namespace splitroute
