// Record-to-record travel: local search that may climb, but never far above the best so far.
//
// G. Dueck: New optimization heuristics: the great deluge algorithm and the record-to-record travel.
// Journal of Computational Physics 104 (1993); as in F. Li, B. Golden, E. Wasil: Very large-scale
// vehicle routing. Computers & Operations Research 32 (2005), with the parameters of VRPH 1.0.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "insert.hpp"
#include "moves/tails.hpp"
#include "random.hpp"
#include "state.hpp"

namespace splitroute {

class Record {
public:
    using Routes = std::vector<std::vector<Delivery>>;

    Record(const Problem& problem, std::uint64_t seed);

    // From each Clarke-Wright start in turn; goes on for so many passes or seconds. A pass looks at
    // every visit once.
    void advance(std::int64_t passes, double seconds);
    void start(const Routes& routes);  // one start more, before the others

    bool done() const { return start_ >= starts_.size(); }
    std::int64_t passes() const { return passes_; }
    Cost best_cost() const { return best_cost_; }
    const Routes& best() const { return best_; }

private:
    static constexpr Cost unknown = std::int64_t{1} << 62;

    void begin();
    void climb();             // one pass over all visits, accepting what stays near the record
    bool descend();           // one pass that accepts improvements only
    bool improve(int x, double limit);
    bool apply(int move, int x, int y, double limit);
    void perturb();
    void keep();

    const Problem& problem_;
    Random random_;
    State state_;
    Tails tails_;
    std::vector<Routes> starts_;
    std::vector<int> items_;
    std::size_t start_ = 0;
    bool begun_ = false;
    std::int64_t passes_ = 0;
    int uphill_ = 0, tries_ = 0, perturbed_ = 0;
    Cost record_ = 0, local_ = 0;
    Cost best_cost_ = unknown;
    Routes best_;
};

}  // namespace splitroute
