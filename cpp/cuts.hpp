// Separation of rounded capacity cuts: finds sets of customers that are entered less often than their
// demand requires.
//
// The solution of a relaxation says how often each customer is visited and how much flows along each
// edge. Half the flow that leaves a set is the number of its visits less the flow inside. The cut of a
// set is violated if that is less than the number of vehicles that its demand requires.
#pragma once

#include <chrono>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "random.hpp"

namespace splitroute {

using CustomerSet = std::vector<std::int32_t>;

// Customers 0 .. n - 1; the depot has no part in it.
struct Support {
    struct Edge {
        std::int32_t to;
        double flow;
    };
    std::vector<std::vector<Edge>> edges;
    std::vector<double> visits;
    std::vector<std::int64_t> demands;
    std::int64_t capacity;
};

class Separation {
public:
    // When the seconds are over, what is still to be tried is skipped.
    Separation(const Support& support, std::uint64_t seed, double seconds);

    // Greedy construction: from every customer, adds the one that increases the violation most. Noise in
    // this choice leads to other sets.
    void grow(double noise);
    // Tabu search from a set: adds and removes the customer with the best resulting violation.
    void tabu_search(const CustomerSet& start, int iterations);
    // The same from the most violated sets so far.
    void tabu_search_best(int sets, int iterations);

    // The most violated of all sets seen, none too similar to a better one. The similarity is that of
    // Jaccard: the size of the intersection over that of the union.
    std::vector<CustomerSet> best(int max_sets, double min_violation, double max_similarity) const;

private:
    using Clock = std::chrono::steady_clock;
    using Bits = std::vector<std::uint64_t>;
    struct Seen {
        double violation;
        Bits bits;
    };

    bool time_is_up() const { return Clock::now() >= deadline_; }
    void clear();
    void toggle(int customer);
    void remember();
    double violation() const;
    bool contains(int c) const { return bits_[c / 64] >> (c % 64) & 1; }
    std::int64_t vehicles(std::int64_t demand) const {
        return (demand + support_.capacity - 1) / support_.capacity;
    }

    const Support& support_;
    Random random_;
    Clock::time_point deadline_;
    int n_;
    std::vector<std::uint64_t> hashes_;  // per customer; the hash of a set is their sum
    std::unordered_map<std::uint64_t, Seen> seen_;

    // The current set.
    Bits bits_;
    std::vector<double> flow_;           // between it and each customer
    std::vector<std::int32_t> touched_;  // customers with such flow, or inside, now or before
    std::vector<char> is_touched_;
    std::vector<int> tabu_until_;
    std::uint64_t hash_ = 0;
    std::int64_t demand_ = 0;
    double entered_ = 0;  // half the flow that leaves the set
};

struct SeparationLimits {
    int effort;  // multiplies how much is tried
    int max_cuts;
    double seconds;
};

// Violated sets, found from those given and by greedy construction.
std::vector<CustomerSet> separate(const Support& support, const std::vector<CustomerSet>& starts,
                                  const SeparationLimits& limits, std::uint64_t seed);

}  // namespace splitroute
