#include "completion.hpp"

#include <algorithm>
#include <limits>

namespace splitroute {

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();

// The minimum of a sequence of costs within a window that moves on.
class SlidingMinimum {
public:
    void push(int load, double cost) {
        while (first_ < costs_.size() && costs_.back().cost >= cost) costs_.pop_back();
        costs_.push_back({load, cost});
    }
    double from(int load) {
        while (first_ < costs_.size() && costs_[first_].load < load) ++first_;
        return first_ < costs_.size() ? costs_[first_].cost : infinity;
    }

private:
    struct Cost {
        int load;
        double cost;
    };
    std::vector<Cost> costs_;
    std::size_t first_ = 0;
};
}  // namespace

// Walks with a visit of an intermediate quantity, at most one, are kept apart from those without.
Completion::Completion(const RoutePrices& prices, Clock::time_point deadline) : nodes_(prices.nodes) {
    const int n = prices.nodes;
    const std::size_t size = at(0, prices.capacity + 1);
    std::vector<double> arriving[2], departing[2];
    for (int k = 0; k < 2; ++k) arriving[k].assign(size, infinity), departing[k].assign(size, infinity);
    std::copy_n(prices.lengths.begin(), n, arriving[0].begin());
    std::vector<SlidingMinimum> windows(n);
    for (int load = 1; load <= prices.capacity; ++load) {
        if (Clock::now() >= deadline) return;
        for (int j = 1; j < n; ++j) {
            const VisitPrize& prize = prices.prizes[j];
            for (int k = 0; k < 2; ++k)
                for (int quantity : {1, prize.max_quantity})
                    if (quantity <= load)
                        departing[k][at(j, load)] =
                            std::min(departing[k][at(j, load)],
                                     arriving[k][at(j, load - quantity)] - prize.of(quantity));
            if (load < 2) continue;
            windows[j].push(load - 2, arriving[0][at(j, load - 2)] + prize.slope * (load - 2));
            const double cheapest = windows[j].from(load - prize.max_quantity + 1);
            departing[1][at(j, load)] =
                std::min(departing[1][at(j, load)], cheapest - prize.base - prize.slope * load);
        }
        for (int k = 0; k < 2; ++k) {
            double* const costs = &arriving[k][at(0, load)];
            for (int i = 1; i < n; ++i) {
                const double cost = departing[k][at(i, load)];
                if (cost == infinity) continue;
                const double* const lengths = &prices.lengths[prices.arc(i, 0)];
                for (int j = 0; j < n; ++j) costs[j] = std::min(costs[j], cost + lengths[j]);
            }
        }
    }
    arriving_ = std::move(arriving[0]);
    departing_ = std::move(departing[0]);
    for (std::size_t k = 0; k < size; ++k) {
        arriving_[k] = std::min(arriving_[k], arriving[1][k]);
        departing_[k] = std::min(departing_[k], departing[1][k]);
        if (k < static_cast<std::size_t>(n)) continue;
        arriving_[k] = std::min(arriving_[k], arriving_[k - n]);
        departing_[k] = std::min(departing_[k], departing_[k - n]);
    }
    is_complete_ = true;
}

}  // namespace splitroute
