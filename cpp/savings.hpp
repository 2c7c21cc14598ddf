// The savings of Clarke and Wright, with the shape parameter lambda of Yellow.
//
// G. Clarke, J. Wright: Scheduling of vehicles from a central depot to a number of delivery points.
// Operations Research 12 (1964).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "state.hpp"

namespace splitroute {

// Routes of items, none of them divided, merged end to end in the order of what that saves:
// d(i, 0) + d(0, j) - lambda d(i, j), over all pairs, or over those of neighbouring sites if there
// are very many.
inline std::vector<std::vector<Delivery>> savings(const Problem& problem, double lambda) {
    struct Merger {
        double saved;
        std::int32_t i, j;
    };
    const int n = problem.items();
    std::vector<Merger> mergers;
    auto propose = [&](int i, int j) {
        const int a = problem.item(i).site, b = problem.item(j).site;
        const auto saved = static_cast<double>(problem.distance(a, 0) + problem.distance(0, b)) -
                           lambda * static_cast<double>(problem.distance(a, b));
        mergers.push_back({saved, i, j});
    };
    constexpr int few = 2'000;
    for (int i = 0; i < n; ++i) {
        if (n <= few) {
            for (int j = problem.symmetric() ? i + 1 : 0; j < n; ++j)
                if (i != j) propose(i, j);
            continue;
        }
        const int site = problem.item(i).site;
        for (int j : problem.items_at(site))
            if (problem.symmetric() ? i < j : i != j) propose(i, j);
        const std::int32_t* near = problem.neighbours(site);
        for (int k = 0; k < problem.neighbour_count(); ++k)
            for (int j : problem.items_at(near[k])) propose(i, j);
    }
    std::sort(mergers.begin(), mergers.end(), [](const Merger& a, const Merger& b) {
        if (a.saved != b.saved) return a.saved > b.saved;
        return a.i != b.i ? a.i < b.i : a.j < b.j;
    });
    // Each item knows its route; a route knows its items in order.
    std::vector<std::vector<std::int32_t>> routes(n);
    std::vector<std::int32_t> route_of(n), load(n);
    for (int i = 0; i < n; ++i) {
        routes[i] = {i};
        route_of[i] = i;
        load[i] = problem.item(i).demand;
    }
    for (const Merger& m : mergers) {
        const int a = route_of[m.i], b = route_of[m.j];
        if (a == b || static_cast<std::int64_t>(load[a]) + load[b] > problem.capacity()) continue;
        const bool i_first = routes[a].front() == m.i, i_last = routes[a].back() == m.i;
        const bool j_first = routes[b].front() == m.j, j_last = routes[b].back() == m.j;
        if ((!i_first && !i_last) || (!j_first && !j_last)) continue;
        if (!problem.symmetric() && (!i_last || !j_first)) continue;
        if (!i_last) std::reverse(routes[a].begin(), routes[a].end());
        if (!j_first) std::reverse(routes[b].begin(), routes[b].end());
        for (int item : routes[b]) {
            routes[a].push_back(item);
            route_of[item] = a;
        }
        routes[b].clear();
        load[a] += load[b];
    }
    std::vector<std::vector<Delivery>> out;
    for (const auto& route : routes) {
        if (route.empty()) continue;
        out.emplace_back();
        for (int item : route) out.back().push_back({item, problem.item(item).demand});
    }
    return out;
}

}  // namespace splitroute
