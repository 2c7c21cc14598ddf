// Nearest neighbours from the grid against sorting all distances.
#include "../grid.hpp"

#include <algorithm>

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

}  // namespace splitroute
