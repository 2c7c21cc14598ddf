// The only file of the core that depends on Python.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "annealing.hpp"
#include "closure.hpp"
#include "cooling_schedule.hpp"
#include "cuts.hpp"
#include "distance.hpp"
#include "instance.hpp"
#include "pricing.hpp"
#include "record_to_record.hpp"
#include "redundant_visits.hpp"
#include "routes.hpp"
#include "rules.hpp"
#include "settings.hpp"

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

// Routes cross the border as an array with a line for each visit, in order: route, item and quantity.
// With rules, the vehicle type of the route, its vehicle and its trip follow.
using VisitArray = View<std::int32_t, 2>;
constexpr std::size_t plain_columns = 3, rich_columns = 6;

template <class Policy = Plain>
Array<std::int32_t, 2> array_from(const Routes& routes) {
    const auto visits = static_cast<std::size_t>(count_visits(routes));
    const std::size_t columns = Policy::is_rich ? rich_columns : plain_columns;
    return filled<std::int32_t, 2>({visits, columns}, [&](std::int32_t* out) {
        for (std::size_t r = 0; r < routes.size(); ++r)
            for (const Visit& visit : routes[r]) {
                *out++ = static_cast<std::int32_t>(r);
                *out++ = visit.item;
                *out++ = visit.quantity;
                if constexpr (Policy::is_rich) {
                    *out++ = routes[r].type;
                    *out++ = routes[r].vehicle;
                    *out++ = routes[r].trip;
                }
            }
    });
}

Routes routes_from(const VisitArray& visits) {
    Routes routes;
    for (std::size_t k = 0; k < visits.shape(0); ++k) {
        if (k == 0 || visits(k, 0) != visits(k - 1, 0)) {
            Route& route = routes.emplace_back();
            if (visits.shape(1) == rich_columns) {
                route.type = visits(k, 3);
                route.vehicle = visits(k, 4);
                route.trip = visits(k, 5);
            }
        }
        routes.back().push_back({visits(k, 1), visits(k, 2)});
    }
    return routes;
}

// Least cost of a walk and the cheapest ones; then the least cost along each edge, or an empty table. A line
// of prizes is the base, the slope and what the largest quantity earns.
std::tuple<double, Array<std::int32_t, 2>, Array<double, 2>> price_routes(
    View<double, 2> lengths, View<std::int64_t, 1> max_quantities, View<double, 2> prizes,
    View<std::int32_t, 2> memory, int capacity, int max_routes, bool is_exact, bool with_edges, double slack,
    double seconds) {
    double min_cost = 0;
    Routes routes;
    std::vector<double> edges;
    const std::size_t n = lengths.shape(0);
    {
        const nb::gil_scoped_release release;
        RoutePrices input{static_cast<int>(n), capacity, {lengths.data(), lengths.data() + n * n}, {}, {}};
        for (std::size_t i = 0; i < n; ++i) {
            input.prizes.push_back(
                {static_cast<int>(max_quantities(i)), prizes(i, 0), prizes(i, 1), prizes(i, 2)});
            const std::int32_t* remembered = memory.data() + i * memory.shape(1);
            input.memory.emplace_back(remembered, remembered + memory.shape(1));
        }
        const RoutePricing pricing(input, {seconds, is_exact, with_edges ? slack : 0.0});
        min_cost = pricing.min_cost();
        for (const PricedRoute& found : pricing.best(max_routes)) {
            Route& route = routes.emplace_back();
            for (std::size_t k = 0; k < found.nodes.size(); ++k)
                route.push_back({found.nodes[k], found.quantities[k]});
        }
        if (with_edges) edges = pricing.edge_costs();
    }
    const std::size_t size = with_edges ? n : 0;
    return {min_cost, array_from(routes), filled<double, 2>({size, size}, [&](double* out) {
                std::copy(edges.begin(), edges.end(), out);
            })};
}

