// The only file of the core that knows Python.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string_view.h>

#include <cstdint>
#include <cstddef>
#include <string_view>

#include "distance.hpp"

namespace nb = nanobind;
using namespace splitroute;

namespace {

template <class T, int Dim>
using View = nb::ndarray<const T, nb::ndim<Dim>, nb::c_contig, nb::device::cpu>;
using Matrix = nb::ndarray<nb::numpy, double, nb::ndim<2>>;
using Vector = nb::ndarray<nb::numpy, double, nb::ndim<1>>;

// An array that owns `size` doubles; `fill` writes them with the interpreter lock released.
template <class Fill>
double* filled(std::size_t size, Fill fill) {
    double* data = new double[size];
    nb::gil_scoped_release release;
    fill(data);
    return data;
}

nb::capsule owner_of(double* data) {
    return nb::capsule(data, [](void* p) noexcept { delete[] static_cast<double*>(p); });
}

Point point(const View<double, 2>& xy, std::size_t i) { return {xy(i, 0), xy(i, 1)}; }

Matrix distance_matrix(View<double, 2> xy, std::string_view name) {
    const Metric metric = metric_from(name);
    const std::size_t n = xy.shape(0);
    double* data = filled(n * n, [&](double* out) {
        for (std::size_t i = 0; i < n; ++i) {
            out[i * n + i] = 0;
            for (std::size_t j = i + 1; j < n; ++j)
                out[i * n + j] = out[j * n + i] = distance(metric, point(xy, i), point(xy, j));
        }
    });
    return Matrix(data, {n, n}, owner_of(data));
}

// Cost of each route. Route r visits places[ends[r - 1] .. ends[r]), and starts and ends at place 0.
template <class Between>
Vector route_costs(const View<std::int64_t, 1>& places, const View<std::int64_t, 1>& ends,
                   Between between) {
    const std::size_t count = ends.shape(0);
    double* data = filled(count, [&](double* out) {
        std::int64_t k = 0;
        for (std::size_t r = 0; r < count; ++r) {
            double cost = 0;
            std::int64_t at = 0;
            for (; k < ends(r); ++k) {
                cost += between(at, places(k));
                at = places(k);
            }
            out[r] = cost + between(at, std::int64_t{0});
        }
    });
    return Vector(data, {count}, owner_of(data));
}

}  // namespace

NB_MODULE(_core, m) {
    m.doc() = "The compiled core of splitroute.";
    m.def("distance_matrix", &distance_matrix, nb::arg("xy"), nb::arg("metric"));
    m.def("route_costs",
          [](View<double, 2> xy, std::string_view name, View<std::int64_t, 1> places,
             View<std::int64_t, 1> ends) {
              const Metric metric = metric_from(name);
              return route_costs(places, ends, [&](std::int64_t i, std::int64_t j) {
                  return distance(metric, point(xy, i), point(xy, j));
              });
          },
          nb::arg("xy"), nb::arg("metric"), nb::arg("places"), nb::arg("ends"));
    m.def("matrix_route_costs",
          [](View<double, 2> matrix, View<std::int64_t, 1> places, View<std::int64_t, 1> ends) {
              return route_costs(places, ends,
                                 [&](std::int64_t i, std::int64_t j) { return matrix(i, j); });
          },
          nb::arg("matrix"), nb::arg("places"), nb::arg("ends"));
}
