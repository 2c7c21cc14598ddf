// Puts what a ruin has removed into routes again.
#include <algorithm>
#include <iterator>

#include "annealing.hpp"
#include "moves/relocate.hpp"
#include "moves/swap.hpp"
#include "moves/two_opt.hpp"
#include "moves/two_opt_star.hpp"

namespace splitroute {

namespace {
constexpr double max_budget = 1e15;  // as a cost this is unlimited, and it fits into an integer
constexpr double penalty_noise = 0.3;
}  // namespace

// Inserts what is unserved; false if the result costs more than the limit.
template <class Policy>
bool Annealing<Policy>::recreate(double limit) {
    order_unserved();
    if constexpr (Policy::is_rich) state_.settle();
    const auto& unserved = ruin_.unserved();
    const double margin = settings_.descent_margin * mean_edge_;
    for (const auto& [key, k] : order_) {
        // Insertion never shortens a route where the triangle inequality holds: what costs too much
        // already will not come below the limit.
        const double budget = limit + margin - static_cast<double>(state_.cost());
        if (budget <= 0) return false;
        const Cost whole = static_cast<Cost>(std::min(budget, max_budget)) + 1;
        if (!inserter_.insert(unserved[k].item, unserved[k].quantity, whole)) return false;
    }
    if constexpr (Policy::is_rich) {
        if (!state_.settle()) return false;
        improve_types();
    }
    if (static_cast<double>(state_.cost()) < limit) return true;
    return static_cast<double>(state_.cost()) < limit + margin && descend(limit);
}

// In one of the orders of Christiaens and Vanden Berghe, drawn with their weights.
template <class Policy>
void Annealing<Policy>::order_unserved() {
    enum Order { at_random, by_quantity, farthest_first, nearest_first };
    static constexpr Order weighted[] = {at_random,      at_random,      at_random,    at_random,
                                         by_quantity,    by_quantity,    by_quantity,  by_quantity,
                                         farthest_first, farthest_first, nearest_first};
    const auto& unserved = ruin_.unserved();
    order_.clear();
    const Order order = weighted[random_.below(static_cast<int>(std::size(weighted)))];
    // Per unit is best if room is scarce, and of the whole if stops or time are.
    [[maybe_unused]] bool is_by_penalty = false, is_per_unit = false;
    if constexpr (Policy::is_rich)
        if (has_several_penalties_ && random_.below(2) == 0) {
            is_by_penalty = true;
            is_per_unit = random_.below(2) > 0;
        }
    const auto distance_from_depot = [&](int item) {
        return static_cast<double>(instance_.distance(depot(), instance_.item(item).site));
    };
    for (int k = 0; k < static_cast<int>(unserved.size()); ++k) {
        double key = 0;
        switch (order) {
            case at_random: key = random_.unit(); break;
            case by_quantity:  // equal ones at random
                key = 0.5 * random_.unit() - unserved[k].quantity;
                break;
            case farthest_first: key = -distance_from_depot(unserved[k].item); break;
            case nearest_first: key = distance_from_depot(unserved[k].item); break;
        }
        if constexpr (Policy::is_rich)
            if (is_by_penalty) {  // the dearest first, with some noise
                const double penalty = instance_.rules().items[unserved[k].item].penalty;
                const double noise = 1 - penalty_noise * random_.unit();
                key = -penalty * (is_per_unit ? 1 : unserved[k].quantity) * noise;
            }
        order_.emplace_back(key, k);
    }
    std::sort(order_.begin(), order_.end());
}

// Improves around what was inserted until the cost is below the limit; false if it does not get there.
template <class Policy>
bool Annealing<Policy>::descend(double limit) {
    const int count = std::min(settings_.descent_neighbours, instance_.neighbour_count());
    for (const Unserved& inserted : ruin_.unserved()) {
        const int site = instance_.item(inserted.item).site;
        const std::int32_t* neighbours = instance_.neighbours(site);
        for (int k = 0; k < count; ++k) {
            const int x = random_visit(site), y = random_visit(neighbours[k]);
            if constexpr (Policy::is_rich)
                if (x == none || y == none) continue;
            if (!apply(state_, Relocate::evaluate(state_, x, y, 0), 0)) {
                if (state_[x].route == state_[y].route) apply(state_, TwoOpt::evaluate(state_, x, y, 0), 0);
                else if (!apply(state_, Swap::evaluate(state_, x, y, 0), 0))
                    apply(state_, TwoOptStar::evaluate(state_, x, y, 0), 0);
            }
            if (static_cast<double>(state_.cost()) < limit) return true;
        }
    }
    return false;
}

template bool Annealing<Plain>::recreate(double);
template bool Annealing<Rich>::recreate(double);

}  // namespace splitroute
