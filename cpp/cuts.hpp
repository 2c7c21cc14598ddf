// Finds sets of customers that are entered less often than their load requires.
//
// A solution of a relaxation says how often each customer is visited and how much flows along each
// edge; half of what flows out of a set is its visits less the flow within. A set is violated if that
// is less than the number of vehicles that its load takes.
#pragma once

#include <chrono>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "random.hpp"

namespace splitroute {

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
    // When so many seconds are over, what is still to be tried is left out.
    Separation(const Support& support, std::uint64_t seed, double seconds);

    // From every customer, adds the one that makes the set leak least, again and again.
    void grow(double noise);
    // Lets customers in and out of a set, the best first and none twice in a short while.
    void exchange(const std::vector<std::int32_t>& set, int exchanges);
    // The same for the most violated sets so far.
    void exchange_best(int sets, int exchanges);

    // The most violated of all sets met, none much like a better one.
    std::vector<std::vector<std::int32_t>> best(int most, double violated, double alike) const;

private:
    using Clock = std::chrono::steady_clock;
    using Bits = std::vector<std::uint64_t>;
    struct Met {
        double violation;
        Bits bits;
    };

    bool over() const { return Clock::now() >= until_; }
    void clear();
    void turn(int customer);  // lets it in or out
    void note();
    double violation() const;
    std::int64_t vehicles(std::int64_t load) const {
        return (load + support_.capacity - 1) / support_.capacity;
    }

    const Support& support_;
    Random random_;
    Clock::time_point until_;
    int n_;
    std::vector<std::uint64_t> names_;  // the name of a set is the sum of its customers'
    std::unordered_map<std::uint64_t, Met> met_;

    // The set at hand.
    Bits bits_;
    std::vector<double> into_;           // flow between it and each customer
    std::vector<std::int32_t> touched_;  // customers with such flow, or inside, now or before
    std::vector<char> seen_;
    std::vector<int> rests_until_;
    std::uint64_t name_ = 0;
    std::int64_t load_ = 0;
    double slack_ = 0;
    bool inside(int c) const { return bits_[c / 64] >> (c % 64) & 1; }
};

}  // namespace splitroute
