#include "construct.hpp"

#include <algorithm>
#include <utility>

namespace splitroute {

namespace {
using Routes = std::vector<std::vector<Delivery>>;

// One vehicle after the other filled to the brim, in the order of the items.
Routes packed(const Problem& problem) {
    Routes routes;
    int room = 0;
    for (int i = 0; i < problem.items(); ++i) {
        for (int left = problem.item(i).demand; left > 0;) {
            if (room == 0) {
                routes.emplace_back();
                room = problem.capacity();
            }
            const int amount = std::min(left, room);
            routes.back().push_back({i, amount});
            left -= amount;
            room -= amount;
        }
    }
    return routes;
}
}  // namespace

void construct(State& state, Inserter& inserter, const Routes& routes) {
    const Problem& problem = state.problem;
    std::vector<int> missing;
    for (int i = 0; i < problem.items(); ++i) missing.push_back(problem.item(i).demand);
    for (const auto& stops : routes)
        for (const Delivery& s : stops) missing[s.item] -= s.quantity;
    std::vector<std::pair<Cost, int>> far_first;
    for (int i = 0; i < problem.items(); ++i)
        if (missing[i] > 0) far_first.emplace_back(-problem.distance(0, problem.item(i).site), i);
    std::sort(far_first.begin(), far_first.end());
    state.load_routes(routes);
    for (auto [_, item] : far_first) {
        const bool crowded = state.crowded() && !routes.empty();
        if (crowded || !inserter.insert(item, missing[item])) {  // out of vehicles
            if (!routes.empty()) return construct(state, inserter, {});
            return state.load_routes(packed(problem));
        }
        state.commit();
    }
}

}  // namespace splitroute
