// The search: simulated annealing over ruin and recreate, with cheap random moves in between.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "insert.hpp"
#include "moves/tails.hpp"
#include "random.hpp"
#include "ruin.hpp"
#include "state.hpp"

namespace splitroute {

struct Settings {
    double hot = 1.0, cold = 0.015;   // temperatures, in mean edges of the first solution
    double reheat = 0.25;             // later rounds start at this share of the hot temperature
    int rounds = 8;                   // how often it is cooled down, at most
    int moves = 10, most_moves = 40;  // random moves per iteration, and one per visit of a mean route
    double near_miss = 0.2;           // polish what misses the limit by so many mean edges
    int polish = 10;                  // neighbours tried per visit when polishing
    double mean_removed = 6, longest_string = 10, keep_inner = 0.5, whole_site = 0.2, whole_route = 0.1;
    double blink = 0.01;
    int least_width = 5, width = 20;  // neighbours looked at
};

class Anneal {
public:
    using Routes = std::vector<std::vector<Delivery>>;

    Anneal(const Problem& problem, std::uint64_t seed, const Settings& settings);

    // The schedule runs from hot to cold over so many iterations or seconds, whichever is given.
    void plan(double seconds, std::int64_t iterations);
    void start();                      // from an empty plan
    void start(const Routes& routes);  // from a given one, and what it does not deliver
    void adopt(const Routes& routes);  // go on from there, at the present temperature

    // Goes on for so many iterations or seconds; slicing never changes what is found.
    void advance(std::int64_t iterations, double seconds);

    std::int64_t iterations() const { return iterations_; }
    Cost best_cost() const { return best_cost_; }
    Routes best() const;
    Routes current() const;  // where the search is now

private:
    void begin();
    void schedule(double speed);
    void iterate();
    bool recreate(double limit);
    bool polish(double limit);
    int some_site();
    int some_visit(int site);
    int near_the_front(int n);
    void wander();
    void keep_best();
    void cool(double share);
    double share(double seconds) const;

    const Problem& problem_;
    Settings settings_;
    Random random_;
    State state_;
    Inserter inserter_;
    Ruin ruin_;
    Tails tails_;
    double edge_ = 1, temperature_ = 1;
    double total_seconds_ = 0;
    std::chrono::steady_clock::time_point began_{};
    std::int64_t total_iterations_ = 0, iterations_ = 0;
    bool warm_ = false, measured_ = false;
    double hot_ = 1;
    int rounds_ = 1, round_ = 0, moves_ = 0;
    Cost best_cost_ = 0;
    Routes best_;  // per route of the state
    std::vector<std::pair<double, int>> order_;
};

}  // namespace splitroute
