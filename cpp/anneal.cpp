#include "anneal.hpp"

#include <algorithm>
#include <cmath>

#include "construct.hpp"
#include "expect.hpp"
#include "moves/flip.hpp"
#include "moves/relocate.hpp"
#include "moves/shift.hpp"
#include "moves/swap.hpp"

namespace splitroute {

namespace {
using Clock = std::chrono::steady_clock;
constexpr int between_looks_at_the_clock = 32;
constexpr int window = 1024;                // items
constexpr double per_second = 60'000;       // iterations expected before there is a measurement,
constexpr double first_measurement = 0.02;  // which is after this share of the time
constexpr double for_a_round = 250, for_full_heat = 1'000;  // iterations per item
}  // namespace

Anneal::Anneal(const Problem& problem, std::uint64_t seed, const Settings& settings)
    : problem_(problem), settings_(settings), random_(seed), state_(problem), inserter_(state_, random_),
      ruin_(state_, random_, inserter_), tails_(state_), best_(state_.routes()) {
    inserter_.blink = settings.blink;
    ruin_.mean_removed = settings.mean_removed;
    ruin_.longest_string = settings.longest_string;
    ruin_.keep_inner = settings.keep_inner;
    ruin_.whole_site = settings.whole_site;
    ruin_.whole_route = settings.whole_route;
    order_.reserve(1024);
}

void Anneal::plan(double seconds, std::int64_t iterations) {
    total_seconds_ = seconds;
    total_iterations_ = iterations;
    schedule(per_second);
    cool(0);
}

// Each cooling needs its time: with few iterations per item begin cooler and cool down only once, with
// many do so several times.
void Anneal::schedule(double speed) {
    double expected = static_cast<double>(total_iterations_);
    if (total_seconds_ > 0) {
        const double in_time = total_seconds_ * speed;
        expected = total_iterations_ ? std::min(expected, in_time) : in_time;
    }
    const double per_item = expected / std::max(1, problem_.items());
    rounds_ = std::clamp(static_cast<int>(per_item / for_a_round), 1, settings_.rounds);
    const double hot = settings_.hot * std::min(1.0, per_item / for_full_heat);
    hot_ = std::max(2 * settings_.cold, hot * (warm_ ? settings_.reheat : 1));
}

void Anneal::start() {
    construct(state_, inserter_, {});
    begin();
    adopt(best());
}

void Anneal::start(const Routes& routes) {
    if (!state_.fits(routes)) return start();  // far more vehicles or visits than can be of use
    warm_ = true;                              // what is good already is not to be melted down
    schedule(per_second);
    construct(state_, inserter_, routes);
    begin();
}

void Anneal::adopt(const Routes& routes) {
    state_.load_routes(routes);
    // The state's routes are numbered anew, so what is kept of the best must be too.
    for (auto& route : best_) route.clear();
    best_cost_ = state_.cost() + 1;
    keep_best();
}

void Anneal::begin() {
    std::int64_t visits = 0;
    for (int k = 0; k < state_.active(); ++k) visits += state_.length(state_.route(k)) + 1;
    edge_ = std::max(1.0, static_cast<double>(state_.cost()) / static_cast<double>(visits));
    // The order within a route is up to the moves, and there is more of it in long routes.
    const auto route = static_cast<int>(visits / std::max(1, state_.active()));
    moves_ = std::min(settings_.moves + route, settings_.most_moves);
    best_cost_ = state_.cost() + 1;
    keep_best();
    cool(0);
}

void Anneal::keep_best() {
    if (state_.cost() >= best_cost_) return;
    best_cost_ = state_.cost();
    for (int route : state_.changed()) {
        best_[route].clear();
        for (int v = state_[route].next; v != route; v = state_[v].next)
            best_[route].push_back({state_[v].item, state_[v].quantity});
    }
    state_.forget_changes();
}

Anneal::Routes Anneal::best() const {
    Routes out;
    for (const auto& route : best_)
        if (!route.empty()) out.push_back(route);
    // In the order of the items, which is that of the places: neighbours stay together in memory.
    std::stable_sort(out.begin(), out.end(),
                     [](const auto& a, const auto& b) { return a.front().item < b.front().item; });
    return out;
}

Anneal::Routes Anneal::current() const {
    Routes out;
    for (int k = 0; k < state_.active(); ++k) out.push_back(state_.stops(state_.route(k)));
    return out;
}

double Anneal::share(double seconds) const {
    double used = 0;
    if (total_iterations_ > 0)
        used = static_cast<double>(iterations_) / static_cast<double>(total_iterations_);
    if (total_seconds_ > 0) used = std::max(used, seconds / total_seconds_);
    return std::min(used, 1.0);
}

void Anneal::cool(double share) {
    const int round = std::min(rounds_ - 1, static_cast<int>(share * rounds_));
    const double within = std::clamp(share * rounds_ - round, 0.0, 1.0);
    if (round > round_) {  // a new round begins with the best so far
        round_ = round;
        adopt(best());
    }
    const double hot = edge_ * hot_ * (round ? settings_.reheat : 1.0);
    temperature_ = hot * std::pow(edge_ * settings_.cold / hot, within);
}

void Anneal::advance(std::int64_t iterations, double seconds) {
    if (problem_.items() == 0) return;
    const auto now = Clock::now();
    if (iterations_ == 0) began_ = now;
    // The schedule goes by all the time there was, also that which passed between two slices.
    const double before = std::chrono::duration<double>(now - began_).count();
    const std::int64_t last = iterations_ + iterations;
    for (;;) {
        if (iterations_ % between_looks_at_the_clock == 0) {
            const double passed = std::chrono::duration<double>(Clock::now() - now).count();
            const double used = share(before + passed);
            if (!measured_ && used > first_measurement) {
                measured_ = true;
                schedule(static_cast<double>(iterations_) / (before + passed));
            }
            cool(used);
            if (passed >= seconds) break;
        }
        if (iterations_ >= last) break;
        iterate();
        ++iterations_;
    }
}

void Anneal::iterate() {
    const Cost before = state_.cost();
    const double limit = -temperature_ * std::log(random_.unit());
    // Few neighbours most of the time, for speed; many now and then, to get from cluster to cluster.
    inserter_.width = settings_.least_width + near_the_front(settings_.width - settings_.least_width + 1);
    ruin_.run(some_site());
    if (recreate(static_cast<double>(before) + limit) && !state_.crowded()) {
        state_.commit();
        keep_best();
    } else {
        state_.undo();
    }
    EXPECT(state_.consistent());
    wander();
    EXPECT(state_.consistent());
}

// Puts back what is missing; false if the result costs more than the limit.
bool Anneal::recreate(double limit) {
    auto& missing = ruin_.missing();
    order_.clear();
    const int way = random_.below(11);
    for (int k = 0; k < static_cast<int>(missing.size()); ++k) {
        const Missing& m = missing[k];
        const int site = problem_.item(m.item).site;
        double key = random_.unit();
        if (way >= 4 && way < 8) key = -static_cast<double>(m.quantity) + 0.5 * key;
        if (way >= 8 && way < 10) key = -static_cast<double>(problem_.distance(0, site));
        if (way >= 10) key = static_cast<double>(problem_.distance(0, site));
        order_.emplace_back(key, k);
    }
    std::sort(order_.begin(), order_.end());
    const double margin = settings_.near_miss * edge_;
    for (const auto& [key, k] : order_) {
        // Insertion never shortens a route where the triangle inequality holds: what is too dear
        // already cannot become cheap enough.
        const double budget = limit + margin - static_cast<double>(state_.cost());
        if (budget <= 0) return false;
        const auto whole = static_cast<Cost>(std::min(budget, 1e15)) + 1;
        if (!inserter_.insert(missing[k].item, missing[k].quantity, whole)) return false;
    }
    if (static_cast<double>(state_.cost()) < limit) return true;
    return static_cast<double>(state_.cost()) < limit + margin && polish(limit);
}

// Tries to save what is missing to the limit by moves around what was put back.
bool Anneal::polish(double limit) {
    const int near = std::min(settings_.polish, problem_.neighbour_count());
    for (const Missing& m : ruin_.missing()) {
        const int site = problem_.item(m.item).site;
        const std::int32_t* neighbours = problem_.neighbours(site);
        for (int k = 0; k < near; ++k) {
            const int x = some_visit(site), y = some_visit(neighbours[k]);
            if (state_[x].route == state_[y].route) {
                if (!relocate(state_, x, y, 0)) flip(state_, x, y, 0);
            } else if (!relocate(state_, x, y, 0) && !swap(state_, x, y, 0)) {
                tails_.run(x, y, 0);
            }
            if (static_cast<double>(state_.cost()) < limit) return true;
        }
    }
    return false;
}

// Where to go on. Items are numbered along a curve in the plane: a large problem is searched window by
// window of it, again and again, so that what a window needs stays at hand in the cache.
int Anneal::some_site() {
    const int items = problem_.items();
    if (items <= 2 * window) return problem_.item(random_.below(items)).site;
    const std::int64_t begin = iterations_ / window * (window / 2);
    return problem_.item(static_cast<int>((begin + random_.below(window)) % items)).site;
}

int Anneal::some_visit(int site) {
    int v = state_.first_visit(site);
    const int visits = state_.visits(site);
    for (int skip = visits > 1 ? random_.below(visits) : 0; skip > 0; --skip) v = state_[v].twin_next;
    return v;
}

// A number below n, the small ones more often.
int Anneal::near_the_front(int n) { return std::min(random_.below(n), random_.below(n)); }

void Anneal::wander() {
    if (problem_.neighbour_count() == 0) return;
    const int near = std::min(settings_.width, problem_.neighbour_count());
    for (int k = 0; k < moves_; ++k) {
        const int x = some_visit(some_site());
        const int y = some_visit(problem_.neighbours(state_[x].site)[near_the_front(near)]);
        const double limit = -temperature_ * std::log(random_.unit());
        bool done = false;
        if (problem_.splitting() && state_.split(x) && random_.below(4) == 0) {
            done = shift(state_, x, random_, limit);
        } else if (state_[x].route == state_[y].route) {
            done = random_.below(2) ? flip(state_, x, y, limit) : relocate(state_, x, y, limit);
        } else {
            switch (random_.below(3)) {
                case 0: done = relocate(state_, x, y, limit); break;
                case 1: done = swap(state_, x, y, limit); break;
                default: done = random_.below(2) ? tails_.run(x, y, limit) : tails_.run_reversed(x, y, limit);
            }
        }
        if (!done) continue;
        if (state_.crowded()) {
            state_.undo();
        } else {
            state_.commit();
            keep_best();
        }
    }
}

}  // namespace splitroute
