// A small, fast, portable random number generator: the same numbers on every platform.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace splitroute {

// Rounded to floats, so that platforms whose logarithms differ in the last bit agree.
inline const std::array<float, 4096> exponential_quantiles = [] {
    std::array<float, 4096> quantiles{};
    for (std::size_t k = 0; k < quantiles.size(); ++k)
        quantiles[k] = static_cast<float>(
            -std::log((static_cast<double>(k) + 0.5) / static_cast<double>(quantiles.size())));
    return quantiles;
}();

class Random {  // xoroshiro128+ by Blackman and Vigna, seeded by splitmix64
public:
    explicit Random(std::uint64_t seed) : a_(mixed(seed)), b_(mixed(seed)) {}

    std::uint64_t next() {
        const std::uint64_t sum = a_ + b_, x = a_ ^ b_;
        a_ = rotated(a_, 24) ^ x ^ (x << 16);
        b_ = rotated(x, 37);
        return sum;
    }
    int below(int n) {  // 0 .. n - 1
        return static_cast<int>(((next() >> 32) * static_cast<std::uint64_t>(n)) >> 32);
    }
    int low(int n) {  // 0 .. n - 1, low numbers more often
        const int a = below(n), b = below(n);
        return a < b ? a : b;
    }
    double unit() {  // in (0, 1]
        return static_cast<double>((next() >> 11) + 1) * 0x1.0p-53;
    }
    bool chance(double p) { return unit() <= p; }
    // Exponentially distributed with mean 1: one of 4,096 quantiles, at most 9.
    double exponential() { return exponential_quantiles[next() >> 52]; }

private:
    static std::uint64_t rotated(std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
    static std::uint64_t mixed(std::uint64_t& seed) {
        std::uint64_t z = (seed += 0x9e3779b97f4a7c15);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return z ^ (z >> 31);
    }
    std::uint64_t a_, b_;
};

}  // namespace splitroute
