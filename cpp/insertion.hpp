// Inserts a quantity for a site into the routes at minimum cost, split if that is cheaper.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "random.hpp"
#include "settings.hpp"
#include "state.hpp"
#include "transfer_chains.hpp"
#include "wasted_room.hpp"

namespace splitroute {

template <class Policy>
class Inserter {
public:
    static constexpr Cost unlimited = std::numeric_limits<Cost>::max();

    Inserter(State<Policy>& state, Random& random, const Settings& settings);

    // Number of neighbours of a site next to which positions are considered.
    void set_neighbours(int count) { neighbours_ = count; }
    // Draws how small the parts of a demand may be; the rules allow all that may be drawn.
    void draw_parts()
        requires Policy::is_rich
    {
        wasted_room_.draw_parts(random_);
    }
    // At most so many routes, which may be fewer than there are vehicles.
    void set_max_routes(int count) { max_routes_ = count; }
    // Routes in which every position is considered, not only those next to neighbours.
    void scan_fully(int route);
    void clear_scanned_routes();

    // Serves the quantity; false if that would cost `budget` or more, or if there are no vehicles left.
    // Full loads of a quantity above the capacity get vehicles of their own first, whatever the budget.
    // What was inserted before it failed is left to be undone.
    bool insert(int item, int quantity, Cost budget = unlimited);
    // Serves the quantity on any routes that have room, however far away; false if they have too little.
    bool insert_anywhere(int item, int quantity);

private:
    // A larger vehicle for a route, and what that costs; `limit` is the room that it has by load.
    struct Upgrade {
        std::int32_t limit = 0, type = none;
        Cost cost = 0;
    };
    struct NoUpgrade {};
    // The cheapest position on a route: behind `after`, or onto an existing visit.
    struct Candidate {
        Cost cost;
        std::int32_t route, after, visit;
        std::int32_t room;
        [[no_unique_address]] std::conditional_t<Policy::is_rich, Upgrade, NoUpgrade> upgrade{};
    };
    // A candidate among those that are combined.
    struct Option {
        Cost cost;
        std::int32_t room, candidate;
    };
    // Limits of the search over sets of routes. More than four parts are hardly ever cheapest; fourteen
    // options have about 1,500 such sets, of which the bound on the cost leaves a few.
    static constexpr int max_parts = 4, max_options = 14;
    // Options that are asked for transfer chains, cheapest first. Asking all takes a fifth of the time where
    // vehicles are full, and finds nothing better.
    static constexpr int max_chained_options = 4;
    static constexpr int max_attempts = 64, max_trips_tried = 16, new_type_interval = 4;
    static constexpr int insistence_interval = 8;  // insertions of which one delivers at any price
    static constexpr Cost key_scale = 1 << 20;     // more than there are candidates

    bool blinks();
    void collect_candidates(int item, int site);
    void consider(int route, int after, Cost cost);
    void probe(int item, int site)
        requires(!Policy::is_rich);
    void scan(int site, int route);
    Candidate* cheapest_whole(int quantity);
    bool find_cheapest_parts(int quantity, Cost limit);
    void list_options(Cost limit);
    bool extend_room(int quantity);
    void search_parts(int from, int depth, Cost cost, int quantity);
    bool place_parts(int item, int quantity);
    int place(const Candidate& candidate, int item, int quantity);

    // -- with rules (insertion_rules.cpp)
    const Rules& rules() const
        requires Policy::is_rich
    {
        return state_.instance.rules();
    }
    bool insert_with_rules(int item, int quantity, Cost budget)
        requires Policy::is_rich;
    int place_cheapest_parts(int quantity)
        requires Policy::is_rich;
    bool choose_parts(int quantity)
        requires Policy::is_rich;
    bool choose_part_per_unit(int quantity)
        requires Policy::is_rich;
    void search_parts_with_rules(int from, int depth, Cost cost, int quantity, int new_visits)
        requires Policy::is_rich;
    Cost price_of_waste(const Candidate& candidate, int part) const
        requires Policy::is_rich;
    bool may_visit(const Candidate& candidate, int new_visits) const
        requires Policy::is_rich;
    int part_of(const Candidate& candidate, int quantity) const
        requires Policy::is_rich;
    int last_part(const Candidate& candidate, int quantity) const
        requires Policy::is_rich;
    Cost price_of_visit(int route, int after) const
        requires Policy::is_rich;
    void consider_with_rules(int route, int after, Cost cost)
        requires Policy::is_rich;
    void find_upgrade(Candidate& candidate) const
        requires Policy::is_rich;
    void consider_new_trips(int site)
        requires Policy::is_rich;
    bool consider_trip(int site, int& used, int type, int after_trip)
        requires Policy::is_rich;

    State<Policy>& state_;
    Random& random_;
    const Settings& settings_;
    TransferChains<Policy> chains_;
    [[no_unique_address]] std::conditional_t<Policy::is_rich, WastedRoom, NoWastedRoom> wasted_room_;
    int neighbours_, max_routes_;
    std::int64_t until_blink_ = 0;
    float mean_until_blink_ = 0;
    std::vector<std::int32_t> probe_distances_;  // along the space-filling curve
    std::vector<std::int32_t> scanned_;
    std::vector<std::uint32_t> scanned_stamp_;
    std::uint32_t scanned_tick_ = 1;

    std::vector<Candidate> candidates_;
    std::vector<std::int32_t> index_;  // per route: its candidate, valid if stamped
    std::vector<std::uint32_t> stamp_;
    std::uint32_t tick_ = 0;
    std::uint32_t removals_ = 0;  // of the state when the candidates were collected
    Cost budget_ = 0;

    std::vector<Cost> keys_;  // cost and index of a candidate in one number, to be sorted
    std::array<Option, max_options> options_{};
    int option_count_ = 0;
    std::array<int, max_parts> chosen_{}, best_{};  // candidates
    int best_size_ = 0;
    Cost best_cost_ = 0;
    bool uses_chains_ = true;
    // Of the present insertion, with rules.
    int item_ = none, quantity_ = 0, visits_ = 0, min_part_ = 1;
    Cost extra_ = 0, extra_later_ = 0;  // of a visit, and of those after the first that is new
    bool may_upgrade_ = false, leaves_rest_ = false, insists_ = false;
};

}  // namespace splitroute
