// Record-to-record travel: local search that may climb, but never far above the best so far.
//
// G. Dueck: New optimization heuristics: the great deluge algorithm and the record-to-record travel.
// Journal of Computational Physics 104 (1993); as in F. Li, B. Golden, E. Wasil: Very large-scale
// vehicle routing. Computers & Operations Research 32 (2005), with the parameters of VRPH 1.0.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <vector>

#include "moves/tails.hpp"
#include "random.hpp"
#include "savings.hpp"
#include "state.hpp"

namespace splitroute {

class Record {
public:
    using Routes = std::vector<std::vector<Delivery>>;

    Record(const Problem& problem, std::uint64_t seed);

    // From each Clarke-Wright start in turn; goes on for so many passes or seconds. A pass tries one
    // kind of move on every item.
    void advance(std::int64_t passes, double seconds);
    // Makes do with a start as far as it is constructed, for want of time.
    void stop_construction();
    void start(const Routes& routes) { given_ = routes; }  // one start more, before the others

    bool done() const { return start_ >= starts; }
    std::int64_t passes() const { return passes_; }
    bool has_solution() const { return best_cost_ < unknown; }
    Cost best_cost() const { return best_cost_; }
    const Routes& best() const { return best_; }

private:
    static constexpr Cost unknown = std::int64_t{1} << 62;
    static constexpr double lambdas[] = {0.6, 1.4, 1.6};
    static constexpr int starts = 1 + static_cast<int>(std::size(lambdas));  // a given one is first

    enum Kind { one_point, two_point, two_opt, kinds };

    bool construct(const std::function<bool()>& time_is_up);
    void begin();
    void finish_pass();
    void settle();  // at a local minimum: climb again, perturb, or give up this start
    bool improve(int x, double limit);
    int variants(int x, int y) const;
    bool apply(int variant, int x, int y, double limit);
    int visit_of(int item) const;
    void perturb();
    bool put_elsewhere(int visit);
    void keep();

    const Problem& problem_;
    Random random_;
    State state_;
    Tails tails_;
    Routes given_;
    std::optional<Savings> savings_;
    std::vector<int> items_;
    int start_ = 0;
    bool begun_ = false, climbing_ = true, improved_ = false;
    int kind_ = one_point;
    std::size_t next_ = 0;  // item of this pass
    std::int64_t passes_ = 0;
    int rounds_ = 0, tries_ = 0, perturbed_ = 0;
    Cost record_ = 0, local_ = 0;
    Cost best_cost_ = unknown;
    Routes best_;
};

}  // namespace splitroute
