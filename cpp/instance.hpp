// The instance as the search sees it: sites with distances and neighbours, and items to deliver.
//
// An item is a demand at a site. With splitting there is one item per site and it may be divided at
// will; without it there may be several items per site (the pieces of a split plan), none of which is
// divided. Costs are integers, so that sums are exact and incremental updates never drift.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "cancellation.hpp"
#include "distance.hpp"

namespace splitroute {

using Cost = std::int64_t;

constexpr std::int32_t none = -1;  // no item, node or route

struct Rules;

struct Item {
    std::int32_t site;
    std::int32_t demand;
};

class Instance {
public:
    // The granular neighbourhood of VRPH, for record-to-record travel; annealing uses part of it.
    static constexpr int max_neighbours = 40;

    // Distances are multiplied by `scale` and rounded; they come from a table (row-major, already
    // scaled) or, if that is empty, from coordinates. A part of a whole instance takes over most of its
    // neighbours; `places` are its sites there, in order.
    Instance(std::vector<Point> points, Metric metric, double scale, std::vector<std::int32_t> table,
             int sites, std::vector<Item> items, int capacity, bool allows_splitting, bool is_symmetric,
             int max_vehicles = std::numeric_limits<int>::max(), std::shared_ptr<const Rules> rules = nullptr,
             std::shared_ptr<const Cancellation> cancellation = nullptr, const Instance* whole = nullptr,
             const std::vector<std::int32_t>& places = {});

    int sites() const { return sites_; }  // including the depot, site 0
    int items() const { return static_cast<int>(items_.size()); }
    const Item& item(int i) const { return items_[i]; }
    std::int64_t total_demand() const { return total_demand_; }
    int max_demand() const { return max_demand_; }
    int capacity() const { return capacity_; }
    bool allows_splitting() const { return allows_splitting_; }
    bool is_symmetric() const { return is_symmetric_; }
    bool is_rounded() const { return scale_ != 1; }  // the triangle inequality may be off by one
    int max_vehicles() const { return max_vehicles_; }
    // With fewer, full ones cannot carry everything.
    int min_routes() const { return static_cast<int>((total_demand_ + capacity_ - 1) / capacity_); }
    // Whether the instance, or the one of which it is a part, has many items and no rules. Such instances
    // start from savings, and have temperatures and cooling cycles of their own.
    bool is_large() const { return is_large_; }
    const std::vector<int>& items_at(int site) const { return items_at_[site]; }

    const Rules& rules() const { return *rules_; }  // of rich instances only
    // An instance that is cancelled while it is constructed has no neighbours.
    bool is_cancelled() const { return cancellation_ && cancellation_->is_requested(); }

    Cost distance(int a, int b) const {
        if (!table_.empty()) return table_[static_cast<std::size_t>(a) * sites_ + b];
        // Never negative, so that truncation rounds; lround takes longer.
        // NOLINTNEXTLINE(bugprone-incorrect-roundings)
        return static_cast<Cost>(scale_ * splitroute::distance(metric_, points_[a], points_[b]) + 0.5);
    }

    // The nearest sites that have items, nearest first.
    const std::int32_t* neighbours(int site) const { return neighbours_.data() + first_neighbour(site); }
    int neighbour_count() const { return neighbour_count_; }
    // The distances to these neighbours, and from them.
    const std::int32_t* to_neighbours(int site) const {
        return to_neighbours_.data() + first_neighbour(site);
    }
    const std::int32_t* from_neighbours(int site) const {
        return (is_symmetric_ ? to_neighbours_ : from_neighbours_).data() + first_neighbour(site);
    }

    // Distances between one site and others, in both directions. In a symmetric table they are one row, which
    // stays in the cache.
    class Legs {
    public:
        Legs(const Instance& instance, int site) : instance_(instance), site_(site) {
            if (!instance.table_.empty() && instance.is_symmetric_)
                row_ = instance.table_.data() + static_cast<std::size_t>(site) * instance.sites_;
        }
        Cost to(int other) const { return row_ ? row_[other] : instance_.distance(site_, other); }
        Cost from(int other) const { return row_ ? row_[other] : instance_.distance(other, site_); }

    private:
        const Instance& instance_;
        int site_;
        const std::int32_t* row_ = nullptr;
    };

private:
    std::size_t first_neighbour(int site) const { return static_cast<std::size_t>(site) * neighbour_count_; }
    void find_neighbours(const Instance* whole, const std::vector<std::int32_t>& places);
    void forget_neighbours();
    void measure_neighbours();

    std::vector<Point> points_;
    Metric metric_;
    double scale_;
    std::vector<std::int32_t> table_;
    int sites_;
    std::vector<Item> items_;
    std::int64_t total_demand_ = 0;
    int max_demand_ = 0, capacity_;
    bool allows_splitting_, is_symmetric_, is_large_;
    int max_vehicles_;
    std::shared_ptr<const Rules> rules_;
    std::shared_ptr<const Cancellation> cancellation_;
    std::vector<std::vector<int>> items_at_;
    int neighbour_count_ = 0;
    std::vector<std::int32_t> neighbours_, to_neighbours_, from_neighbours_;
};

}  // namespace splitroute
