#include "insert.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace splitroute {

Inserter::Inserter(State& state, Random& random)
    : state_(state), random_(random), index_(state.routes()), stamp_(state.routes(), 0),
      favoured_(state.routes(), 0) {
    choices_.reserve(1024);
    keys_.reserve(1024);
    blinks();  // draws when the first is due
    favourites_.reserve(256);
}

void Inserter::favour(int route) {
    if (favoured_[route] == favour_tick_) return;
    favoured_[route] = favour_tick_;
    favourites_.push_back(route);
}

void Inserter::forget_favourites() {
    favourites_.clear();
    ++favour_tick_;
}

// Notes that the site could stand behind `before`, if that is the best place of its route so far.
void Inserter::consider(int route, int before, Cost cost) {
    if (cost >= budget_) return;
    if (stamp_[route] != tick_) {
        stamp_[route] = tick_;
        index_[route] = static_cast<std::int32_t>(choices_.size());
        choices_.push_back({cost, route, before, none, state_.slack(route)});
        return;
    }
    Choice& known = choices_[index_[route]];
    if (cost < known.cost) {
        known.cost = cost;
        known.after = before;
    }
}

void Inserter::scan(int site, int route) {
    int at = route;
    do {
        consider(route, at, state_.insertion(site, at));
        at = state_[at].next;
    } while (at != route);
}

// Whether to overlook a position. Drawing how many are looked at before the next one is overlooked
// comes to the same as a chance at each, and is cheaper.
bool Inserter::blinks() {
    if (until_blink_-- > 0) return false;
    until_blink_ = blink > 0 ? static_cast<std::int64_t>(std::log(random_.unit()) / std::log1p(-blink))
                             : std::numeric_limits<std::int64_t>::max();
    return blink > 0;
}

void Inserter::gather(int site) {
    choices_.clear();
    ++tick_;
    const Problem& problem = state_.problem;
    for (int v = state_.first_visit(site); v != none; v = state_[v].twin_next) {
        const int route = state_[v].route;
        if (stamp_[route] == tick_) continue;
        stamp_[route] = tick_;
        index_[route] = static_cast<std::int32_t>(choices_.size());
        choices_.push_back({0, route, v, v, state_.slack(route)});
    }
    const std::int32_t* near = problem.neighbours(site);
    const std::int32_t* to = problem.from_neighbours(site);
    const std::int32_t* from = problem.to_neighbours(site);
    const int count = std::min(width, problem.neighbour_count());
    for (int k = 0; k < count; ++k) {
        for (int v = state_.first_visit(near[k]); v != none; v = state_[v].twin_next) {
            if (blinks()) continue;
            const Node& node = state_[v];
            consider(node.route, v, to[k] + problem.distance(site, state_[node.next].site) - node.leg);
            const Node& front = state_[node.prev];
            consider(node.route, node.prev, problem.distance(front.site, site) + from[k] - front.leg);
        }
    }
    for (int route : favourites_)
        if (state_.length(route) > 0) scan(site, route);
    if (state_.active() >= problem.vehicles()) return;
    const int fresh = state_.open();
    consider(fresh, fresh, state_.insertion(site, fresh));
}

const Inserter::Choice* Inserter::cheapest_whole(int quantity) const {
    const Choice* best = nullptr;
    for (const Choice& c : choices_)
        if (c.room >= quantity && (!best || c.cost < best->cost)) best = &c;
    return best;
}

// The cheapest set of routes that together take the quantity, if it costs less than `limit`.
bool Inserter::cheapest_parts(int quantity, Cost limit) {
    list_options(limit);
    best_cost_ = limit;
    best_size_ = 0;
    // First with the room there is, which is quick: only what is cheaper than that is asked how much
    // room it could make.
    search_parts(0, 0, 0, quantity);
    if (pushing_ && ask_for_room(quantity)) search_parts(0, 0, 0, quantity);
    return best_size_ > 0;
}

// The choices that cost less than `limit`, cheapest first, as many as are worth combining.
void Inserter::list_options(Cost limit) {
    keys_.clear();
    for (int k = 0; k < static_cast<int>(choices_.size()); ++k)
        if (choices_[k].cost < limit) keys_.push_back(choices_[k].cost * key_scale + k);
    options_ = static_cast<int>(std::min<std::ptrdiff_t>(std::ssize(keys_), most_choices));
    std::partial_sort(keys_.begin(), keys_.begin() + options_, keys_.end());
    for (int k = 0; k < options_; ++k) {
        const auto index = static_cast<std::int32_t>(keys_[k] & (key_scale - 1));
        option_[k] = {choices_[index].cost, choices_[index].room, index};
    }
}

bool Inserter::ask_for_room(int quantity) {
    bool more = false;
    for (int k = 0; k < options_ && option_[k].cost < best_cost_; ++k) {
        Choice& choice = choices_[option_[k].choice];
        if (choice.room >= quantity || state_.length(choice.route) == 0) continue;
        const int extra = pushable(choice.route, quantity - choice.room, push_depth, none);
        if (extra == 0) continue;
        more = true;
        option_[k].room = choice.room += extra;
        if (choice.room >= quantity) break;  // what comes later costs more
    }
    return more;
}

