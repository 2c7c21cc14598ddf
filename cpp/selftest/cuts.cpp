// Sets found by the separation against all sets there are.
#include "../cuts.hpp"

#include <algorithm>

#include "check.hpp"

namespace splitroute {

namespace {
double violation(const Support& support, const CustomerSet& set) {
    std::int64_t load = 0;
    double slack = 0;
    for (int a : set) {
        load += support.demands[a];
        slack += support.visits[a];
        for (const auto& edge : support.edges[a])
            if (std::find(set.begin(), set.end(), edge.to) != set.end()) slack -= edge.flow / 2;
    }
    const std::int64_t vehicles = (load + support.capacity - 1) / support.capacity;
    return static_cast<double>(vehicles) - slack;
}
}  // namespace

TEST(separation_finds_the_most_violated_sets) {
    Random random(7);
    int trials = 0, worst_found = 0;
    for (; trials < 60; ++trials) {
        const int n = 3 + random.below(8);
        Support support{std::vector<std::vector<Support::Edge>>(n), {}, {}, 10};
        for (int i = 0; i < n; ++i) {
            support.visits.push_back(1 + 0.5 * random.below(2));
            support.demands.push_back(1 + random.below(12));
            for (int j = 0; j < i; ++j)
                if (random.below(2)) {
                    const double flow = 0.25 * (1 + random.below(3));
                    support.edges[i].push_back({j, flow});
                    support.edges[j].push_back({i, flow});
                }
        }
        double worst = 0;
        for (int bits = 1; bits < 1 << n; ++bits) {
            CustomerSet set;
            for (int c = 0; c < n; ++c)
                if (bits >> c & 1) set.push_back(c);
            worst = std::max(worst, violation(support, set));
        }
        Separation separation(support, trials, 1e9);
        separation.grow(0);
        separation.grow(0.5);
        separation.tabu_search_best(50, 40);
        const auto found = separation.best(1000, 0.01, 1.0);
        double best = 0;
        for (const auto& set : found) {
            CHECK(violation(support, set) > 0.009);
            best = std::max(best, violation(support, set));
        }
        CHECK(best < worst + 1e-9);
        worst_found += best > worst - 1e-9;
        for (const auto& set : separation.best(5, 0.01, 0.5)) CHECK(violation(support, set) > 0.009);
        CHECK(separation.best(5, 0.01, 0.5).size() <= 5);
        const auto cuts = separate(support, {{0, 1}}, {2, 10, 1e9}, trials);
        CHECK(cuts.size() <= 10);
        for (const auto& set : cuts) CHECK(violation(support, set) > 0.009);
        CHECK(cuts.empty() == (best == 0));
        CHECK(separate(support, {{0, 1}}, {2, 10, 0}, trials).empty());  // no time
    }
    CHECK(worst_found >= trials * 9 / 10);
}

}  // namespace splitroute
