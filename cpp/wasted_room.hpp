// Room that nobody can use, where visits have to deliver a minimum or multiples of a lot.
//
// A vehicle with ten units of room is as good as full if every visit delivers twelve. Insertion that looks
// at detours alone leaves such remainders everywhere, and no later insertion repairs that at a price which
// is accepted. So in every other recreation parts are kept larger than they have to be, and for every other
// insertion wasted room has a price.
#pragma once

#include <algorithm>
#include <limits>

#include "instance.hpp"
#include "random.hpp"
#include "rules.hpp"

namespace splitroute {

class WastedRoom {
public:
    explicit WastedRoom(const Instance& instance) : rules_(instance.rules()) {
        if (!instance.allows_splitting()) return;
        min_part_ = half_demand_ = std::numeric_limits<int>::max();
        for (int i = 0; i < instance.items(); ++i) {
            const ItemRules& rule = rules_.items[i];
            const int demand = instance.item(i).demand;
            min_part_ = std::min({min_part_, demand, std::max(rule.min_drop, rule.lot)});
            half_demand_ = std::min(half_demand_, demand / 2);
        }
        useful_ = min_part_;
    }

    // Draws how large parts are in the next recreation: between what the rules demand and halves.
    void draw_parts(Random& random) {
        if (min_part_ <= 1) return;
        tightening_ = random.below(2) ? random.unit() : 0;
        useful_ = tightened(min_part_, half_demand_);
    }
    // Draws the price of wasted room for the next insertion, as a multiple of what the trip costs per unit.
    void draw_price(Random& random) {
        if (min_part_ > 1) price_ = random.below(2) ? max_price * random.unit() : 0;
    }

    bool has_price() const { return price_ > 0; }
    double price() const { return price_; }
    // The least that an item's visit delivers.
    int min_part(int item, int demand) const { return tightened(rules_.items[item].min_drop, demand / 2); }
    // How much of a route's slack is wasted.
    int wasted(int slack) const { return slack < useful_ ? slack : 0; }

private:
    static constexpr double max_price = 10;

    int tightened(int least, int most) const {
        return least + static_cast<int>(tightening_ * std::max(0, most - least));
    }

    const Rules& rules_;
    int min_part_ = 1, half_demand_ = 0;  // the smallest of all items
    int useful_ = 1;
    double tightening_ = 0, price_ = 0;
};

struct NoWastedRoom {
    explicit NoWastedRoom(const Instance&) {}
};

}  // namespace splitroute
