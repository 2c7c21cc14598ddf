#include "construct.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace splitroute {

namespace {

// Fills one vehicle after the other, in the order of the items: uses as few vehicles as possible.
Routes packed(const Instance& instance) {
    Routes routes;
    int room = 0;
    for (int i = 0; i < instance.items(); ++i) {
        for (int left = instance.item(i).demand; left > 0;) {
            if (room == 0) {
                routes.emplace_back();
                room = instance.capacity();
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

// With rules, what cannot be served is left undelivered.
void construct(State<Rich>& state, Inserter<Rich>& inserter, const Routes& routes) {
    const Instance& instance = state.instance;
    state.load_routes(routes);
    std::vector<std::pair<Cost, int>> farthest_first;
    for (int i = 0; i < instance.items(); ++i)
        if (state.undelivered(i) > 0)
            farthest_first.emplace_back(
                -instance.distance(instance.rules().types[0].start, instance.item(i).site), i);
    std::sort(farthest_first.begin(), farthest_first.end());
    for (auto [_, item] : farthest_first) {
        if (state.is_nearly_full()) return;
        const int quantity = state.undelivered(item);
        const std::int64_t missing = state.missing();
        state.change_undelivered(item, -quantity);
        inserter.insert(item, quantity);
        // What may stay undelivered must not need a trip that cannot be filled.
        if (!instance.rules().items[item].is_mandatory && state.missing() > missing) state.undo();
        else state.commit();
    }
}

void construct(State<Plain>& state, Inserter<Plain>& inserter, const Routes& routes) {
    const Instance& instance = state.instance;
    std::vector<int> unserved(instance.items());
    for (int i = 0; i < instance.items(); ++i) unserved[i] = instance.item(i).demand;
    for (const Route& route : routes)
        for (const Visit& visit : route) unserved[visit.item] -= visit.quantity;
    std::vector<std::pair<Cost, int>> farthest_first;
    for (int i = 0; i < instance.items(); ++i)
        if (unserved[i] > 0) farthest_first.emplace_back(-instance.distance(0, instance.item(i).site), i);
    std::sort(farthest_first.begin(), farthest_first.end());
    state.load_routes(routes);
    for (auto [_, item] : farthest_first) {
        const bool full = state.is_nearly_full() && !routes.empty();
        if (full || !inserter.insert(item, unserved[item])) {  // out of vehicles
            if (!routes.empty()) return construct(state, inserter, {});
            return state.load_routes(packed(instance));
        }
        state.commit();
    }
}

}  // namespace splitroute
