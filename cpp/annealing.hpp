// The search: simulated annealing over ruin and recreate, with cheap random moves in between.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "cooling_schedule.hpp"
#include "insertion.hpp"
#include "random.hpp"
#include "routes.hpp"
#include "ruin.hpp"
#include "settings.hpp"
#include "state.hpp"

namespace splitroute {

template <class Policy>
class Annealing {
public:
    Annealing(const Instance& instance, std::uint64_t seed, const Settings& settings);

    // Time and iterations that the cooling schedule covers; 0 is no limit.
    void set_budget(double seconds, std::int64_t iterations);

    // Over its budget, the search follows another schedule from one share of that one's budget to another.
    void follow(const CoolingSchedule& whole, double begin, double end);

    void start();                      // constructs a first solution
    void start(const Routes& routes);  // from given routes, completed if they do not serve everything
    void offer(const Routes& routes);  // a solution of another search, for a later cycle to start from

    // Runs up to that many iterations or seconds; slicing never changes the trajectory.
    void advance(std::int64_t iterations, double seconds);

    std::int64_t iterations() const { return iterations_; }
    Cost best_cost() const {
        return elites_.empty() ? best_cost_ : std::min(best_cost_, elites_.front().cost);
    }
    // Mandatory units that the best solution does not deliver; 0 for plain instances.
    std::int64_t best_missing() const { return best_missing_; }
    double temperature_unit() const { return mean_edge_; }
    Routes best() const;
    Routes current() const { return state_.routes(); }

private:
    void initialize();
    double mean_inner_edge() const;
    void set_temperature(double share);
    void iterate();
    double random_threshold();
    bool recreate(double limit);
    void order_unserved();
    bool descend(double limit);
    void random_moves();
    bool random_move(int x, int y);
    int random_site();
    int random_visit(int site);
    void adopt(const Routes& routes);  // continues from there at the present temperature
    void update_best();
    Routes best_of_cycle() const;
    // -- cycles (annealing_cycles.cpp)
    struct Elite {
        Cost cost;
        Routes routes;
    };
    void end_cycle();
    void begin_cycle();
    void add_elite(Elite elite);
    bool close_route()
        requires(!Policy::is_rich);
    void recombine()
        requires(!Policy::is_rich);
    int depot() const {
        if constexpr (Policy::is_rich) return instance_.rules().types[0].start;
        else return 0;
    }
    // -- with rules (annealing_rules.cpp)
    void improve_types()
        requires Policy::is_rich;
    bool improve_type(int route)
        requires Policy::is_rich;
    bool swap_types(int route)
        requires Policy::is_rich;
    bool is_tight() const
        requires Policy::is_rich;
    bool has_several_penalties() const
        requires Policy::is_rich;
    void drop_short_trips(Routes& routes) const
        requires Policy::is_rich;
    void initialize_leniency()
        requires Policy::is_rich;
    void adapt_leniency()
        requires Policy::is_rich;
    // -- fleets (annealing_fleet.cpp)
    void choose_fleet()
        requires Policy::is_rich;
    void restore_fleet()
        requires Policy::is_rich;
    std::vector<int> cheaper_fleet()
        requires Policy::is_rich;
    std::vector<int> cheapest_fleet(const std::vector<int>& present) const
        requires Policy::is_rich;
    void take_out_of_use(const std::vector<int>& fleet)
        requires Policy::is_rich;

    const Instance& instance_;
    const Settings settings_;
    Random random_;
    State<Policy> state_;
    Inserter<Policy> inserter_;
    Ruin<Policy> ruin_;
    CoolingSchedule schedule_;
    double mean_edge_ = 1;  // in large instances, a multiple of that between customers
    double temperature_ = 1;
    int cycle_ = 0, moves_ = 0, tried_routes_ = std::numeric_limits<int>::max();
    std::chrono::steady_clock::time_point began_;
    std::int64_t iterations_ = 0;
    Cost best_cost_ = 0;
    std::int64_t best_missing_ = 0;
    bool is_fleet_tight_ = false, is_tight_ = false;  // that of the instance, and the one in use
    bool has_cheaper_fleet_ = false, has_tried_cheapest_ = false;
    double leniency_ = 1;
    int complete_ = 0, since_adapted_ = 0;
    std::vector<Elite> elites_;  // of earlier cycles and other searches, the best first
    Routes best_;                // of this cycle, per route of the state, so that updates are incremental
    bool has_stalled_ = false;   // the last cycle has not improved the best solution
    bool has_several_penalties_ = false;         // of optional demand
    std::vector<std::pair<double, int>> order_;  // sort key and index of what is unserved
};

}  // namespace splitroute
