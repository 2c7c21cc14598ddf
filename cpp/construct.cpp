#include "construct.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "savings.hpp"

namespace splitroute {

namespace {

// Routes of a first solution beyond those that full vehicles need: a share of them, and one more. With fewer
// there is so little room that the search hardly moves.
constexpr double max_surplus = 0.004;

// The visits of some routes on as few vehicles as possible: each is filled, then the next.
Routes packed(const Instance& instance, const Routes& routes) {
    Routes full;
    int room = 0;
    for (const Route& route : routes)
        for (Visit visit : route) {
            while (visit.quantity > 0) {
                if (room == 0) {
                    full.emplace_back();
                    room = instance.capacity();
                }
                const int amount = std::min(visit.quantity, room);
                full.back().push_back({visit.item, amount});
                visit.quantity -= amount;
                room -= amount;
            }
        }
    return full;
}

// All items in their order, which follows a space-filling curve.
Routes packed(const Instance& instance) {
    Route all;
    for (int i = 0; i < instance.items(); ++i) all.push_back({i, instance.item(i).demand});
    return packed(instance, {all});
}

// The routes of the savings algorithm. Merging only neighbours, it leaves some that are nearly empty in every
// dense cluster; those with the smallest loads are packed anew, each after the one that is next along the
// curve.
Routes savings_routes(const Instance& instance) {
    Savings savings(instance, 1.0);
    savings.advance([&] { return instance.is_cancelled(); });
    Routes routes = savings.routes();
    if (!instance.allows_splitting()) return routes;
    const auto has_more = [](const Route& a, const Route& b) { return load_of(a) > load_of(b); };
    std::stable_sort(routes.begin(), routes.end(), has_more);
    const double enough = std::min<double>(
        instance.max_vehicles(),
        (1 + max_surplus) * static_cast<double>(instance.total_demand()) / instance.capacity() + 1);
    Routes small;
    std::int64_t load = 0;
    const auto after_packing = [&] {
        return static_cast<double>(routes.size()) +
               std::ceil(static_cast<double>(load) / instance.capacity());
    };
    while (!routes.empty() && after_packing() > enough) {
        load += load_of(routes.back());
        small.push_back(std::move(routes.back()));
        routes.pop_back();
    }
    const auto comes_first = [](const Route& a, const Route& b) {
        return a[a.size() / 2].item < b[b.size() / 2].item;
    };
    std::stable_sort(small.begin(), small.end(), comes_first);
    for (Route& route : packed(instance, small)) routes.push_back(std::move(route));
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
        if (instance.is_cancelled() && !instance.rules().items[item].is_mandatory) continue;
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
    inserter.clear_scanned_routes();  // their numbers mean other routes from now on
    // Insertion would be slower, and its solution worse.
    if (routes.empty() && instance.is_large() && instance.max_demand() <= instance.capacity()) {
        Routes first = savings_routes(instance);
        if (static_cast<int>(first.size()) <= instance.max_vehicles()) return state.load_routes(first);
    }
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
        if (instance.is_cancelled() && instance.allows_splitting())
            return state.load_routes(packed(instance));
        const auto before = state.mark();
        if (!inserter.insert(item, unserved[item])) {  // out of vehicles
            state.undo_to(before);
            if (!instance.allows_splitting() || !inserter.insert_anywhere(item, unserved[item]))
                return state.load_routes(packed(instance));
        }
        if (state.is_nearly_full() && !routes.empty()) return construct(state, inserter, {});
        state.commit();
    }
}

}  // namespace splitroute
