// Shortest ways between all places.
//
// R. Floyd: Algorithm 97, shortest path. Communications of the ACM 5 (1962).
#pragma once

#include <cstddef>
#include <cstdint>

namespace splitroute {

// Shortens an n x n table in place; `via` is told a place to pass for each way, -1 if it is direct.
// Places before the first are not passed.
inline void close_under_shortest_paths(double* table, std::int32_t* via, std::size_t n, std::size_t first) {
    for (std::size_t k = 0; k < n * n; ++k) via[k] = -1;
    for (std::size_t k = first; k < n; ++k)
        for (std::size_t i = 0; i < n; ++i) {
            const double first = table[i * n + k];
            const double* rest = table + k * n;
            double* row = table + i * n;
            for (std::size_t j = 0; j < n; ++j)
                if (first + rest[j] < row[j]) {
                    row[j] = first + rest[j];
                    via[i * n + j] = static_cast<std::int32_t>(k);
                }
        }
}

}  // namespace splitroute
