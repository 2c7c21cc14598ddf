// Record-to-record travel: local search that accepts deteriorations up to a deviation from the best cost.
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
#include <variant>
#include <vector>

#include "moves/blocks.hpp"
#include "moves/relocate.hpp"
#include "moves/swap.hpp"
#include "moves/two_opt.hpp"
#include "moves/two_opt_star.hpp"
#include "random.hpp"
#include "routes.hpp"
#include "savings.hpp"
#include "state.hpp"

namespace splitroute {

class RecordToRecord {
public:
    RecordToRecord(const Instance& instance, std::uint64_t seed);

    // Runs up to that many passes or seconds, from one Clarke-Wright solution after another. A pass
    // tries one kind of move for every item.
    void advance(std::int64_t passes, double seconds);
    // Ends the construction for lack of time and starts from the routes so far.
    void stop_construction();
    void start(const Routes& routes) { given_ = routes; }  // an additional start, before the others

    bool is_done() const { return start_ >= starts; }
    std::int64_t passes() const { return passes_; }
    bool has_solution() const { return best_cost_ < unknown; }
    Cost best_cost() const { return best_cost_; }
    const Routes& best() const { return best_; }

private:
    static constexpr Cost unknown = std::int64_t{1} << 62;
    // Shape parameters of the savings; those of Li, Golden and Wasil.
    static constexpr double lambdas[] = {0.6, 1.4, 1.6};
    static constexpr int starts = 1 + static_cast<int>(std::size(lambdas));  // given routes come first

    enum Kind { relocate, swap, two_opt, kinds };
    using Candidate = std::variant<Relocate, RelocateBlock, Swap, SwapBlocks, TwoOpt, TwoOptStar>;

    bool construct(const std::function<bool()>& time_is_up);
    void begin(const Routes& routes);
    void finish_pass();
    void finish_descent();
    bool improve(int x, double limit);
    int variants(int x, int y) const;
    std::optional<Candidate> evaluate(int variant, int x, int y, double limit) const;
    void apply_candidate(const Candidate& candidate);
    int visit_of(int item) const;
    void perturb();
    bool move_elsewhere(int visit);
    void update_best();

    const Instance& instance_;
    Random random_;
    State<Plain> state_;
    Routes given_;
    std::optional<Savings> savings_;
    int start_ = 0;
    bool has_begun_ = false, is_uphill_ = true, has_improved_ = false;
    int kind_ = relocate;
    int next_item_ = 0;  // of this pass
    std::int64_t passes_ = 0;
    int uphill_cycles_ = 0, failures_ = 0, perturbations_ = 0;
    Cost record_ = 0, local_best_ = 0;
    Cost best_cost_ = unknown;
    Routes best_;
};

}  // namespace splitroute
