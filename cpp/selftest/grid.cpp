// Nearest neighbours from the grid against sorting all distances.
#include "../grid.hpp"

#include <algorithm>
#include <memory>

#include "check.hpp"

namespace splitroute {

TEST(grid_finds_nearest_neighbours) {
    Random random(3);
    for (int trial = 0; trial < 30; ++trial) {
        std::vector<Point> points;
        std::vector<std::int32_t> members;
        const int n = 30 + random.below(200);
        for (int i = 0; i < n; ++i) {
            points.push_back({double(random.below(trial % 3 ? 1000 : 5)), double(random.below(40))});
            members.push_back(i);
        }
        Grid grid(points, members);
        std::vector<std::int32_t> found(20);
        for (int from = 0; from < n; from += 7) {
            grid.nearest(from, 20, found.data());
            std::vector<double> all;
            const auto away = [&](int j) { return distance(Metric::exact, points[from], points[j]); };
            for (int j = 0; j < n; ++j)
                if (j != from) all.push_back(away(j));
            std::sort(all.begin(), all.end());
            for (int k = 0; k < 20; ++k) CHECK(away(found[k]) == all[k]);
        }
    }
}

namespace {

Instance instance_of(const std::vector<Point>& points, const Instance* whole = nullptr,
                     const std::vector<std::int32_t>& places = {},
                     const std::shared_ptr<Cancellation>& cancellation = nullptr) {
    std::vector<Item> items;
    for (int s = 1; s < static_cast<int>(points.size()); ++s) items.push_back({s, 1});
    return Instance(points, Metric::exact, 1, {}, static_cast<int>(points.size()), items, 10, true, true,
                    1000, nullptr, cancellation, whole, places);
}

}  // namespace

TEST(parts_have_the_neighbours_that_they_would_find) {
    Random random(4);
    std::vector<Point> points, kept;
    std::vector<std::int32_t> places;
    for (int s = 0; s < 600; ++s) {
        points.push_back({random.unit(), random.unit()});
        if (s > 0 && points[s].x > 0.6) continue;
        kept.push_back(points[s]);
        places.push_back(s);
    }
    const Instance whole = instance_of(points);
    const Instance part = instance_of(kept, &whole, places), alone = instance_of(kept);
    CHECK(part.neighbour_count() == alone.neighbour_count());
    for (int s = 1; s < part.sites(); ++s)
        CHECK(
            std::equal(part.neighbours(s), part.neighbours(s) + part.neighbour_count(), alone.neighbours(s)));
    const auto cancellation = std::make_shared<Cancellation>();
    cancellation->request();
    for (int s = 600; s < 2000; ++s) points.push_back({random.unit(), random.unit()});
    CHECK(instance_of(points, nullptr, {}, cancellation).neighbour_count() == 0);
}

}  // namespace splitroute
