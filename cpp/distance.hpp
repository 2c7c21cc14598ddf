// The distance between two points, for every metric that is computed from coordinates.
#pragma once

#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string_view>

namespace splitroute {

enum class Metric { exact, dimacs, haversine };

inline Metric metric_from(std::string_view name) {
    if (name == "exact") return Metric::exact;
    if (name == "dimacs") return Metric::dimacs;
    if (name == "haversine") return Metric::haversine;
    throw std::invalid_argument("unknown metric of coordinates; known: exact, dimacs, haversine");
}

struct Point {
    double x, y;  // for haversine: longitude, latitude in degrees
};

inline double haversine(Point a, Point b) {
    constexpr double radius_km = 6371.0088;  // mean Earth radius
    constexpr double rad = std::numbers::pi / 180.0;
    const double u = std::sin((b.y - a.y) * rad / 2), v = std::sin((b.x - a.x) * rad / 2);
    const double h = u * u + std::cos(a.y * rad) * std::cos(b.y * rad) * v * v;
    return 2 * radius_km * std::asin(std::sqrt(std::fmin(1.0, h)));
}

inline double distance(Metric metric, Point a, Point b) {
    if (metric == Metric::haversine) return haversine(a, b);
    // sqrt and not hypot: correctly rounded on every platform, so costs agree to the last bit.
    const double dx = a.x - b.x, dy = a.y - b.y;
    const double d = std::sqrt(dx * dx + dy * dy);
    return metric == Metric::dimacs ? std::floor(d + 0.5) : d;
}

}  // namespace splitroute
