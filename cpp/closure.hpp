// The metric closure: shortest paths between all places.
//
// R. Floyd: Algorithm 97, shortest path. Communications of the ACM 5 (1962).
#pragma once

#include <cstddef>
#include <cstdint>

namespace splitroute {

// Replaces the distances of an n x n table by those of shortest paths. `via` receives an intermediate
// place of each path, -1 if it is direct; places before `first` are never intermediate.
inline void close_under_shortest_paths(double* table, std::int32_t* via, std::size_t n, std::size_t first) {
    for (std::size_t k = 0; k < n * n; ++k) via[k] = -1;
    for (std::size_t k = first; k < n; ++k)
        for (std::size_t i = 0; i < n; ++i) {
            const double to_k = table[i * n + k];
            const double* from_k = table + k * n;
            double* row = table + i * n;
            for (std::size_t j = 0; j < n; ++j)
                if (to_k + from_k[j] < row[j]) {
                    row[j] = to_k + from_k[j];
                    via[i * n + j] = static_cast<std::int32_t>(k);
                }
        }
}

}  // namespace splitroute
