// The parameters of the annealing search. The defaults were tuned on the benchmark instances of the field.
#pragma once

#include <stdexcept>

#include "instance.hpp"

namespace splitroute {

struct Settings {
    double initial_temperature = 1.0;
    double final_temperature = 0.015;
    double quench_share = 0.1;
    double reheat = 0.25;
    double cycle_iterations = 300;
    double recombination_probability = 0.3;
    int close_routes = 1;
    int min_moves = 10;
    int max_moves = 40;
    double descent_margin = 0.2;
    int descent_neighbours = 10;
    double mean_removals = 6;
    double long_route_removals = 10;
    double max_string_length = 10;
    double split_string_probability = 0.5;
    double whole_site_probability = 0.2;
    double large_ruin_probability = 0.1;
    double max_large_string_length = 50;
    double blink = 0.01;
    int min_neighbours = 5;
    int max_neighbours = 20;
    int probes = 1;

    void check() const {
        if (min_neighbours > max_neighbours)
            throw std::invalid_argument("min_neighbours must not be greater than max_neighbours");
    }
};

// Calls visit(name, member, min, max, meaning) for every setting: the one list that others follow. The
// limits keep out what makes no sense or overflows; they are no recommendation.
template <class Visitor>
void for_each_setting(Visitor visit) {
    using S = Settings;
    visit(
        "initial_temperature", &S::initial_temperature, 0.0, 1e3,
        "Temperature at the start of annealing, in mean edges of the first solution; above 2,000 customers, "
        "in four mean edges between customers.");
    visit("final_temperature", &S::final_temperature, 1e-6, 1e3,
          "Temperature that every cooling cycle reaches before its last part, in the same unit.");
    visit("quench_share", &S::quench_share, 0.0, 0.9,
          "Share of every cycle, at its end, in which it cools down far below the final temperature.");
    visit("reheat", &S::reheat, 0.0, 1.0,
          "Share of the initial temperature at which later cycles, and warm starts, begin.");
    visit("cycle_iterations", &S::cycle_iterations, 1.0, 1e9,
          "Iterations per customer of a cooling cycle; seven times as many in large instances.");
    visit("recombination_probability", &S::recombination_probability, 0.0, 1.0,
          "Probability that a cycle after one without improvement starts from a combination of two good "
          "solutions.");
    visit("close_routes", &S::close_routes, 0, 1,
          "Whether cycles try one route fewer than the best solution has: 1 or 0.");
    visit("min_moves", &S::min_moves, 0, 10'000,
          "Random moves after every ruin and recreate; one more for every visit of a mean route.");
    visit("max_moves", &S::max_moves, 0, 10'000, "Maximum number of these moves.");
    visit("descent_margin", &S::descent_margin, 0.0, 1e3,
          "Descent improves rejected solutions that miss the threshold by less, in the same unit.");
    visit("descent_neighbours", &S::descent_neighbours, 0, Instance::max_neighbours,
          "Neighbours tried per customer in that descent.");
    visit("mean_removals", &S::mean_removals, 1.0, 1e3,
          "Mean number of visits removed by a ruin, where routes are no longer than that.");
    visit("long_route_removals", &S::long_route_removals, 1.0, 1e3,
          "The same where routes are at least as long; in between, as many as a route has. Without rules, "
          "up to 2,000 customers.");
    visit("max_string_length", &S::max_string_length, 1.0, 1e3,
          "Maximum length of a string of removed visits.");
    visit("split_string_probability", &S::split_string_probability, 0.0, 1.0,
          "Probability that a string preserves some visits in its middle.");
    visit("whole_site_probability", &S::whole_site_probability, 0.0, 1.0,
          "Probability that with one visit of a customer all others are removed too.");
    visit("large_ruin_probability", &S::large_ruin_probability, 0.0, 1.0,
          "Probability that a ruin removes as many visits as the route at its centre has.");
    visit("max_large_string_length", &S::max_large_string_length, 1.0, 1e3,
          "Maximum length of a string in such a large ruin.");
    visit("blink", &S::blink, 0.0, 0.5, "Probability that insertion skips a position.");
    visit("min_neighbours", &S::min_neighbours, 1, Instance::max_neighbours,
          "Minimum number of neighbours that insertion considers.");
    visit("max_neighbours", &S::max_neighbours, 1, Instance::max_neighbours,
          "Maximum number of neighbours that insertion and random moves consider.");
    visit("probes", &S::probes, 0, 100,
          "Customers far away, in other clusters, next to which insertion considers positions too.");
}

}  // namespace splitroute
