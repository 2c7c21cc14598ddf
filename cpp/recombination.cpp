#include "recombination.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace splitroute {

namespace {
// Share of its load that a route of the second solution must still have to deliver. Below, so much has to be
// inserted to fill it that little of the route remains.
constexpr double min_kept_load = 0.6;
constexpr double min_share = 0.25, max_share = 0.75;  // of the routes of the first solution
}  // namespace

Routes recombined(const Instance& instance, const Routes& first, const Routes& second, Random& random) {
    // Routes of the first solution by how close they come to a random site.
    const int centre = instance.item(random.below(instance.items())).site;
    std::vector<std::pair<Cost, int>> nearest;
    for (int r = 0; r < static_cast<int>(first.size()); ++r) {
        Cost distance = std::numeric_limits<Cost>::max();
        for (const Visit& visit : first[r])
            distance = std::min(distance, instance.distance(centre, instance.item(visit.item).site));
        nearest.emplace_back(distance, r);
    }
    std::sort(nearest.begin(), nearest.end());
    const double share = min_share + (max_share - min_share) * random.unit();
    const auto kept = static_cast<std::size_t>(1 + share * static_cast<double>(first.size() - 1));
    Routes routes;
    std::vector<int> left(instance.items());
    for (int i = 0; i < instance.items(); ++i) left[i] = instance.item(i).demand;
    for (std::size_t k = 0; k < kept; ++k) {
        routes.push_back(first[nearest[k].second]);
        for (const Visit& visit : routes.back()) left[visit.item] -= visit.quantity;
    }
    for (const Route& route : second) {
        if (static_cast<int>(routes.size()) == instance.max_vehicles()) break;
        std::int64_t deliverable = 0;
        for (const Visit& visit : route) deliverable += std::min(visit.quantity, left[visit.item]);
        if (static_cast<double>(deliverable) < min_kept_load * static_cast<double>(load_of(route))) continue;
        Route& copy = routes.emplace_back();
        for (const Visit& visit : route) {
            // Without splitting, an item is delivered as a whole.
            const int quantity = std::min(visit.quantity, left[visit.item]);
            if (quantity == 0) continue;
            copy.push_back({visit.item, quantity});
            left[visit.item] -= quantity;
        }
    }
    return routes;
}

}  // namespace splitroute
