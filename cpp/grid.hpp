// Nearest neighbours among many points: a grid of cells with a few points each.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "distance.hpp"

namespace splitroute {

class Grid {
public:
    Grid(const std::vector<Point>& points, const std::vector<std::int32_t>& members) : points_(points) {
        low_ = high_ = points[members.front()];
        for (int m : members) {
            low_ = {std::min(low_.x, points[m].x), std::min(low_.y, points[m].y)};
            high_ = {std::max(high_.x, points[m].x), std::max(high_.y, points[m].y)};
        }
        const double width = high_.x - low_.x, height = high_.y - low_.y;
        const double area = std::max(width, min_extent) * std::max(height, min_extent);
        cell_ = std::max({std::sqrt(area * points_per_cell / static_cast<double>(members.size())),
                          std::max(width, height) / max_cells_per_side, min_extent});
        columns_ = static_cast<int>(width / cell_) + 1;
        rows_ = static_cast<int>(height / cell_) + 1;
        // Members by cell: those of cell k are members_[first_[k]] up to members_[first_[k + 1]].
        first_.assign(static_cast<std::size_t>(columns_) * rows_ + 1, 0);
        for (int m : members) ++first_[cell_of(points[m]) + 1];
        for (std::size_t k = 1; k < first_.size(); ++k) first_[k] += first_[k - 1];
        std::vector<std::int32_t> next(first_.begin(), first_.end() - 1);
        members_.resize(members.size());
        for (std::int32_t m : members) members_[next[cell_of(points[m])]++] = m;
    }

    // The `count` members nearest to member `from`, nearest first, ties by number.
    void nearest(int from, int count, std::int32_t* out) {
        const Point p = points_[from];
        const int c = column(p), r = row(p);
        found_.clear();
        for (int ring = 0;; ++ring) {
            for (int y = std::max(0, r - ring); y <= std::min(rows_ - 1, r + ring); ++y) {
                const bool edge = y == r - ring || y == r + ring;
                for (int x = c - ring; x <= c + ring; x += edge ? 1 : std::max(1, 2 * ring))
                    if (x >= 0 && x < columns_) collect(at(x, y), from);
            }
            if (static_cast<int>(found_.size()) < count) continue;
            // Points in further rings are at least `ring` cells away.
            std::nth_element(found_.begin(), found_.begin() + count - 1, found_.end());
            const double safe = ring * cell_;
            if (found_[count - 1].first <= safe * safe || ring > columns_ + rows_) break;
        }
        std::sort(found_.begin(), found_.begin() + count);
        for (int k = 0; k < count; ++k) out[k] = found_[k].second;
    }

private:
    static constexpr double points_per_cell = 3;        // few, but not so few that most cells are empty
    static constexpr double max_cells_per_side = 2000;  // bounds the memory for points along a line
    static constexpr double min_extent = 1e-9;          // of points that all coincide

    int column(Point p) const { return std::min(columns_ - 1, static_cast<int>((p.x - low_.x) / cell_)); }
    int row(Point p) const { return std::min(rows_ - 1, static_cast<int>((p.y - low_.y) / cell_)); }
    std::size_t at(int x, int y) const { return static_cast<std::size_t>(y) * columns_ + x; }
    std::size_t cell_of(Point p) const { return at(column(p), row(p)); }

    void collect(std::size_t cell, int from) {
        const Point p = points_[from];
        for (std::int32_t k = first_[cell]; k < first_[cell + 1]; ++k) {
            const std::int32_t m = members_[k];
            if (m == from) continue;
            const double dx = points_[m].x - p.x, dy = points_[m].y - p.y;
            found_.emplace_back(dx * dx + dy * dy, m);
        }
    }

    const std::vector<Point>& points_;
    Point low_{}, high_{};
    double cell_ = 1;
    int columns_ = 1, rows_ = 1;
    std::vector<std::int32_t> first_, members_;
    std::vector<std::pair<double, std::int32_t>> found_;  // reused between calls
};

}  // namespace splitroute
