#include "instance.hpp"

#include <algorithm>
#include <utility>

#include "grid.hpp"

namespace splitroute {

namespace {
constexpr int max_small_items = 2'000;
constexpr int cancellation_interval = 1024;  // sites; a few milliseconds
constexpr int row_interval = 32;             // sites whose whole row is sorted; likewise
}  // namespace

Instance::Instance(std::vector<Point> points, Metric metric, double scale, std::vector<std::int32_t> table,
                   int sites, std::vector<Item> items, int capacity, bool allows_splitting, bool is_symmetric,
                   int max_vehicles, std::shared_ptr<const Rules> rules,
                   std::shared_ptr<const Cancellation> cancellation, const Instance* whole,
                   const std::vector<std::int32_t>& places)
    : points_(std::move(points)),
      // Whole distances are what rounding the exact ones gives.
      metric_(metric == Metric::dimacs && scale == 1 ? Metric::exact : metric), scale_(scale),
      table_(std::move(table)), sites_(sites), items_(std::move(items)), capacity_(capacity),
      allows_splitting_(allows_splitting), is_symmetric_(is_symmetric), max_vehicles_(max_vehicles),
      rules_(std::move(rules)), cancellation_(std::move(cancellation)), items_at_(sites) {
    is_large_ = whole ? whole->is_large_ : !rules_ && this->items() > max_small_items;
    for (int i = 0; i < this->items(); ++i) {
        items_at_[items_[i].site].push_back(i);
        total_demand_ += items_[i].demand;
        max_demand_ = std::max(max_demand_, items_[i].demand);
    }
    find_neighbours(whole, places);
    measure_neighbours();
}

void Instance::find_neighbours(const Instance* whole, const std::vector<std::int32_t>& places) {
    std::vector<std::int32_t> served;
    for (int s = 1; s < sites_; ++s)
        if (!items_at_[s].empty()) served.push_back(s);
    neighbour_count_ = std::min(max_neighbours, std::max(0, static_cast<int>(served.size()) - 1));
    neighbours_.assign(first_neighbour(sites_), 0);
    if (neighbour_count_ == 0) return;
    if (table_.empty()) {
        std::vector<std::int32_t> site_at(whole ? whole->sites() : 0, none);
        for (int s = 0; s < static_cast<int>(places.size()); ++s) site_at[places[s]] = s;
        Grid grid(points_, served);
        for (int s : served) {
            if (s % cancellation_interval == 0 && is_cancelled()) return forget_neighbours();
            std::int32_t* out = &neighbours_[first_neighbour(s)];
            if (whole) {
                const std::int32_t* known = whole->neighbours(places[s]);
                int count = 0;
                while (count < std::min(neighbour_count_, whole->neighbour_count()) &&
                       site_at[known[count]] != none) {
                    out[count] = site_at[known[count]];
                    ++count;
                }
                if (count == neighbour_count_) continue;
            }
            grid.nearest(s, neighbour_count_, out);
        }
        return;
    }
    std::vector<std::pair<Cost, std::int32_t>> by_distance;
    for (int s : served) {
        if (s % row_interval == 0 && is_cancelled()) return forget_neighbours();
        by_distance.clear();
        for (std::int32_t t : served)
            if (t != s) by_distance.emplace_back(distance(s, t) + distance(t, s), t);
        std::partial_sort(by_distance.begin(), by_distance.begin() + neighbour_count_, by_distance.end());
        for (int k = 0; k < neighbour_count_; ++k)
            neighbours_[first_neighbour(s) + k] = by_distance[k].second;
    }
}

void Instance::forget_neighbours() {
    neighbour_count_ = 0;
    neighbours_.clear();
}

void Instance::measure_neighbours() {
    to_neighbours_.resize(neighbours_.size());
    if (!is_symmetric_) from_neighbours_.resize(neighbours_.size());
    for (std::size_t k = 0; k < neighbours_.size(); ++k) {
        const int site = static_cast<int>(k / neighbour_count_);
        to_neighbours_[k] = static_cast<std::int32_t>(distance(site, neighbours_[k]));
        if (!is_symmetric_) from_neighbours_[k] = static_cast<std::int32_t>(distance(neighbours_[k], site));
    }
}

}  // namespace splitroute
