// The only file of the core that knows Python.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string_view.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "anneal.hpp"
#include "closure.hpp"
#include "cuts.hpp"
#include "distance.hpp"
#include "problem.hpp"
#include "record.hpp"
#include "tidy.hpp"

namespace nb = nanobind;
using namespace splitroute;

namespace {

template <class T, int Dim>
using View = nb::ndarray<const T, nb::ndim<Dim>, nb::c_contig, nb::device::cpu>;
template <class T, int Dim>
using Array = nb::ndarray<nb::numpy, T, nb::ndim<Dim>>;

// A new array; `fill` writes its elements with the interpreter lock released.
template <class T, int Dim, class Fill>
Array<T, Dim> filled(const std::size_t (&shape)[Dim], Fill fill) {
    std::size_t size = 1;
    for (std::size_t extent : shape) size *= extent;
    T* data = new T[size];
    nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
    {
        nb::gil_scoped_release release;
        fill(data);
    }
    return Array<T, Dim>(data, Dim, shape, owner);
}

Point point(const View<double, 2>& xy, std::size_t i) { return {xy(i, 0), xy(i, 1)}; }

Array<double, 2> distance_matrix(View<double, 2> xy, std::string_view name) {
    const Metric metric = metric_from(name);
    const std::size_t n = xy.shape(0);
    return filled<double, 2>({n, n}, [&](double* out) {
        for (std::size_t i = 0; i < n; ++i) {
            out[i * n + i] = 0;
            for (std::size_t j = i + 1; j < n; ++j)
                out[i * n + j] = out[j * n + i] = distance(metric, point(xy, i), point(xy, j));
        }
    });
}

Array<std::int32_t, 2> closed(nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu> table,
                              std::size_t first) {
    const std::size_t n = table.shape(0);
    return filled<std::int32_t, 2>(
        {n, n}, [&](std::int32_t* via) { close_under_shortest_paths(table.data(), via, n, first); });
}

// Cost of each route. Route r visits places[ends[r - 1] .. ends[r]), and starts and ends at place 0.
template <class Between>
Array<double, 1> route_costs(const View<std::int64_t, 1>& places, const View<std::int64_t, 1>& ends,
                             Between between) {
    const std::size_t count = ends.shape(0);
    return filled<double, 1>({count}, [&](double* out) {
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
}

using Column = View<std::int32_t, 1>;

// Routes cross the border as rows of route, item and quantity, one per visit and in order.
using Rows = View<std::int32_t, 2>;
using Routes = std::vector<std::vector<Delivery>>;

Array<std::int32_t, 2> folded(const Routes& routes) {
    std::size_t visits = 0;
    for (const auto& route : routes) visits += route.size();
    return filled<std::int32_t, 2>({visits, 3}, [&](std::int32_t* out) {
        for (std::size_t r = 0; r < routes.size(); ++r)
            for (const Delivery& d : routes[r]) {
                *out++ = static_cast<std::int32_t>(r);
                *out++ = d.item;
                *out++ = d.quantity;
            }
    });
}

Routes unfolded(const Rows& rows) {
    Routes routes;
    for (std::size_t k = 0; k < rows.shape(0); ++k) {
        if (k == 0 || rows(k, 0) != rows(k - 1, 0)) routes.emplace_back();
        routes.back().push_back({rows(k, 1), rows(k, 2)});
    }
    return routes;
}

Problem problem_from(View<double, 2> xy, std::string_view metric, double scale, View<std::int32_t, 2> table,
                     int sites, Column item_sites, Column demands, int capacity, bool splitting,
                     bool symmetric, int vehicles) {
    std::vector<Point> points;
    for (std::size_t i = 0; i < xy.shape(0); ++i) points.push_back(point(xy, i));
    std::vector<Item> items;
    for (std::size_t i = 0; i < item_sites.shape(0); ++i) items.push_back({item_sites(i), demands(i)});
    return Problem(std::move(points), metric == "matrix" ? Metric::exact : metric_from(metric), scale,
                   {table.data(), table.data() + table.size()}, sites, std::move(items), capacity, splitting,
                   symmetric, vehicles);
}

// Sets of nodes as rows of a table with one column per node; node 0 is the depot and in none of them.
using Marks = View<bool, 2>;

Array<bool, 2> capacity_cuts(View<double, 2> flow, View<double, 1> visits, View<std::int64_t, 1> demands,
                             std::int64_t capacity, Marks starts, int effort, int most, std::uint64_t seed,
                             double seconds) {
    const std::size_t nodes = visits.shape(0);
    std::vector<std::vector<std::int32_t>> found;
    {
        nb::gil_scoped_release release;
        Support support{{}, {}, {}, capacity};
        for (std::size_t i = 1; i < nodes; ++i) {
            support.visits.push_back(visits(i));
            support.demands.push_back(demands(i));
            auto& edges = support.edges.emplace_back();
            for (std::size_t j = 1; j < nodes; ++j)
                if (flow(i, j) > 0) edges.push_back({static_cast<std::int32_t>(j - 1), flow(i, j)});
        }
        Separation separation(support, seed, seconds);
        std::vector<std::int32_t> set;
        for (std::size_t r = 0; r < starts.shape(0); ++r) {
            set.clear();
            for (std::size_t c = 1; c < nodes; ++c)
                if (starts(r, c)) set.push_back(static_cast<std::int32_t>(c - 1));
            separation.exchange(set, 10 * effort);
        }
        for (int k = 0; k < effort; ++k) separation.grow(0.2 * k);
        separation.exchange_best(100 * effort, 40);
        found = separation.best(most, 0.01, 0.8);
    }
    return filled<bool, 2>({found.size(), nodes}, [&](bool* out) {
        std::fill(out, out + found.size() * nodes, false);
        for (std::size_t r = 0; r < found.size(); ++r)
            for (int c : found[r]) out[r * nodes + c + 1] = true;
    });
}

void bind_searches(nb::module_& m) {
    nb::class_<Problem>(m, "Problem")
        .def(
            "__init__",
            [](Problem* self, View<double, 2> xy, std::string_view metric, double scale,
               View<std::int32_t, 2> table, int sites, Column item_sites, Column demands, int capacity,
               bool splitting, bool symmetric, int vehicles) {
                new (self) Problem(problem_from(xy, metric, scale, table, sites, item_sites, demands,
                                                capacity, splitting, symmetric, vehicles));
            },
            nb::arg("xy"), nb::arg("metric"), nb::arg("scale"), nb::arg("table"), nb::arg("sites"),
            nb::arg("item_sites"), nb::arg("demands"), nb::arg("capacity"), nb::arg("splitting"),
            nb::arg("symmetric"), nb::arg("vehicles"));

    using Unlocked = nb::call_guard<nb::gil_scoped_release>;
    nb::class_<Anneal>(m, "Anneal")
        .def(
            "__init__",
            [](Anneal* self, const Problem& problem, std::uint64_t seed) {
                new (self) Anneal(problem, seed, Settings{});
            },
            nb::arg("problem"), nb::arg("seed"), nb::keep_alive<1, 2>())
        .def("plan", &Anneal::plan, nb::arg("seconds"), nb::arg("iterations"))
        .def("start", nb::overload_cast<>(&Anneal::start), Unlocked())
        .def(
            "start_from", [](Anneal& a, const Rows& routes) { a.start(unfolded(routes)); }, nb::arg("routes"),
            Unlocked())
        .def(
            "adopt", [](Anneal& a, const Rows& routes) { a.adopt(unfolded(routes)); }, nb::arg("routes"))
        .def("advance", &Anneal::advance, nb::arg("iterations"), nb::arg("seconds"), Unlocked())
        .def_prop_ro("iterations", &Anneal::iterations)
        .def_prop_ro("best_cost", &Anneal::best_cost)
        .def("best", [](const Anneal& a) { return folded(a.best()); })
        .def("current", [](const Anneal& a) { return folded(a.current()); });

    m.def(
        "tidied",
        [](const Problem& problem, const Rows& routes) {
            Tidy::Routes tidy;
            {
                nb::gil_scoped_release release;
                tidy = tidied(problem, unfolded(routes));
            }
            return folded(tidy);
        },
        nb::arg("problem"), nb::arg("routes"));

    nb::class_<Record>(m, "Record")
        .def(nb::init<const Problem&, std::uint64_t>(), nb::arg("problem"), nb::arg("seed"),
             nb::keep_alive<1, 2>())
        .def(
            "start_from", [](Record& r, const Rows& routes) { r.start(unfolded(routes)); }, nb::arg("routes"))
        .def("advance", &Record::advance, nb::arg("passes"), nb::arg("seconds"), Unlocked())
        .def("stop_construction", &Record::stop_construction)
        .def_prop_ro("done", &Record::done)
        .def_prop_ro("has_solution", &Record::has_solution)
        .def_prop_ro("iterations", &Record::passes)
        .def_prop_ro("best_cost", &Record::best_cost)
        .def("best", [](const Record& r) { return folded(r.best()); });
}

}  // namespace

NB_MODULE(_core, m) {
    m.doc() = "The compiled core of splitroute.";
    bind_searches(m);
    m.def("distance_matrix", &distance_matrix, nb::arg("xy"), nb::arg("metric"));
    m.def("capacity_cuts", &capacity_cuts, nb::arg("flow"), nb::arg("visits"), nb::arg("demands"),
          nb::arg("capacity"), nb::arg("starts"), nb::arg("effort"), nb::arg("most"), nb::arg("seed"),
          nb::arg("seconds"));
    m.def("close_under_shortest_paths", &closed, nb::arg("table"), nb::arg("first"));
    m.def(
        "route_costs",
        [](View<double, 2> xy, std::string_view name, View<std::int64_t, 1> places,
           View<std::int64_t, 1> ends) {
            const Metric metric = metric_from(name);
            return route_costs(places, ends, [&](std::int64_t i, std::int64_t j) {
                return distance(metric, point(xy, i), point(xy, j));
            });
        },
        nb::arg("xy"), nb::arg("metric"), nb::arg("places"), nb::arg("ends"));
    m.def(
        "matrix_route_costs",
        [](View<double, 2> matrix, View<std::int64_t, 1> places, View<std::int64_t, 1> ends) {
            return route_costs(places, ends, [&](std::int64_t i, std::int64_t j) { return matrix(i, j); });
        },
        nb::arg("matrix"), nb::arg("places"), nb::arg("ends"));
}
