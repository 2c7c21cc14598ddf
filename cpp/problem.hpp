// The problem as the search sees it: sites with distances and neighbours, and items to deliver.
//
// An item is what must be brought to a site. If splitting is on there is one item per site and it
// may be divided at will; if it is off there may be several items per site (the pieces of a plan)
// and none is divided. Costs are whole numbers, so sums are exact and nothing drifts.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "distance.hpp"

namespace splitroute {

using Cost = std::int64_t;

struct Item {
    std::int32_t site;
    std::int32_t demand;
};

class Problem {
public:
    // Distances are taken times `scale` and rounded; either from a table (row by row, already scaled)
    // or, if that is empty, from coordinates.
    Problem(std::vector<Point> points, Metric metric, double scale, std::vector<std::int32_t> table,
            int sites, std::vector<Item> items, int capacity, bool splitting, bool symmetric,
            int vehicles = std::numeric_limits<int>::max());

    int sites() const { return sites_; }  // the depot, 0, included
    int items() const { return static_cast<int>(items_.size()); }
    const Item& item(int i) const { return items_[i]; }
    int capacity() const { return capacity_; }
    bool splitting() const { return splitting_; }
    bool symmetric() const { return symmetric_; }
    bool rounded() const { return scale_ != 1; }  // a way may seem shorter than a part of it, by one
    int vehicles() const { return vehicles_; }    // no more routes than that
    const std::vector<int>& items_at(int site) const { return items_at_[site]; }

    Cost distance(int a, int b) const {
        if (!table_.empty()) return table_[static_cast<std::size_t>(a) * sites_ + b];
        return static_cast<Cost>(scale_ * splitroute::distance(metric_, points_[a], points_[b]) + 0.5);
    }

    // The nearest sites with something to deliver, nearest first.
    const std::int32_t* neighbours(int site) const {
        return neighbours_.data() + static_cast<std::size_t>(site) * per_site_;
    }
    int neighbour_count() const { return per_site_; }
    // The distances to these neighbours, and from them.
    const std::int32_t* to_neighbours(int site) const {
        return to_neighbours_.data() + static_cast<std::size_t>(site) * per_site_;
    }
    const std::int32_t* from_neighbours(int site) const {
        return (symmetric_ ? to_neighbours_ : from_neighbours_).data() +
               static_cast<std::size_t>(site) * per_site_;
    }

private:
    void find_neighbours(int most);
    void measure_neighbours();

    std::vector<Point> points_;
    Metric metric_;
    double scale_;
    std::vector<std::int32_t> table_;
    int sites_;
    std::vector<Item> items_;
    int capacity_;
    bool splitting_, symmetric_;
    int vehicles_;
    std::vector<std::vector<int>> items_at_;
    int per_site_ = 0;
    std::vector<std::int32_t> neighbours_, to_neighbours_, from_neighbours_;
};

}  // namespace splitroute