void construct_instance(Instance* self, View<double, 2> xy, std::string_view metric, double scale,
                        View<std::int32_t, 2> table, int sites, Column item_sites, Column demands,
                        int capacity, bool allows_splitting, bool is_symmetric, int max_vehicles,
                        const Rules* rules, std::shared_ptr<const Cancellation> cancellation,
                        const Instance* whole, Column places) {
    const nb::gil_scoped_release release;  // finding neighbours takes a while
    std::vector<Point> points;
    for (std::size_t i = 0; i < xy.shape(0); ++i) points.push_back(point(xy, i));
    std::vector<Item> items;
    for (std::size_t i = 0; i < item_sites.shape(0); ++i) items.push_back({item_sites(i), demands(i)});
    new (self) Instance(std::move(points), metric == "matrix" ? Metric::exact : metric_from(metric), scale,
                        {table.data(), table.data() + table.size()}, sites, std::move(items), capacity,
                        allows_splitting, is_symmetric, max_vehicles,
                        rules ? std::make_shared<const Rules>(*rules) : nullptr, std::move(cancellation),
                        whole, {places.data(), places.data() + places.size()});
}

// Sets of nodes cross the border as masks, one line per set; node 0 is the depot and in none of them.
using Masks = View<bool, 2>;

Array<bool, 2> capacity_cuts(View<double, 2> flow, View<double, 1> visits, View<std::int64_t, 1> demands,
                             std::int64_t capacity, Masks starts, int effort, int max_cuts,
                             std::uint64_t seed, double seconds) {
    const std::size_t nodes = visits.shape(0);
    std::vector<CustomerSet> found;
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
        std::vector<CustomerSet> sets(starts.shape(0));
        for (std::size_t r = 0; r < sets.size(); ++r)
            for (std::size_t c = 1; c < nodes; ++c)
                if (starts(r, c)) sets[r].push_back(static_cast<std::int32_t>(c - 1));
        found = separate(support, sets, {effort, max_cuts, seconds}, seed);
    }
    return filled<bool, 2>({found.size(), nodes}, [&](bool* out) {
        std::fill(out, out + found.size() * nodes, false);
        for (std::size_t r = 0; r < found.size(); ++r)
            for (int c : found[r]) out[r * nodes + c + 1] = true;
    });
}

void bind_settings(nb::module_& m) {
    auto settings = nb::class_<Settings>(m, "Settings", "The parameters of the annealing search.");
    settings.def(nb::init<>())
        .def("check", &Settings::check, "Raises if the settings contradict each other.");
    for_each_setting([&](const char* name, auto member, auto min, auto max, const char* meaning) {
        using T = decltype(min);
        settings.def_prop_rw(
            name, [member](const Settings& s) { return s.*member; },
            [=](Settings& s, T value) {
                if (!(value >= min && value <= max)) {
                    std::ostringstream text;
                    text << name << " is " << value << "; it must be from " << min << " to " << max;
                    throw nb::value_error(text.str().c_str());
                }
                s.*member = value;
            },
            nb::arg("value"), meaning);
    });
}

template <class Policy>
void bind_annealing(nb::module_& m, const char* name) {
    using A = Annealing<Policy>;
    using Unlocked = nb::call_guard<nb::gil_scoped_release>;
    nb::class_<A>(m, name)
        .def(nb::init<const Instance&, std::uint64_t, const Settings&>(), nb::arg("instance"),
             nb::arg("seed"), nb::arg("settings") = Settings{}, nb::keep_alive<1, 2>())
        .def("set_budget", &A::set_budget, nb::arg("seconds"), nb::arg("iterations"))
        .def("follow", &A::follow, nb::arg("schedule"), nb::arg("begin"), nb::arg("end"))
        .def("start", nb::overload_cast<>(&A::start), Unlocked())
        .def(
            "start_from", [](A& a, const VisitArray& visits) { a.start(routes_from(visits)); },
            nb::arg("visits"), Unlocked())
        .def(
            "offer", [](A& a, const VisitArray& visits) { a.offer(routes_from(visits)); }, nb::arg("visits"))
        .def("advance", &A::advance, nb::arg("iterations"), nb::arg("seconds"), Unlocked())
        .def_prop_ro("iterations", &A::iterations)
        .def_prop_ro("best_cost", &A::best_cost)
        .def_prop_ro("best_missing", &A::best_missing)
        .def_prop_ro("temperature_unit", &A::temperature_unit)
        .def("best", [](const A& a) { return array_from<Policy>(a.best()); })
        .def("current", [](const A& a) { return array_from<Policy>(a.current()); });
}

