#include "problem.hpp"

#include <algorithm>
#include <utility>

#include "grid.hpp"

namespace splitroute {

namespace {
constexpr int most_neighbours = 40;
}

Problem::Problem(std::vector<Point> points, Metric metric, double scale, std::vector<std::int32_t> table,
                 int sites, std::vector<Item> items, int capacity, bool splitting, bool symmetric,
                 int vehicles)
    : points_(std::move(points)), metric_(metric), scale_(scale), table_(std::move(table)), sites_(sites),
      items_(std::move(items)), capacity_(capacity), splitting_(splitting), symmetric_(symmetric),
      vehicles_(vehicles), items_at_(sites) {
    for (int i = 0; i < this->items(); ++i) items_at_[items_[i].site].push_back(i);
    find_neighbours(most_neighbours);
    measure_neighbours();
}

void Problem::find_neighbours(int most) {
    std::vector<std::int32_t> served;
    for (int s = 1; s < sites_; ++s)
        if (!items_at_[s].empty()) served.push_back(s);
    per_site_ = std::min<int>(most, std::max<int>(0, static_cast<int>(served.size()) - 1));
    neighbours_.assign(static_cast<std::size_t>(sites_) * per_site_, 0);
    if (per_site_ == 0) return;
    if (table_.empty()) {
        const Grid grid(points_, served);
        for (int s : served)
            grid.nearest(s, per_site_, &neighbours_[static_cast<std::size_t>(s) * per_site_]);
        return;
    }
    std::vector<std::pair<Cost, std::int32_t>> by_distance;
    for (int s : served) {
        by_distance.clear();
        for (std::int32_t t : served)
            if (t != s) by_distance.emplace_back(distance(s, t) + distance(t, s), t);
        std::partial_sort(by_distance.begin(), by_distance.begin() + per_site_, by_distance.end());
        for (int k = 0; k < per_site_; ++k)
            neighbours_[static_cast<std::size_t>(s) * per_site_ + k] = by_distance[k].second;
    }
}

void Problem::measure_neighbours() {
    to_neighbours_.resize(neighbours_.size());
    if (!symmetric_) from_neighbours_.resize(neighbours_.size());
    for (std::size_t k = 0; k < neighbours_.size(); ++k) {
        const int site = static_cast<int>(k / per_site_);
        to_neighbours_[k] = static_cast<std::int32_t>(distance(site, neighbours_[k]));
        if (!symmetric_) from_neighbours_[k] = static_cast<std::int32_t>(distance(neighbours_[k], site));
    }
}

}  // namespace splitroute
