#include "fleet_mix.hpp"

#include <algorithm>
#include <limits>

namespace splitroute {

namespace {
constexpr std::int64_t max_steps = 4096;  // of quantity; more would take long and change little
constexpr double unknown = std::numeric_limits<double>::infinity();
}  // namespace

std::vector<int> cheapest_mix(const std::vector<VehicleType>& types, const std::vector<double>& prices,
                              std::int64_t quantity) {
    const std::int64_t unit = std::max<std::int64_t>(1, (quantity + max_steps - 1) / max_steps);
    const auto steps = static_cast<int>((quantity + unit - 1) / unit);
    // The least price of vehicles of the types so far for every quantity, and how many of the last one.
    std::vector<double> least(steps + 1, unknown);
    least[0] = 0;
    std::vector<std::vector<int>> copies(types.size(), std::vector<int>(steps + 1, 0));
    auto rest = [](int step, int room) { return std::max(0, step - room); };
    std::vector<int> rooms;
    for (std::size_t t = 0; t < types.size(); ++t) {
        // Rounded down, so that the mix carries everything.
        const std::int64_t carried = types[t].total_capacity() / unit;
        const int room = static_cast<int>(std::min<std::int64_t>(carried, steps));
        rooms.push_back(room);
        if (room == 0) continue;
        const int useful = std::min(types[t].count, (steps + room - 1) / room);
        for (int k = 0; k < useful; ++k)
            for (int step = steps; step > 0; --step) {
                const double price = least[rest(step, room)] + prices[t];
                if (price >= least[step]) continue;
                least[step] = price;
                copies[t][step] = copies[t][rest(step, room)] + 1;
            }
    }
    if (least[steps] == unknown) return {};
    std::vector<int> mix(types.size(), 0);
    for (int t = static_cast<int>(types.size()) - 1, step = steps; t >= 0; --t) {
        mix[t] = copies[t][step];
        step = rest(step, mix[t] * rooms[t]);
    }
    return mix;
}

}  // namespace splitroute
