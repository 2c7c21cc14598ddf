#include "cuts.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace splitroute {

namespace {
constexpr double flow_tolerance = 1e-6;            // less is a rounding error of the LP, not an edge
constexpr double min_remembered_violation = -0.3;  // a set that misses by more hardly becomes violated
constexpr int tabu_tenure = 8;                     // iterations until a customer may be toggled again
constexpr double tie_noise = 1e-3;                 // breaks ties between equal violations at random
constexpr double worst = -std::numeric_limits<double>::infinity();

// The strategy of separate(), per unit of effort where it grows with it.
constexpr int start_iterations = 10;          // of tabu search from sets given: cuts that are tight already
constexpr double noise_step = 0.2;            // each further greedy construction has so much more noise
constexpr int tabu_sets = 100;                // most violated sets from which tabu search starts,
constexpr int tabu_iterations = 40;           // and for how long, whatever the effort
constexpr double max_start_similarity = 0.7;  // lower: starts further apart, but weaker ones
constexpr double min_cut_violation = 0.01;    // less does not move the bound
constexpr double max_cut_similarity = 0.8;    // similar cuts make the LP larger, not tighter

int common_count(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) {
    int count = 0;
    for (std::size_t k = 0; k < a.size(); ++k) count += std::popcount(a[k] & b[k]);
    return count;
}
}  // namespace

Separation::Separation(const Support& support, std::uint64_t seed, double seconds)
    : support_(support), random_(seed),
      deadline_(Clock::now() +
                std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds))),
      n_(static_cast<int>(support.visits.size())), bits_((n_ + 63) / 64), flow_(n_), is_touched_(n_),
      tabu_until_(n_) {
    for (int c = 0; c < n_; ++c) hashes_.push_back(random_.next());
}

void Separation::clear() {
    for (int c : touched_) flow_[c] = 0, is_touched_[c] = 0, tabu_until_[c] = 0;
    touched_.clear();
    std::fill(bits_.begin(), bits_.end(), 0);
    hash_ = 0;
    demand_ = 0;
    entered_ = 0;
}

void Separation::toggle(int customer) {
    const int sign = contains(customer) ? -1 : 1;
    bits_[customer / 64] ^= std::uint64_t{1} << (customer % 64);
    hash_ += sign > 0 ? hashes_[customer] : -hashes_[customer];
    demand_ += sign * support_.demands[customer];
    entered_ += sign * (support_.visits[customer] - flow_[customer]);
    const auto touch = [&](int c) {
        if (!is_touched_[c]) is_touched_[c] = 1, touched_.push_back(c);
    };
    touch(customer);
    for (const auto& edge : support_.edges[customer]) {
        flow_[edge.to] += sign * edge.flow;
        touch(edge.to);
    }
}

double Separation::violation() const { return static_cast<double>(vehicles(demand_)) - entered_; }

void Separation::remember() {
    if (violation() > min_remembered_violation) seen_.try_emplace(hash_, Seen{violation(), bits_});
}

void Separation::grow(double noise) {
    for (int seed = 0; seed < n_ && !time_is_up(); ++seed) {
        clear();
        for (int next = seed; next >= 0;) {
            toggle(next);
            remember();
            double best = worst;
            next = -1;
            for (int c : touched_) {
                if (contains(c) || flow_[c] < flow_tolerance) continue;
                const double score = flow_[c] - support_.visits[c] + noise * random_.unit();
                if (score > best) best = score, next = c;
            }
        }
    }
}

void Separation::tabu_search(const CustomerSet& start, int iterations) {
    if (time_is_up()) return;
    clear();
    for (int c : start) toggle(c);
    remember();
    for (int now = 1; now <= iterations; ++now) {
        double best = worst;
        int chosen = -1;
        for (int c : touched_) {
            const int sign = contains(c) ? -1 : 1;
            if (tabu_until_[c] > now || (sign > 0 && flow_[c] < flow_tolerance)) continue;
            const auto required = static_cast<double>(vehicles(demand_ + sign * support_.demands[c]));
            const double value =
                required - sign * (support_.visits[c] - flow_[c]) + tie_noise * random_.unit();
            if (value > best) best = value, chosen = c;
        }
        if (chosen < 0) return;
        tabu_until_[chosen] = now + tabu_tenure;
        toggle(chosen);
        remember();
    }
}

void Separation::tabu_search_best(int sets, int iterations) {
    for (const CustomerSet& set : best(sets, min_remembered_violation, max_start_similarity))
        tabu_search(set, iterations);
}

std::vector<CustomerSet> Separation::best(int max_sets, double min_violation, double max_similarity) const {
    std::vector<const Seen*> order;
    for (const auto& [hash, seen] : seen_)
        if (seen.violation > min_violation) order.push_back(&seen);
    std::sort(order.begin(), order.end(), [](const Seen* a, const Seen* b) {
        return a->violation != b->violation ? a->violation > b->violation : a->bits < b->bits;
    });
    std::vector<const Seen*> selected;
    std::vector<int> sizes;
    for (const Seen* seen : order) {
        if (static_cast<int>(selected.size()) == max_sets) break;
        const int size = common_count(seen->bits, seen->bits);
        bool is_new = true;
        for (std::size_t k = 0; is_new && k < selected.size(); ++k) {
            const int both = common_count(selected[k]->bits, seen->bits);
            is_new = both <= max_similarity * (size + sizes[k] - both);
        }
        if (is_new) selected.push_back(seen), sizes.push_back(size);
    }
    std::vector<CustomerSet> sets;
    for (const Seen* seen : selected) {
        CustomerSet& set = sets.emplace_back();
        for (int c = 0; c < n_; ++c)
            if (seen->bits[c / 64] >> (c % 64) & 1) set.push_back(c);
    }
    return sets;
}

std::vector<CustomerSet> separate(const Support& support, const std::vector<CustomerSet>& starts,
                                  const SeparationLimits& limits, std::uint64_t seed) {
    Separation separation(support, seed, limits.seconds);
    for (const CustomerSet& start : starts) separation.tabu_search(start, start_iterations * limits.effort);
    for (int k = 0; k < limits.effort; ++k) separation.grow(noise_step * k);
    separation.tabu_search_best(tabu_sets * limits.effort, tabu_iterations);
    return separation.best(limits.max_cuts, min_cut_violation, max_cut_similarity);
}

}  // namespace splitroute
