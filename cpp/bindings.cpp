// The only file of the core that knows Python.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "anneal.hpp"
#include "closure.hpp"
#include "distance.hpp"
#include "problem.hpp"
#include "record.hpp"

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

nb::ndarray<nb::numpy, std::int32_t, nb::ndim<2>> closed(
    nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu> table) {
    const std::size_t n = table.shape(0);
    auto* via = new std::int32_t[n * n];
    {
        nb::gil_scoped_release release;
        close_under_shortest_paths(table.data(), via, n);
    }
    nb::capsule owner(via, [](void* p) noexcept { delete[] static_cast<std::int32_t*>(p); });
    return nb::ndarray<nb::numpy, std::int32_t, nb::ndim<2>>(via, {n, n}, owner);
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

using Column = View<std::int32_t, 1>;

// Routes cross the border as (item, quantity) pairs with a count of visits per route.
using Flat = std::pair<std::vector<int>, std::vector<std::pair<int, int>>>;
using Routes = std::vector<std::vector<Delivery>>;

Flat folded(const Routes& routes) {
    Flat out;
    for (const auto& route : routes) {
        out.first.push_back(static_cast<int>(route.size()));
        for (const Delivery& d : route) out.second.emplace_back(d.item, d.quantity);
    }
    return out;
}

Routes unfolded(const Flat& flat) {
    Routes routes;
    std::size_t k = 0;
    for (int length : flat.first) {
        routes.emplace_back();
        for (int i = 0; i < length; ++i, ++k)
            routes.back().push_back({flat.second[k].first, flat.second[k].second});
    }
    return routes;
}

Problem problem_from(View<double, 2> xy, std::string_view metric, double scale,
                     View<std::int32_t, 2> table, int sites, Column item_sites, Column demands,
                     int capacity, bool splitting, bool symmetric) {
    std::vector<Point> points;
    for (std::size_t i = 0; i < xy.shape(0); ++i) points.push_back(point(xy, i));
    std::vector<Item> items;
    for (std::size_t i = 0; i < item_sites.shape(0); ++i) items.push_back({item_sites(i), demands(i)});
    return Problem(std::move(points), metric == "matrix" ? Metric::exact : metric_from(metric), scale,
                   {table.data(), table.data() + table.size()}, sites, std::move(items), capacity,
                   splitting, symmetric);
}

void bind_searches(nb::module_& m) {
    nb::class_<Problem>(m, "Problem")
        .def("__init__",
             [](Problem* self, View<double, 2> xy, std::string_view metric, double scale,
                View<std::int32_t, 2> table, int sites, Column item_sites, Column demands, int capacity,
                bool splitting, bool symmetric) {
                 new (self) Problem(problem_from(xy, metric, scale, table, sites, item_sites, demands,
                                                 capacity, splitting, symmetric));
             },
             nb::arg("xy"), nb::arg("metric"), nb::arg("scale"), nb::arg("table"), nb::arg("sites"),
             nb::arg("item_sites"), nb::arg("demands"), nb::arg("capacity"), nb::arg("splitting"),
             nb::arg("symmetric"));

    using Unlocked = nb::call_guard<nb::gil_scoped_release>;
    nb::class_<Anneal>(m, "Anneal")
        .def("__init__", [](Anneal* self, const Problem& problem, std::uint64_t seed) {
                 new (self) Anneal(problem, seed, Settings{});
             }, nb::arg("problem"), nb::arg("seed"), nb::keep_alive<1, 2>())
        .def("plan", &Anneal::plan, nb::arg("seconds"), nb::arg("iterations"))
        .def("start", nb::overload_cast<>(&Anneal::start), Unlocked())
        .def("start_from", [](Anneal& a, const Flat& routes) { a.start(unfolded(routes)); },
             nb::arg("routes"), Unlocked())
        .def("adopt", [](Anneal& a, const Flat& routes) { a.adopt(unfolded(routes)); },
             nb::arg("routes"))
        .def("advance", &Anneal::advance, nb::arg("iterations"), nb::arg("seconds"), Unlocked())
        .def_prop_ro("iterations", &Anneal::iterations)
        .def_prop_ro("best_cost", &Anneal::best_cost)
        .def("best", [](const Anneal& a) { return folded(a.best()); });

    nb::class_<Record>(m, "Record")
        .def(nb::init<const Problem&, std::uint64_t>(), nb::arg("problem"), nb::arg("seed"),
             nb::keep_alive<1, 2>())
        .def("start_from", [](Record& r, const Flat& routes) { r.start(unfolded(routes)); },
             nb::arg("routes"))
        .def("advance", &Record::advance, nb::arg("passes"), nb::arg("seconds"), Unlocked())
        .def_prop_ro("done", &Record::done)
        .def_prop_ro("iterations", &Record::passes)
        .def_prop_ro("best_cost", &Record::best_cost)
        .def("best", [](const Record& r) { return folded(r.best()); });
}

}  // namespace

NB_MODULE(_core, m) {
    m.doc() = "The compiled core of splitroute.";
    bind_searches(m);
    m.def("distance_matrix", &distance_matrix, nb::arg("xy"), nb::arg("metric"));
    m.def("close_under_shortest_paths", &closed, nb::arg("table"));
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