void bind_cooling_schedule(nb::module_& m) {
    nb::class_<CoolingSchedule>(m, "CoolingSchedule")
        .def(nb::init<const Settings&, int, bool>(), nb::arg("settings"), nb::arg("items"),
             nb::arg("is_large"), nb::keep_alive<1, 2>())
        .def("set_budget", &CoolingSchedule::set_budget, nb::arg("seconds"), nb::arg("iterations"))
        .def("set_temperature_unit", &CoolingSchedule::set_temperature_unit, nb::arg("unit"))
        .def("set_warm_start", &CoolingSchedule::set_warm_start)
        .def_prop_ro("cycles", &CoolingSchedule::cycles)
        .def(
            "cycle", [](const CoolingSchedule& s, double share) { return s.at(share).cycle; },
            nb::arg("share"))
        .def("observe", &CoolingSchedule::observe, nb::arg("share"), nb::arg("iterations"),
             nb::arg("seconds"))
        .def("share", &CoolingSchedule::share, nb::arg("iterations"), nb::arg("seconds"))
        .def(
            "temperature", [](const CoolingSchedule& s, double share) { return s.at(share).temperature; },
            nb::arg("share"));
}

using Pairs = std::vector<std::pair<Time, Time>>;

Windows windows_from(const Pairs& pairs) {
    std::vector<Window> windows;
    for (const auto& [open, close] : pairs) windows.push_back({open, close});
    return Windows(std::move(windows));
}

void bind_rules(nb::module_& m) {
    nb::class_<Rules>(m, "Rules")
        .def(nb::init<>())
        .def_rw("time_per_distance", &Rules::time_per_distance)
        .def_rw("durations", &Rules::durations)
        .def_rw("short_trip_penalty", &Rules::short_trip_penalty)
        .def_rw("has_times", &Rules::has_times)
        .def_rw("has_several_windows", &Rules::has_several_windows)
        .def(
            "add_type",
            [](Rules& rules, int capacity, int count, int start, int end, Cost fixed, double per_distance,
               double per_time, const Pairs& departure, const Pairs& arrival, Cost max_distance,
               Time max_duration, int max_stops, int max_trips, Time loading, Time loading_per_unit,
               int min_load) {
                rules.types.push_back({capacity, count, start, end, fixed, per_distance, per_time,
                                       windows_from(departure), windows_from(arrival), max_distance,
                                       max_duration, max_stops, max_trips, loading, loading_per_unit,
                                       min_load});
            },
            nb::arg("capacity"), nb::arg("count"), nb::arg("start"), nb::arg("end"), nb::arg("fixed_cost"),
            nb::arg("cost_per_distance"), nb::arg("cost_per_time"), nb::arg("departure"), nb::arg("arrival"),
            nb::arg("max_distance"), nb::arg("max_duration"), nb::arg("max_stops"), nb::arg("max_trips"),
            nb::arg("loading"), nb::arg("loading_per_unit"), nb::arg("min_load"))
        .def(
            "add_item",
            [](Rules& rules, int customer, const Pairs& windows, Time service, Time service_per_unit,
               int min_drop, int max_visits, int lot, Cost extra, std::uint64_t types, double penalty,
               bool is_mandatory) {
                rules.items.push_back({customer, windows_from(windows), service, service_per_unit, min_drop,
                                       max_visits, lot, extra, types, is_mandatory, penalty});
            },
            nb::arg("customer"), nb::arg("windows"), nb::arg("service"), nb::arg("service_per_unit"),
            nb::arg("min_drop"), nb::arg("max_visits"), nb::arg("lot"), nb::arg("extra_visit_cost"),
            nb::arg("types"), nb::arg("penalty"), nb::arg("is_mandatory"));
}

