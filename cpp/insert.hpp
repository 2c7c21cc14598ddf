// Puts an amount for a site onto routes where it costs least, splitting it if that is cheaper.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "random.hpp"
#include "state.hpp"

namespace splitroute {

class Inserter {
public:
    static constexpr Cost unlimited = std::numeric_limits<Cost>::max();

    Inserter(State& state, Random& random);

    // Routes in which every position is considered, not only those beside near neighbours.
    void favour(int route);
    void forget_favourites();

    double blink = 0.01;  // chance to overlook a position, for variety
    int width = 20;       // how many neighbours are looked at

    // Delivers the quantity; false if that would cost `budget` or more, or if there are no more
    // vehicles for it. Full loads of what exceeds the capacity get vehicles of their own first,
    // whatever the budget. What was done before it failed is left to be undone.
    bool insert(int item, int quantity, Cost budget = unlimited);

private:
    struct Choice {
        Cost cost;
        std::int32_t route, after, visit;  // behind `after`, or onto an existing `visit`
        std::int32_t room;
    };
    static constexpr int most_parts = 4, most_choices = 14, push_depth = 2;

    bool blinks();
    void gather(int site);
    void consider(int route, int before, Cost cost);
    void scan(int site, int route);
    const Choice* cheapest_whole(int quantity) const;
    bool cheapest_parts(int quantity, Cost limit);
    void list_options(Cost limit);
    bool ask_for_room(int quantity);
    void search_parts(int from, int depth, Cost cost, int missing);
    bool place_parts(int item, int quantity);
    int place(const Choice& choice, int item, int quantity);
    int pushable(int route, int enough, int depth, int from) const;
    int push(int route, int amount, int depth, int from);
    int push_visit(int visit, int amount, int depth, int from);
    bool may_push(int visit) const {
        const int site = state_[visit].site;
        return state_.split(visit) && site != site_ && site != kept_;
    }

    State& state_;
    Random& random_;
    std::vector<Choice> choices_;
    std::vector<std::int32_t> index_;  // per route: its choice, valid if stamped
    std::vector<std::uint32_t> stamp_;
    std::uint32_t tick_ = 0;
    std::int64_t until_blink_ = 0;
    std::vector<std::int32_t> favourites_;
    std::vector<std::uint32_t> favoured_;
    std::uint32_t favour_tick_ = 1;
    // For the search over sets of routes.
    std::array<int, most_parts> chosen_{}, best_{};
    int best_size_ = 0;
    Cost best_cost_ = 0, budget_ = 0;
    struct Option {
        Cost cost;
        std::int32_t room, choice;
    };
    static constexpr Cost key_scale = 1 << 20;  // more than there are choices
    std::vector<Cost> keys_;                    // cost and index of a choice in one number, to be sorted
    std::array<Option, most_choices> option_{};
    int options_ = 0;
    bool pushing_ = true;
    std::uint32_t gathered_ = 0;              // removals when the choices were gathered
    std::int32_t site_ = none, kept_ = none;  // sites whose visits must not be pushed
};

}  // namespace splitroute
