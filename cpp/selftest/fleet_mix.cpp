// The cheapest fleet against all fleets of three types.
#include "../fleet_mix.hpp"

#include <algorithm>
#include <limits>

#include "check.hpp"

namespace splitroute {

TEST(finds_the_cheapest_fleet) {
    Random random(5);
    for (int trial = 0; trial < 300; ++trial) {
        std::vector<VehicleType> types(3);
        std::vector<double> prices;
        for (VehicleType& type : types) {
            type.capacity = 1 + random.below(20);
            type.count = random.below(6);
            type.max_trips = 1 + random.below(2);
            prices.push_back(1 + random.below(100));
        }
        const int quantity = 1 + random.below(120);
        double least = std::numeric_limits<double>::infinity();
        auto consider = [&](int a, int b, int c) {
            const std::int64_t room =
                a * types[0].total_capacity() + b * types[1].total_capacity() + c * types[2].total_capacity();
            if (room >= quantity) least = std::min(least, a * prices[0] + b * prices[1] + c * prices[2]);
        };
        for (int a = 0; a <= types[0].count; ++a)
            for (int b = 0; b <= types[1].count; ++b)
                for (int c = 0; c <= types[2].count; ++c) consider(a, b, c);
        const std::vector<int> mix = cheapest_mix(types, prices, quantity);
        CHECK(mix.empty() == std::isinf(least));
        if (mix.empty()) continue;
        double price = 0;
        std::int64_t room = 0;
        for (int t = 0; t < 3; ++t) {
            CHECK(mix[t] <= types[t].count);
            price += mix[t] * prices[t];
            room += mix[t] * types[t].total_capacity();
        }
        CHECK(room >= quantity);
        CHECK(price == least);
    }
}

TEST(large_fleets_carry_large_quantities) {
    std::vector<VehicleType> types(2);
    types[0].capacity = 33'000, types[0].count = 10'000;
    types[1].capacity = 7'001, types[1].count = 10'000;
    const std::vector<int> mix = cheapest_mix(types, {10, 2}, 20'000'000);
    CHECK(mix.size() == 2);
    CHECK(mix[0] * types[0].total_capacity() + mix[1] * types[1].total_capacity() >= 20'000'000);
}

}  // namespace splitroute