void bind_searches(nb::module_& m) {
    nb::class_<Cancellation>(m, "Cancellation")
        .def(nb::init<>())
        .def("request", &Cancellation::request)
        .def_prop_ro("is_requested", &Cancellation::is_requested);
    nb::class_<Instance>(m, "Instance")
        .def("__init__", &construct_instance, nb::arg("xy"), nb::arg("metric"), nb::arg("scale"),
             nb::arg("table"), nb::arg("sites"), nb::arg("item_sites"), nb::arg("demands"),
             nb::arg("capacity"), nb::arg("allows_splitting"), nb::arg("is_symmetric"),
             nb::arg("max_vehicles"), nb::arg("rules").none() = nb::none(),
             nb::arg("cancellation").none() = nb::none(), nb::arg("whole").none() = nb::none(),
             nb::arg("places"));

    using Unlocked = nb::call_guard<nb::gil_scoped_release>;
    bind_annealing<Plain>(m, "Annealing");
    bind_annealing<Rich>(m, "RichAnnealing");

    nb::class_<RecordToRecord>(m, "RecordToRecord")
        .def(nb::init<const Instance&, std::uint64_t>(), nb::arg("instance"), nb::arg("seed"),
             nb::keep_alive<1, 2>())
        .def(
            "start_from", [](RecordToRecord& r, const VisitArray& visits) { r.start(routes_from(visits)); },
            nb::arg("visits"))
        .def("advance", &RecordToRecord::advance, nb::arg("passes"), nb::arg("seconds"), Unlocked())
        .def("stop_construction", &RecordToRecord::stop_construction)
        .def_prop_ro("is_done", &RecordToRecord::is_done)
        .def_prop_ro("has_solution", &RecordToRecord::has_solution)
        .def_prop_ro("iterations", &RecordToRecord::passes)
        .def_prop_ro("best_cost", &RecordToRecord::best_cost)
        .def_prop_ro("best_missing", [](const RecordToRecord&) { return 0; })
        .def("best", [](const RecordToRecord& r) { return array_from(r.best()); });

    m.def(
        "remove_redundant_visits",
        [](const Instance& instance, const VisitArray& visits) {
            Routes routes;
            {
                nb::gil_scoped_release release;
                routes = remove_redundant_visits(instance, routes_from(visits));
            }
            return array_from(routes);
        },
        nb::arg("instance"), nb::arg("visits"));
}

}  // namespace

NB_MODULE(_core, m) {
    m.doc() = "The compiled core of splitroute.";
    bind_settings(m);
    bind_cooling_schedule(m);
    bind_rules(m);
    bind_searches(m);
    m.def("distance_matrix", &distance_matrix, nb::arg("xy"), nb::arg("metric"));
    m.def("capacity_cuts", &capacity_cuts, nb::arg("flow"), nb::arg("visits"), nb::arg("demands"),
          nb::arg("capacity"), nb::arg("starts"), nb::arg("effort"), nb::arg("max_cuts"), nb::arg("seed"),
          nb::arg("seconds"));
    m.def("price_routes", &price_routes, nb::arg("lengths"), nb::arg("max_quantities"), nb::arg("prizes"),
          nb::arg("memory"), nb::arg("capacity"), nb::arg("max_routes"), nb::arg("is_exact"),
          nb::arg("with_edges"), nb::arg("slack"), nb::arg("seconds"));
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
