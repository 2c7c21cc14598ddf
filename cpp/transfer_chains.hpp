// Makes room on a route by transferring quantities of its split visits to the other vehicles that serve
// these sites, which may in turn make room on theirs.
//
// Where vehicles are exactly full, as in the instances SD1 to SD21, nothing else lets load move at all.
#pragma once

#include <cstdint>
#include <vector>

#include "state.hpp"

namespace splitroute {

template <class Policy>
class TransferChains {
public:
    explicit TransferChains(State<Policy>& state)
        : state_(state), direct_(state.max_routes()), stamp_(state.max_routes(), 0) {}

    // Protects the visits of the site for which room is made.
    void protect(int site) { protected_ = site; }
    // Forgets how much room routes could make; the state or what is protected has changed.
    void forget() { ++tick_; }

    // How much room the route could make, up to `enough`. Two routes may count on the same room.
    int available(int route, int enough);
    // Makes up to that much room.
    void make_room(int route, int amount) { make_room(route, amount, max_depth, none); }

private:
    // Vehicles in a chain. Longer ones are rarely possible where shorter ones are not.
    static constexpr int max_depth = 2;

    int direct(int route, int enough, int origin) const;
    int indirect(int route, int enough, int origin);
    int make_room(int route, int amount, int depth, int origin);
    int transfer_from(int visit, int amount, int depth, int origin);
    bool may_transfer(int visit) const {
        const int site = state_[visit].site;
        return state_.is_split(visit) && site != protected_ && site != also_protected_;
    }

    State<Policy>& state_;
    std::int32_t protected_ = none, also_protected_ = none;
    std::vector<std::int32_t> direct_;  // per route: room by transfers to other routes, valid if stamped
    std::vector<std::uint32_t> stamp_;
    std::uint32_t tick_ = 0;
};

}  // namespace splitroute
