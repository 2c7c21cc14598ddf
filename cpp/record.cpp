#include "record.hpp"

#include <algorithm>

#include "moves/flip.hpp"
#include "moves/relocate.hpp"
#include "moves/swap.hpp"
#include "savings.hpp"

namespace splitroute {

namespace {
using Clock = std::chrono::steady_clock;

// The defaults of VRPH's vrp_rtr.
constexpr double lambdas[] = {0.6, 1.4, 1.6};
constexpr double deviation = 0.01;
constexpr int intensity = 30, most_tries = 5, most_perturbations = 1, neighbours = 40;
constexpr int most_perturbed = 30;
}  // namespace

Record::Record(const Problem& problem, std::uint64_t seed)
    : problem_(problem), random_(seed), state_(problem), tails_(state_) {
    for (double lambda : lambdas) starts_.push_back(savings(problem, lambda));
    for (int i = 0; i < problem.items(); ++i) items_.push_back(i);
}

void Record::start(const Routes& routes) { starts_.insert(starts_.begin(), routes); }

void Record::advance(std::int64_t passes, double seconds) {
    const auto began = Clock::now();
    const std::int64_t last = passes_ + passes;
    while (!done() && passes_ < last &&
           std::chrono::duration<double>(Clock::now() - began).count() < seconds) {
        if (!begun_) {
            begin();
        } else if (uphill_ < intensity) {
            climb();
            ++uphill_;
        } else if (!descend()) {
            // A local minimum: worse than the last one five times, and the start is given up.
            tries_ = state_.cost() < local_ ? 0 : tries_ + 1;
            local_ = std::min(local_, state_.cost());
            keep();
            uphill_ = 0;
            if (tries_ >= most_tries) {
                tries_ = 0;
                if (perturbed_++ < most_perturbations) {
                    perturb();
                } else {
                    begun_ = false;
                    ++start_;
                }
            }
        }
        ++passes_;
    }
}

void Record::begin() {
    state_.load_routes(starts_[start_]);
    record_ = local_ = state_.cost();
    begun_ = true;
    uphill_ = tries_ = perturbed_ = 0;
    keep();
}

void Record::keep() {
    if (state_.cost() >= best_cost_) return;
    best_cost_ = state_.cost();
    best_.clear();
    for (int k = 0; k < state_.active(); ++k) best_.push_back(state_.stops(state_.route(k)));
}

void Record::climb() {
    for (int k = static_cast<int>(items_.size()) - 1; k > 0; --k)
        std::swap(items_[k], items_[random_.below(k + 1)]);
    for (int item : items_) {
        for (int v = state_.first_visit(problem_.item(item).site); v != none; v = state_[v].twin_next) {
            if (state_[v].item != item) continue;
            const double room = static_cast<double>(record_) * (1 + deviation) -
                                static_cast<double>(state_.cost());
            improve(v, std::max(0.0, room));
            break;
        }
        if (state_.cost() < record_) {
            record_ = state_.cost();
            keep();
        }
    }
}

bool Record::descend() {
    const Cost before = state_.cost();
    for (int item : items_)
        for (int v = state_.first_visit(problem_.item(item).site); v != none; v = state_[v].twin_next)
            if (state_[v].item == item) {
                improve(v, 0);
                break;
            }
    record_ = std::min(record_, state_.cost());
    return state_.cost() < before;
}

// The first move around a visit that shortens the routes; else the best one that costs less than the
// limit. Moves know their change only by being made, so each is tried and taken back.
bool Record::improve(int x, double limit) {
    const int site = state_[x].site;
    const std::int32_t* near = problem_.neighbours(site);
    const int count = std::min(neighbours, problem_.neighbour_count());
    const Cost before = state_.cost();
    int partner = none, kind = 0;
    const bool idle = random_.below(4) == 0;
    for (int k = -1; k < count; ++k) {
        for (int y = state_.first_visit(k < 0 ? site : near[k]); y != none; y = state_[y].twin_next) {
            if (y == x || (k < 0 && state_[x].route == state_[y].route)) continue;
            for (int move = 0; move < 4; ++move) {
                if (!apply(move, x, y, limit)) continue;
                const Cost change = state_.cost() - before;
                if (change < 0) {
                    state_.commit();
                    return true;
                }
                state_.undo();
                // Shifting a piece between two visits of its site costs nothing, and is nearly always
                // possible: if it always won there would be no climbing.
                if (change == 0 && !idle) continue;
                partner = y;
                kind = move;
                limit = static_cast<double>(change);
            }
        }
    }
    if (partner == none) return false;
    apply(kind, x, partner, limit + 1);
    state_.commit();
    return true;
}

bool Record::apply(int move, int x, int y, double limit) {
    if (move == 0) return relocate(state_, x, y, limit);
    if (move == 1) return swap(state_, x, y, limit);
    if (state_[x].route == state_[y].route) return move == 2 && flip(state_, x, y, limit);
    return move == 2 ? tails_.run(x, y, limit) : tails_.run_reversed(x, y, limit);
}

// Takes some visits out and puts each back where it costs least.
void Record::perturb() {
    Inserter inserter(state_, random_);
    inserter.blink = 0.1;
    const int count = std::max(1, std::min<int>(most_perturbed, problem_.items() / 10));
    for (int k = 0; k < count; ++k) {
        const int item = random_.below(problem_.items());
        for (int v = state_.first_visit(problem_.item(item).site); v != none; v = state_[v].twin_next)
            if (state_[v].item == item) {
                state_.remove(v);
                inserter.insert(item, problem_.item(item).demand);
                break;
            }
    }
    state_.commit();
    record_ = local_ = state_.cost();
}

}  // namespace splitroute
