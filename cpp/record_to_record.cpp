#include "record_to_record.hpp"

#include <algorithm>
#include <utility>

namespace splitroute {

namespace {
using Clock = std::chrono::steady_clock;

// The defaults of VRPH's vrp_rtr, except for the perturbations.
constexpr double deviation = 0.01;
constexpr int max_uphill_cycles = 30;  // VRPH's intensity
constexpr int max_failures = 5;        // local minima without improvement, before a perturbation
constexpr int max_candidates = Instance::max_neighbours;  // visits that a visit is combined with
constexpr int max_perturbations = 5;  // VRPH makes one; today there is time for more, and they pay off
// A perturbation moves at most that many visits, and at most that fraction of all.
constexpr int max_perturbed_visits = 30, perturbed_fraction = 5;
constexpr double min_saving = 1e-3;  // avoids a division by zero

constexpr int clock_interval = 8;  // items
}  // namespace

RecordToRecord::RecordToRecord(const Instance& instance, std::uint64_t seed)
    : instance_(instance), random_(seed), state_(instance) {}

void RecordToRecord::advance(std::int64_t passes, double seconds) {
    const auto began = Clock::now();
    const auto time_is_up = [&] {
        return std::chrono::duration<double>(Clock::now() - began).count() >= seconds;
    };
    const std::int64_t last = passes_ + passes;
    while (!is_done() && passes_ < last) {
        if (!has_begun_) {
            if (!construct(time_is_up)) return;
            begin(savings_ ? savings_->routes() : given_);
        }
        for (; next_item_ < instance_.items(); ++next_item_) {
            if (next_item_ % clock_interval == 0 && time_is_up()) return;
            const auto ceiling = static_cast<double>(record_) * (1 + deviation);
            const double limit = is_uphill_ ? ceiling - static_cast<double>(state_.cost()) : 0;
            has_improved_ |= improve(visit_of(next_item_), std::max(0.0, limit));
            update_best();
        }
        finish_pass();
    }
}

bool RecordToRecord::construct(const std::function<bool()>& time_is_up) {
    if (start_ == 0 && (given_.empty() || !state_.has_room_for(given_))) ++start_;
    if (start_ == 0) return true;
    if (!savings_) savings_.emplace(instance_, lambdas[start_ - 1]);
    return savings_->advance(time_is_up);
}

void RecordToRecord::stop_construction() {
    if (has_begun_ || !savings_) return;
    // Savings that have hardly begun leave a vehicle to every item.
    const Routes merged = savings_->routes(), filled = filled_in_order(instance_);
    begin(cost_of(instance_, merged) <= cost_of(instance_, filled) ? merged : filled);
}

void RecordToRecord::begin(const Routes& routes) {
    state_.load_routes(routes);
    savings_.reset();
    record_ = local_best_ = state_.cost();
    has_begun_ = is_uphill_ = true;
    kind_ = relocate;
    next_item_ = 0;
    uphill_cycles_ = failures_ = perturbations_ = 0;
    update_best();
}

void RecordToRecord::finish_pass() {
    ++passes_;
    next_item_ = 0;
    kind_ = (kind_ + 1) % kinds;
    if (kind_ != relocate) return;
    if (is_uphill_) {
        if (++uphill_cycles_ < max_uphill_cycles) return;
        is_uphill_ = false;
    } else if (!has_improved_) {
        finish_descent();
    }
    has_improved_ = false;
}

// At a local minimum: go uphill again, perturb, or continue with the next start.
void RecordToRecord::finish_descent() {
    failures_ = state_.cost() < local_best_ ? 0 : failures_ + 1;
    local_best_ = std::min(local_best_, state_.cost());
    record_ = std::min(record_, state_.cost());
    is_uphill_ = true;
    uphill_cycles_ = 0;
    if (failures_ < max_failures) return;
    failures_ = 0;
    if (perturbations_++ < max_perturbations) {
        perturb();
    } else {
        has_begun_ = false;
        ++start_;
    }
}

void RecordToRecord::update_best() {
    if (state_.cost() >= best_cost_) return;
    best_cost_ = state_.cost();
    best_ = state_.routes();
}

int RecordToRecord::visit_of(int item) const {
    int v = state_.first_visit(instance_.item(item).site);
    while (state_[v].item != item) v = state_[v].next_at_site;
    return v;
}

// Applies the first move of this kind around a visit that improves; otherwise the best one that changes
// the cost by less than the limit. Returns whether the cost improved.
bool RecordToRecord::improve(int x, double limit) {
    const int site = state_[x].site;
    const std::int32_t* neighbours = instance_.neighbours(site);
    const int count = instance_.neighbour_count();
    std::optional<Candidate> best;
    int seen = 0;
    // Moving a piece between two routes that both serve its site costs nothing and is nearly always
    // possible. If it were always taken there would be no uphill moves; if never, no new combinations.
    const bool accepts_zero = random_.below(2) == 0;
    for (int k = -1; k < count && seen < max_candidates; ++k) {
        for (int y = state_.first_visit(k < 0 ? site : neighbours[k]); y != none;
             y = state_[y].next_at_site) {
            if (++seen > max_candidates) break;
            if (y == x || (k < 0 && state_[x].route == state_[y].route)) continue;
            for (int variant = variants(x, y); variant-- > 0;) {
                const auto candidate = evaluate(variant, x, y, limit);
                if (!candidate) continue;
                const Cost change = std::visit([](const auto& move) { return move.change; }, *candidate);
                if (change < 0) {
                    apply_candidate(*candidate);
                    return true;
                }
                if (change == 0 && !accepts_zero) continue;
                best = candidate;
                limit = static_cast<double>(change);
            }
        }
    }
    if (best) apply_candidate(*best);
    return false;
}

int RecordToRecord::variants(int x, int y) const {
    if (kind_ != two_opt) return 2;
    return state_[x].route == state_[y].route ? 2 : 4;
}

// Relocate and swap are tried for single visits and for blocks. The variants of 2-opt and 2-opt* differ
// in the nodes that the new edges join: x and y, their predecessors, or one and the other's predecessor.
std::optional<RecordToRecord::Candidate> RecordToRecord::evaluate(int variant, int x, int y,
                                                                  double limit) const {
    const State<Plain>& s = state_;
    if (kind_ == relocate) {
        if (variant) return RelocateBlock::evaluate(s, x, y, limit);
        return Relocate::evaluate(s, x, y, limit);
    }
    if (kind_ == swap) {
        if (variant) return SwapBlocks::evaluate(s, x, y, limit);
        return Swap::evaluate(s, x, y, limit);
    }
    const int before_x = s[x].prev, before_y = s[y].prev;
    if (s[x].route == s[y].route)
        return variant ? TwoOpt::evaluate(s, x, y, limit) : TwoOpt::evaluate(s, before_x, before_y, limit);
    switch (variant) {
        case 0: return TwoOptStar::evaluate(s, x, y, limit);
        case 1: return TwoOptStar::evaluate(s, y, x, limit);
        case 2: return TwoOptStar::evaluate_reversed(s, x, y, limit);
        default:
            if (s[before_x].item == none || s[before_y].item == none) return {};
            return TwoOptStar::evaluate_reversed(s, before_x, before_y, limit);
    }
}

void RecordToRecord::apply_candidate(const Candidate& candidate) {
    std::visit([&](const auto& move) { apply(state_, move); }, candidate);
    state_.commit();
}

// Li, Golden and Wasil: visits with little load and a long detour move elsewhere.
void RecordToRecord::perturb() {
    std::vector<std::pair<double, int>> by_worth;
    for (int item = 0; item < instance_.items(); ++item) {
        const int v = visit_of(item);
        by_worth.emplace_back(state_[v].quantity / (static_cast<double>(state_.saving(v)) + min_saving),
                              item);
    }
    std::sort(by_worth.begin(), by_worth.end());
    int left = std::min(max_perturbed_visits, instance_.items() / perturbed_fraction);
    for (std::size_t k = 0; k < by_worth.size() && left > 0; ++k)
        left -= move_elsewhere(visit_of(by_worth[k].second));
    state_.commit();
    record_ = local_best_ = state_.cost();
}

// Moves a visit to the cheapest other position on a vehicle with room; false if there is none.
bool RecordToRecord::move_elsewhere(int visit) {
    const Node& node = state_[visit];
    const std::int32_t* neighbours = instance_.neighbours(node.site);
    int best = none;
    Cost best_cost = 0;
    for (int k = 0; k < instance_.neighbour_count(); ++k)
        for (int y = state_.first_visit(neighbours[k]); y != none; y = state_[y].next_at_site) {
            if (state_[y].route != node.route && state_.slack(state_[y].route) < node.quantity) continue;
            for (int after : {y, static_cast<int>(state_[y].prev)}) {
                if (after == visit || state_[after].next == visit) continue;
                const Cost cost = state_.insertion(node.site, after);
                if (best == none || cost < best_cost) best = after, best_cost = cost;
            }
        }
    if (best == none) return false;
    state_.move(visit, best);
    return true;
}

}  // namespace splitroute
