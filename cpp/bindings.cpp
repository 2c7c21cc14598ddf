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
#include "distance.hpp"
#include "problem.hpp"

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

using Column = View<std::int32_t, 1>;

// A search together with the problem that it refers to.
class Search {
public:
    Search(View<double, 2> xy, std::string_view metric, double scale, View<std::int32_t, 2> table,
           int sites, Column item_sites, Column demands, int capacity, bool splitting, bool symmetric,
           std::uint64_t seed, const Settings& settings)
        : problem_(points(xy), metric == "matrix" ? Metric::exact : metric_from(metric), scale,
                   {table.data(), table.data() + table.size()}, sites, items(item_sites, demands),
                   capacity, splitting, symmetric),
          anneal_(problem_, seed, settings) {}

    // Routes cross the border as (item, quantity) pairs with a count of visits per route.
    using Flat = std::pair<std::vector<int>, std::vector<std::pair<int, int>>>;

    void start() {
        nb::gil_scoped_release release;
        anneal_.start();
    }
    void start_from(const Flat& flat) {
        const Anneal::Routes routes = unfolded(flat);
        nb::gil_scoped_release release;
        anneal_.start(routes);
    }
    void adopt(const Flat& flat) { anneal_.adopt(unfolded(flat)); }
    void advance(std::int64_t iterations, double seconds) {
        nb::gil_scoped_release release;
        anneal_.advance(iterations, seconds);
    }
    Anneal& anneal() { return anneal_; }

    Flat best() const {
        Flat out;
        for (const auto& route : anneal_.best()) {
            out.first.push_back(static_cast<int>(route.size()));
            for (const Delivery& d : route) out.second.emplace_back(d.item, d.quantity);
        }
        return out;
    }

private:
    static Anneal::Routes unfolded(const Flat& flat) {
        Anneal::Routes routes;
        std::size_t k = 0;
        for (int length : flat.first) {
            routes.emplace_back();
            for (int i = 0; i < length; ++i, ++k)
                routes.back().push_back({flat.second[k].first, flat.second[k].second});
        }
        return routes;
    }
    static std::vector<Point> points(const View<double, 2>& xy) {
        std::vector<Point> out;
        for (std::size_t i = 0; i < xy.shape(0); ++i) out.push_back(point(xy, i));
        return out;
    }
    static std::vector<Item> items(const Column& sites, const Column& demands) {
        std::vector<Item> out;
        for (std::size_t i = 0; i < sites.shape(0); ++i) out.push_back({sites(i), demands(i)});
        return out;
    }

    Problem problem_;
    Anneal anneal_;
};

void bind_search(nb::module_& m) {
    nb::class_<Settings>(m, "Settings")
        .def(nb::init<>())
        .def_rw("hot", &Settings::hot)
        .def_rw("cold", &Settings::cold)
        .def_rw("reheat", &Settings::reheat)
        .def_rw("rounds", &Settings::rounds)
        .def_rw("moves", &Settings::moves);
    nb::class_<Search>(m, "Search")
        .def(nb::init<View<double, 2>, std::string_view, double, View<std::int32_t, 2>, int, Column,
                      Column, int, bool, bool, std::uint64_t, const Settings&>(),
             nb::arg("xy"), nb::arg("metric"), nb::arg("scale"), nb::arg("table"), nb::arg("sites"),
             nb::arg("item_sites"), nb::arg("demands"), nb::arg("capacity"), nb::arg("splitting"),
             nb::arg("symmetric"), nb::arg("seed"), nb::arg("settings"))
        .def("plan", [](Search& s, double seconds, std::int64_t iterations) {
                 s.anneal().plan(seconds, iterations);
             }, nb::arg("seconds"), nb::arg("iterations"))
        .def("start", &Search::start)
        .def("start_from", &Search::start_from, nb::arg("routes"))
        .def("adopt", &Search::adopt, nb::arg("routes"))
        .def("advance", &Search::advance, nb::arg("iterations"), nb::arg("seconds"))
        .def_prop_ro("iterations", [](Search& s) { return s.anneal().iterations(); })
        .def_prop_ro("best_cost", [](Search& s) { return s.anneal().best_cost(); })
        .def("best", &Search::best);
}

}  // namespace

NB_MODULE(_core, m) {
    m.doc() = "The compiled core of splitroute.";
    bind_search(m);
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
