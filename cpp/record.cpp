#include "record.hpp"

#include <algorithm>
#include <utility>

#include "moves/block.hpp"
#include "moves/flip.hpp"
#include "moves/relocate.hpp"
#include "moves/swap.hpp"
#include "savings.hpp"

namespace splitroute {

namespace {
using Clock = std::chrono::steady_clock;

// The defaults of VRPH's vrp_rtr, but for four perturbations more: there is time for them.
constexpr double deviation = 0.01;
constexpr int intensity = 30, most_tries = 5, most_perturbations = 5, neighbours = 40;
constexpr int most_perturbed = 30;

constexpr int between_looks_at_the_clock = 8;
}  // namespace

Record::Record(const Problem& problem, std::uint64_t seed)
    : problem_(problem), random_(seed), state_(problem), tails_(state_) {
    for (int i = 0; i < problem.items(); ++i) items_.push_back(i);
}

void Record::advance(std::int64_t passes, double seconds) {
    const auto began = Clock::now();
    const auto time_is_up = [&] {
        return std::chrono::duration<double>(Clock::now() - began).count() >= seconds;
    };
    const std::int64_t last = passes_ + passes;
    while (!done() && passes_ < last) {
        if (!begun_) {
            if (!construct(time_is_up)) return;
            begin();
        }
        for (; next_ < items_.size(); ++next_) {
            if (next_ % between_looks_at_the_clock == 0 && time_is_up()) return;
            const auto ceiling = static_cast<double>(record_) * (1 + deviation);
            const double limit = climbing_ ? ceiling - static_cast<double>(state_.cost()) : 0;
            improved_ |= improve(visit_of(items_[next_]), std::max(0.0, limit));
            keep();
        }
        finish_pass();
    }
}

bool Record::construct(const std::function<bool()>& time_is_up) {
    if (start_ == 0 && (given_.empty() || !state_.fits(given_))) ++start_;
    if (start_ == 0) return true;
    if (!savings_) savings_.emplace(problem_, lambdas[start_ - 1]);
    return savings_->advance(time_is_up);
}

void Record::stop_construction() {
    if (!begun_ && savings_) begin();
}

void Record::begin() {
    state_.load_routes(start_ == 0 ? given_ : savings_->routes());
    savings_.reset();
    record_ = local_ = state_.cost();
    begun_ = climbing_ = true;
    kind_ = one_point;
    next_ = 0;
    rounds_ = tries_ = perturbed_ = 0;
    keep();
}

void Record::finish_pass() {
    ++passes_;
    next_ = 0;
    kind_ = (kind_ + 1) % kinds;
    if (kind_ != one_point) return;
    if (climbing_) {
        if (++rounds_ < intensity) return;
        climbing_ = false;
    } else if (!improved_) {
        settle();
    }
    improved_ = false;
}

void Record::settle() {
    tries_ = state_.cost() < local_ ? 0 : tries_ + 1;
    local_ = std::min(local_, state_.cost());
    record_ = std::min(record_, state_.cost());
    climbing_ = true;
    rounds_ = 0;
    if (tries_ < most_tries) return;
    tries_ = 0;
    if (perturbed_++ < most_perturbations) {
        perturb();
    } else {
        begun_ = false;
        ++start_;
    }
}

void Record::keep() {
    if (state_.cost() >= best_cost_) return;
    best_cost_ = state_.cost();
    best_.clear();
    for (int k = 0; k < state_.active(); ++k) best_.push_back(state_.stops(state_.route(k)));
}

int Record::visit_of(int item) const {
    int v = state_.first_visit(problem_.item(item).site);
    while (state_[v].item != item) v = state_[v].twin_next;
    return v;
}

// The first move of this kind around a visit that shortens the routes; else the best one that costs
// less than the limit. Moves know their change only by being made, so each is tried and taken back.
// True if the routes became shorter.
bool Record::improve(int x, double limit) {
    const int site = state_[x].site;
    const std::int32_t* near = problem_.neighbours(site);
    const int count = std::min(neighbours, problem_.neighbour_count());
    const Cost before = state_.cost();
    int partner = none, found = 0, seen = 0;
    const bool idle = random_.below(2) == 0;
    for (int k = -1; k < count && seen < neighbours; ++k) {
        for (int y = state_.first_visit(k < 0 ? site : near[k]); y != none; y = state_[y].twin_next) {
            if (++seen > neighbours) break;
            if (y == x || (k < 0 && state_[x].route == state_[y].route)) continue;
            for (int variant = variants(x, y); variant-- > 0;) {
                if (!apply(variant, x, y, limit)) continue;
                const Cost change = state_.cost() - before;
                if (change < 0) {
                    state_.commit();
                    return true;
                }
                state_.undo();
                // Shifting a piece between two visits of its site costs nothing, and is nearly always
                // possible: if it always won there would be no climbing, if never, no new mixtures.
                if (change == 0 && !idle) continue;
                partner = y;
                found = variant;
                limit = static_cast<double>(change);
            }
        }
    }
    if (partner == none) return false;
    apply(found, x, partner, limit + 1);
    state_.commit();
    return false;
}

int Record::variants(int x, int y) const {
    if (kind_ != two_opt) return 2;
    return state_[x].route == state_[y].route ? 2 : 4;
}

// A point is a visit, or all those at its site that are next to it. For 2-opt, new edges join x and y, or
// what comes before them, or x and what comes before y, and so on.
bool Record::apply(int variant, int x, int y, double limit) {
    if (kind_ == one_point)
        return variant ? relocate_block(state_, x, y, limit) : relocate(state_, x, y, limit);
    if (kind_ == two_point) return variant ? swap_blocks(state_, x, y, limit) : swap(state_, x, y, limit);
    const int before_x = state_[x].prev, before_y = state_[y].prev;
    if (state_[x].route == state_[y].route)
        return variant ? flip(state_, x, y, limit) : flip(state_, before_x, before_y, limit);
    switch (variant) {
        case 0: return tails_.run(x, y, limit);
        case 1: return tails_.run(y, x, limit);
        case 2: return tails_.run_reversed(x, y, limit);
        default:
            if (state_[before_x].item == none || state_[before_y].item == none) return false;
            return tails_.run_reversed(before_x, before_y, limit);
    }
}

// Li, Golden and Wasil: small amounts that cost a long detour go elsewhere.
void Record::perturb() {
    std::vector<std::pair<double, int>> worth;
    for (int item : items_) {
        const int v = visit_of(item);
        worth.emplace_back(state_[v].quantity / (static_cast<double>(state_.saving(v)) + 1e-3), item);
    }
    std::sort(worth.begin(), worth.end());
    int left = std::min<int>(most_perturbed, problem_.items() / 5);
    for (std::size_t k = 0; k < worth.size() && left > 0; ++k)
        left -= put_elsewhere(visit_of(worth[k].second));
    state_.commit();
    record_ = local_ = state_.cost();
}

// The cheapest place for a visit that is not where it is, on a vehicle with room.
bool Record::put_elsewhere(int visit) {
    const Node& node = state_[visit];
    const std::int32_t* near = problem_.neighbours(node.site);
    int best = none;
    Cost least = 0;
    for (int k = 0; k < std::min(neighbours, problem_.neighbour_count()); ++k)
        for (int y = state_.first_visit(near[k]); y != none; y = state_[y].twin_next) {
            if (state_[y].route != node.route && state_.slack(state_[y].route) < node.quantity) continue;
            for (int front : {y, static_cast<int>(state_[y].prev)}) {
                if (front == visit || state_[front].next == visit) continue;
                const Cost cost = state_.insertion(node.site, front);
                if (best == none || cost < least) best = front, least = cost;
            }
        }
    if (best == none) return false;
    state_.move(visit, best);
    return true;
}

}  // namespace splitroute
