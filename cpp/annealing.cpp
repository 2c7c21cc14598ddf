#include "annealing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "construct.hpp"
#include "expect.hpp"
#include "moves/relocate.hpp"
#include "moves/swap.hpp"
#include "moves/transfer.hpp"
#include "moves/two_opt.hpp"
#include "moves/two_opt_star.hpp"

namespace splitroute {

namespace {
using Clock = std::chrono::steady_clock;
constexpr int clock_interval = 32;    // iterations; reading the clock takes part of one
constexpr int window = 1024;          // items whose routes fit into the cache together
constexpr int reserved_items = 1024;  // enough that recreating allocates nothing
// One in this many moves of a split visit is a transfer. Most transfers cost nothing and are accepted,
// so more of them would crowd out the moves that change routes.
constexpr int transfer_interval = 4;
// In larger instances the unit of temperatures is so many mean edges between customers. Edges at the depot,
// which may be a hundred times as long, tell nothing about what a move there is worth.
constexpr double large_unit = 4;
constexpr int fleet_cycles = 4;    // at least, with several vehicle types: one of them tries a cheaper fleet
constexpr int type_interval = 16;  // random moves for one attempt to change a vehicle type
}  // namespace

template <class Policy>
Annealing<Policy>::Annealing(const Instance& instance, std::uint64_t seed, const Settings& settings)
    : instance_(instance), settings_(settings), random_(seed), state_(instance),
      inserter_(state_, random_, settings_), ruin_(state_, random_, inserter_, settings_),
      schedule_(settings_, instance.items(), instance.is_large()), best_(state_.max_routes()) {
    settings.check();
    order_.reserve(reserved_items);
}

template <class Policy>
void Annealing<Policy>::set_budget(double seconds, std::int64_t iterations) {
    if constexpr (Policy::is_rich)
        if (instance_.rules().types.size() > 1) schedule_.set_min_cycles(fleet_cycles);
    schedule_.set_budget(seconds, iterations);
    set_temperature(0);
}

template <class Policy>
void Annealing<Policy>::follow(const CoolingSchedule& whole, double begin, double end) {
    schedule_.set_window(whole, begin, end);
    set_temperature(0);
}

template <class Policy>
void Annealing<Policy>::start() {
    construct(state_, inserter_, {});
    initialize();
    adopt(best());
}

template <class Policy>
void Annealing<Policy>::start(const Routes& routes) {
    if (!state_.has_room_for(routes)) return start();  // far more vehicles or visits than are of use
    schedule_.set_warm_start();
    construct(state_, inserter_, routes);
    initialize();
}

template <class Policy>
void Annealing<Policy>::adopt(const Routes& routes) {
    if constexpr (Policy::is_rich) restore_fleet();
    state_.load_routes(routes);
    // This renumbers the state's routes, and the best ones are stored by number.
    for (Route& route : best_) route.clear();
    best_cost_ = state_.cost() + 1;
    if constexpr (Policy::is_rich) best_missing_ = std::numeric_limits<std::int64_t>::max();
    update_best();
}

template <class Policy>
void Annealing<Policy>::initialize() {
    std::int64_t edges = 0;
    for (int k = 0; k < state_.active_routes(); ++k) edges += state_.length(state_.route(k)) + 1;
    Cost driving = state_.cost();
    if constexpr (Policy::is_rich) {
        driving = state_.driving_cost();
        if (driving == 0) {  // nothing could be delivered at first, or driving is free
            edges = instance_.items();
            for (int i = 0; i < instance_.items(); ++i)
                driving += instance_.distance(depot(), instance_.item(i).site);
        }
    }
    mean_edge_ = std::max(1.0, static_cast<double>(driving) / static_cast<double>(edges));
    if (instance_.is_large())
        if (const double inner = mean_inner_edge(); inner > 0) mean_edge_ = std::max(1.0, large_unit * inner);
    schedule_.set_temperature_unit(mean_edge_);
    // The order within a route is left to the moves, and long routes have more of it.
    const auto edges_per_route = static_cast<int>(edges / std::max(1, state_.active_routes()));
    moves_ = std::min(settings_.min_moves + edges_per_route, settings_.max_moves);
    best_cost_ = state_.cost() + 1;
    if constexpr (Policy::is_rich) {
        best_missing_ = std::numeric_limits<std::int64_t>::max();
        is_tight_ = is_fleet_tight_ = is_tight();
        has_several_penalties_ = has_several_penalties();
        initialize_leniency();
    }
    update_best();
    set_temperature(0);
}

// The mean edge between customers.
template <class Policy>
double Annealing<Policy>::mean_inner_edge() const {
    Cost length = 0;
    std::int64_t edges = 0;
    for (int k = 0; k < state_.active_routes(); ++k) {
        const int route = state_.route(k);
        for (int v = state_[route].next; state_[v].next != route; v = state_[v].next) length += state_[v].leg;
        edges += state_.length(route) - 1;
    }
    return static_cast<double>(length) / static_cast<double>(std::max<std::int64_t>(1, edges));
}

template <class Policy>
void Annealing<Policy>::update_best() {
    if constexpr (Policy::is_rich) {
        // First of all everything mandatory is delivered.
        const Cost cost = state_.cost() - state_.missing_cost();
        if (state_.missing() > best_missing_ || (state_.missing() == best_missing_ && cost >= best_cost_))
            return;
        best_missing_ = state_.missing();
        best_cost_ = cost;
    } else {
        if (state_.cost() >= best_cost_) return;
        best_cost_ = state_.cost();
    }
    for (int route : state_.changed_routes()) {
        if constexpr (Policy::is_rich) {
            best_[route] = state_.visits(route);
        } else {
            best_[route].clear();
            for (int v = state_[route].next; v != route; v = state_[v].next)
                best_[route].push_back({state_[v].item, state_[v].quantity});
        }
    }
    state_.clear_changed_routes();
}

template <class Policy>
Routes Annealing<Policy>::best() const {
    if (!elites_.empty() && elites_.front().cost <= best_cost_) return elites_.front().routes;
    return best_of_cycle();
}

template <class Policy>
Routes Annealing<Policy>::best_of_cycle() const {
    Routes routes;
    for (const Route& route : best_)
        if (!route.empty()) routes.push_back(route);
    if constexpr (Policy::is_rich) drop_short_trips(routes);
    // Items are numbered by location: in their order, neighbouring routes stay together in memory.
    std::stable_sort(routes.begin(), routes.end(),
                     [](const Route& a, const Route& b) { return a.front().item < b.front().item; });
    return routes;
}

template <class Policy>
void Annealing<Policy>::set_temperature(double share) {
    if (const int cycle = schedule_.at(share).cycle; cycle != cycle_) {
        end_cycle();
        cycle_ = cycle;
        begin_cycle();
    }
    temperature_ = schedule_.at(share).temperature;
}

template <class Policy>
void Annealing<Policy>::advance(std::int64_t iterations, double seconds) {
    if (instance_.items() == 0) return;
    const auto now = Clock::now();
    if (iterations_ == 0) began_ = now;
    // The schedule counts all time, also that between two slices.
    const double before = std::chrono::duration<double>(now - began_).count();
    const std::int64_t last = iterations_ + iterations;
    for (;;) {
        if (iterations_ % clock_interval == 0) {
            const double passed = std::chrono::duration<double>(Clock::now() - now).count();
            const double share = schedule_.share(iterations_, before + passed);
            schedule_.observe(share, iterations_, before + passed);
            set_temperature(share);
            if (passed >= seconds) break;
        }
        if (iterations_ >= last) break;
        iterate();
        ++iterations_;
    }
}

template <class Policy>
void Annealing<Policy>::iterate() {
    const Cost before = state_.cost();
    const double limit = random_threshold();
    // Usually few neighbours, for speed; sometimes many, to get from one cluster to another.
    const int range = settings_.max_neighbours - settings_.min_neighbours + 1;
    inserter_.set_neighbours(settings_.min_neighbours + random_.low(range));
    if constexpr (Policy::is_rich) inserter_.draw_parts();
    ruin_.run(random_site());
    if (recreate(static_cast<double>(before) + limit) && !state_.is_nearly_full()) {
        state_.commit();
        update_best();
    } else {
        state_.undo();
    }
    EXPECT(state_.is_consistent());
    random_moves();
    EXPECT(state_.is_consistent());
    if constexpr (Policy::is_rich)
        if (is_tight_) adapt_leniency();
}

// The Metropolis criterion with the random number drawn first: changes below this are accepted.
template <class Policy>
double Annealing<Policy>::random_threshold() {
    return temperature_ * random_.exponential();
}

template <class Policy>
void Annealing<Policy>::random_moves() {
    if (instance_.neighbour_count() == 0) return;
    const int count = std::min(settings_.max_neighbours, instance_.neighbour_count());
    for (int k = 0; k < moves_; ++k) {
        const int x = random_visit(random_site());
        if constexpr (Policy::is_rich)
            if (x == none) continue;
        const int y = random_visit(instance_.neighbours(state_[x].site)[random_.low(count)]);
        if constexpr (Policy::is_rich)
            if (y == none) continue;
        if constexpr (Policy::is_rich)
            if (instance_.rules().types.size() > 1 && random_.below(type_interval) == 0 &&
                state_.is_only_trip(state_[x].route) &&
                (improve_type(state_[x].route) || swap_types(state_[x].route))) {
                state_.commit();
                update_best();
                continue;
            }
        if (!random_move(x, y)) continue;
        if (state_.is_nearly_full()) {
            state_.undo();
        } else {
            state_.commit();
            update_best();
        }
    }
}

template <class Policy>
bool Annealing<Policy>::random_move(int x, int y) {
    const double limit = random_threshold();
    if (instance_.allows_splitting() && state_.is_split(x) && random_.below(transfer_interval) == 0)
        return apply(state_, Transfer::evaluate(state_, x, random_, limit), limit);
    if (state_[x].route == state_[y].route) {
        if (random_.below(2)) return apply(state_, TwoOpt::evaluate(state_, x, y, limit), limit);
        return apply(state_, Relocate::evaluate(state_, x, y, limit), limit);
    }
    switch (random_.below(3)) {
        case 0: return apply(state_, Relocate::evaluate(state_, x, y, limit), limit);
        case 1: return apply(state_, Swap::evaluate(state_, x, y, limit), limit);
        default:
            if (random_.below(2)) return apply(state_, TwoOptStar::evaluate(state_, x, y, limit), limit);
            return apply(state_, TwoOptStar::evaluate_reversed(state_, x, y, limit), limit);
    }
}

// Items are numbered along a space-filling curve. A large instance is searched in windows that move along
// it again and again, so that what an iteration needs stays in the cache.
template <class Policy>
int Annealing<Policy>::random_site() {
    const int items = instance_.items();
    if (items <= 2 * window) return instance_.item(random_.below(items)).site;
    const std::int64_t begin = iterations_ / window * (window / 2);
    return instance_.item(static_cast<int>((begin + random_.below(window)) % items)).site;
}

template <class Policy>
int Annealing<Policy>::random_visit(int site) {
    int v = state_.first_visit(site);
    const int visits = state_.visit_count(site);
    for (int skip = visits > 1 ? random_.below(visits) : 0; skip > 0; --skip) v = state_[v].next_at_site;
    return v;
}

template class Annealing<Plain>;
template class Annealing<Rich>;

}  // namespace splitroute
