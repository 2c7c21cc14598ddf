// Ruin: removes strings of consecutive visits from neighbouring routes.
//
// J. Christiaens, G. Vanden Berghe: Slack induction by string removals for vehicle routing problems.
// Transportation Science 54 (2020), section 5.
#pragma once

#include <vector>

#include "insertion.hpp"
#include "random.hpp"
#include "settings.hpp"
#include "state.hpp"

namespace splitroute {

struct Unserved {
    std::int32_t item, quantity;
};

template <class Policy>
class Ruin {
public:
    // Tells the inserter which routes lost visits: there every position is worth considering.
    Ruin(State<Policy>& state, Random& random, Inserter<Policy>& inserter, const Settings& settings);

    // Removes visits around a site; afterwards unserved() lists what they delivered, by item.
    void run(int centre);
    const std::vector<Unserved>& unserved() const { return unserved_; }
    const std::vector<std::int32_t>& routes() const { return routes_; }  // that lost visits

private:
    double mean_removals(double visits) const;
    void remove_string(int visit, int length);
    void remove(int visit);
    void add_unserved(int item, int quantity);
    void add_undelivered(int centre)
        requires Policy::is_rich;

    State<Policy>& state_;
    Random& random_;
    Inserter<Policy>& inserter_;
    const Settings& settings_;
    std::vector<Unserved> unserved_;
    std::vector<std::int32_t> index_;  // per item: its entry, valid if stamped
    std::vector<std::uint32_t> stamp_;
    std::vector<std::uint32_t> ruined_;  // per route: the tick at which it was ruined
    std::uint32_t tick_ = 0;
    std::vector<std::int32_t> string_, routes_;
    std::vector<std::int32_t> optional_;  // undelivered items around the centre
};

}  // namespace splitroute
