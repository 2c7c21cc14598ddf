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
        cells_.resize(static_cast<std::size_t>(columns_) * rows_);
        for (std::int32_t m : members) cells_[at(column(points[m]), row(points[m]))].push_back(m);
    }

    // The `count` members nearest to member `from`, nearest first, ties by number.
    void nearest(int from, int count, std::int32_t* out) const {
        const Point p = points_[from];
        const int c = column(p), r = row(p);
        std::vector<std::pair<double, std::int32_t>> found;
        for (int ring = 0;; ++ring) {
            for (int y = r - ring; y <= r + ring; ++y) {
                if (y < 0 || y >= rows_) continue;
                const bool edge = y == r - ring || y == r + ring;
                for (int x = c - ring; x <= c + ring; x += edge ? 1 : std::max(1, 2 * ring)) {
                    if (x < 0 || x >= columns_) continue;
                    for (std::int32_t m : cells_[at(x, y)])
                        if (m != from) {
                            const double dx = points_[m].x - p.x, dy = points_[m].y - p.y;
                            found.emplace_back(dx * dx + dy * dy, m);
                        }
                }
            }
            // Points in further rings are at least `ring` cells away.
            if (static_cast<int>(found.size()) >= count) {
                std::sort(found.begin(), found.end());
                const double safe = ring * cell_;
                if (found[count - 1].first <= safe * safe || ring > columns_ + rows_) break;
            }
        }
        for (int k = 0; k < count; ++k) out[k] = found[k].second;
    }

private:
    static constexpr double points_per_cell = 3;        // few, but not so few that most cells are empty
    static constexpr double max_cells_per_side = 2000;  // bounds the memory for points along a line
    static constexpr double min_extent = 1e-9;          // of points that all coincide

    int column(Point p) const { return std::min(columns_ - 1, static_cast<int>((p.x - low_.x) / cell_)); }
    int row(Point p) const { return std::min(rows_ - 1, static_cast<int>((p.y - low_.y) / cell_)); }
    std::size_t at(int x, int y) const { return static_cast<std::size_t>(y) * columns_ + x; }

    const std::vector<Point>& points_;
    Point low_{}, high_{};
    double cell_ = 1;
    int columns_ = 1, rows_ = 1;
    std::vector<std::vector<std::int32_t>> cells_;
};

}  // namespace splitroute