void Inserter::search_parts(int from, int depth, Cost cost, int missing) {
    for (int k = from; k < options_; ++k) {
        const Option& option = option_[k];
        if (cost + option.cost >= best_cost_) return;  // they are sorted: the rest costs no less
        if (option.room <= 0) continue;
        chosen_[depth] = option.choice;
        if (option.room >= missing) {
            best_cost_ = cost + option.cost;
            best_size_ = depth + 1;
            best_ = chosen_;
            return;
        }
        if (depth + 1 < most_parts) search_parts(k + 1, depth + 1, cost + option.cost, missing - option.room);
    }
}

bool Inserter::insert(int item, int quantity, Cost budget) {
    const int site = state_.problem.item(item).site;
    const int capacity = state_.problem.capacity();
    for (; quantity > capacity; quantity -= capacity) {
        if (state_.active() >= state_.problem.vehicles()) return false;
        state_.add(item, capacity, state_.open());
    }
    budget_ = budget;
    gather(site);
    site_ = site;
    gathered_ = state_.removals();
    const Choice* whole = cheapest_whole(quantity);
    if (!state_.problem.splitting() || (whole && whole->cost == 0)) {
        if (!whole) return false;
        place(*whole, item, quantity);
        return true;
    }
    const Choice alone = whole ? *whole : Choice{budget, none, none, none, 0};
    if (cheapest_parts(quantity, alone.cost)) return place_parts(item, quantity);
    if (!whole) return false;
    place(alone, item, quantity);
    return true;
}

// Fills the chosen routes one after the other. What pushing promised may be gone by the time it is
// needed, for two routes may count on the same room: then the rest goes elsewhere.
bool Inserter::place_parts(int item, int quantity) {
    std::array<Choice, most_parts> parts;
    const int size = best_size_;
    for (int k = 0; k < size; ++k) parts[k] = choices_[best_[k]];
    for (int k = 0; k < size && quantity > 0; ++k) {
        const int wanted = std::min(quantity, parts[k].room) - state_.slack(parts[k].route);
        if (wanted > 0) push(parts[k].route, wanted, push_depth, none);
        quantity -= place(parts[k], item, quantity);
    }
    if (quantity == 0) return true;
    pushing_ = false;
    const bool done = insert(item, quantity, unlimited);
    pushing_ = true;
    return done;
}

// Delivers as much of the quantity as there is room for; returns how much.
int Inserter::place(const Choice& choice, int item, int quantity) {
    const int site = state_.problem.item(item).site, route = choice.route;
    int after = choice.after;
    if (state_.removals() != gathered_ && choice.visit == none) {  // its place may be gone
        choices_.clear();
        ++tick_;
        budget_ = unlimited;
        scan(site, route);
        after = choices_.front().after;
    }
    const int amount = std::min(quantity, state_.slack(route));
    if (amount <= 0) return 0;
    if (choice.visit != none && state_.problem.splitting()) state_.change(choice.visit, amount);
    else state_.add(item, amount, after);
    return amount;
}

// How much room a route could make by handing split deliveries to the other vehicles that serve them.
// `depth` is how many vehicles may be involved in a row; `from` is the route that asked, if any.
int Inserter::pushable(int route, int enough, int depth, int from) const {
    std::int64_t sum = 0;
    for (int v = state_[route].next; v != route && sum < enough; v = state_[v].next) {
        if (!may_push(v)) continue;
        std::int64_t here = 0;
        for (int w = state_.first_visit(state_[v].site); w != none; w = state_[w].twin_next) {
            const int other = state_[w].route;
            if (other == route || other == from) continue;
            here += state_.slack(other);
            if (here < state_[v].quantity && depth > 1)
                here += pushable(other, static_cast<int>(state_[v].quantity - here), depth - 1, route);
        }
        sum += std::min<std::int64_t>(here, state_[v].quantity);
    }
    return static_cast<int>(std::min<std::int64_t>(sum, enough));
}

// Makes up to `amount` of room on a route in that way; returns how much it made.
int Inserter::push(int route, int amount, int depth, int from) {
    int made = 0;
    for (int v = state_[route].next; v != route && made < amount;) {
        const int next = state_[v].next;
        if (may_push(v)) made += push_visit(v, amount - made, depth, from);
        v = next;
    }
    return made;
}

int Inserter::push_visit(int v, int amount, int depth, int from) {
    const int route = state_[v].route;
    int made = 0;
    for (int w = state_.first_visit(state_[v].site); w != none && made < amount;) {
        const int following = state_[w].twin_next, other = state_[w].route;
        if (other != route && other != from) {
            const int want = std::min(amount - made, state_[v].quantity);
            // Only other sites' visits move then, so w and its twins stay what they are.
            if (state_.slack(other) < want && depth > 1) {
                const int kept = std::exchange(kept_, state_[v].site);
                push(other, want - state_.slack(other), depth - 1, route);
                kept_ = kept;
            }
            const int shift = std::min(want, state_.slack(other));
            if (shift > 0) {
                state_.change(w, shift);
                made += shift;
                if (shift == state_[v].quantity) {
                    state_.remove(v);
                    return made;
                }
                state_.change(v, -shift);
            }
        }
        w = following;
    }
    return made;
}

}  // namespace splitroute
