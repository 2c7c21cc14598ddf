// Consistency checks of the state, for the self-test and the checking build.
#include <algorithm>
#include <cmath>

#include "state.hpp"

namespace splitroute {

template <class Policy>
Cost State<Policy>::recomputed_cost() const {
    if constexpr (rich) return recomputed_cost_with_rules();
    Cost total = 0;
    for (int k = 0; k < active_; ++k) {
        const int r = order_[k];
        int at = r;
        do {
            total += distance(at, nodes_[at].next);
            at = nodes_[at].next;
        } while (at != r);
    }
    return total;
}

// Also checks that the rules are respected; -1 if not.
template <class Policy>
Cost State<Policy>::recomputed_cost_with_rules() const
    requires Policy::is_rich
{
    const Rules& rules = schedule_.rules;
    Cost total = 0;
    std::vector<int> vehicles(rules.types.size(), 0);
    for (int k = 0; k < active_; ++k) {
        if (prev_trip(order_[k]) != none) continue;
        const VehicleType& type = vehicle(order_[k]);
        total += type.fixed_cost;
        if (++vehicles[this->type(order_[k])] > schedule_.max_vehicles[this->type(order_[k])] ||
            trips(order_[k]) > type.max_trips)
            return -1;
        Time back = 0;
        for (int r = order_[k]; r != none; r = next_trip(r)) {
            if (this->type(r) != this->type(order_[k])) return -1;
            const Time loading = prev_trip(r) == none ? 0 : type.loading + type.loading_per_unit * load_[r];
            Cost length = 0;
            int site = type.start;
            for (int v = nodes_[r].next; v != r; v = nodes_[v].next) {
                length += instance.distance(site, nodes_[v].site);
                site = nodes_[v].site;
                if (!(rules.items[nodes_[v].item].types >> this->type(r) & 1)) return -1;
            }
            length += instance.distance(site, type.end);
            const Time departure = type.departure.earliest(back + loading);
            back = departure < never ? return_after(r, departure) : never;
            if (back >= never || length > type.max_distance || length_[r] > type.max_stops) return -1;
            total += std::llround(type.cost_per_distance * static_cast<double>(length));
            if (type.max_duration < never || type.cost_per_time > 0) {
                if (schedule_.duration[r] > type.max_duration) return -1;
                total += std::llround(type.cost_per_time * static_cast<double>(schedule_.duration[r]));
            }
            total += short_trip_cost(type, load_[r]);
        }
    }
    for (int i = 0; i < instance.items(); ++i) {
        const ItemRules& rule = rules.items[i];
        std::int64_t delivered = 0;
        int visits = 0;
        for (int v = first_[instance.item(i).site]; v != none; v = nodes_[v].next_at_site)
            if (nodes_[v].item == i) ++visits, delivered += nodes_[v].quantity;
        if (delivered + schedule_.undelivered[i] != instance.item(i).demand || visits > rule.max_visits)
            return -1;
        total += rule.extra_visit_cost * std::max(0, visits - 1);
        total += std::llround(penalty(i) * schedule_.undelivered[i]);
    }
    return total;
}

template <class Policy>
bool State<Policy>::is_consistent() const {
    thread_local std::vector<int> seen;  // reused, so that checks allocate nothing
    seen.assign(instance.sites(), 0);
    int used = 0;
    for (int r = 0; r < max_routes_; ++r) {
        int load = 0, length = 0, at = r;
        do {
            const int next = nodes_[at].next;
            if (nodes_[next].prev != at || nodes_[next].route != r) return false;
            // An empty route of a rich state has no vehicle type yet.
            if ((!rich || next != at) && nodes_[at].leg != distance(at, next)) return false;
            at = next;
            if (at == r) break;
            if (nodes_[at].quantity <= 0) return false;
            load += nodes_[at].quantity;
            ++length;
            ++seen[nodes_[at].site];
        } while (true);
        if (load != load_[r] || length != length_[r] || load > capacity(r)) return false;
        if ((length > 0) != (position_[r] < active_) || order_[position_[r]] != r) return false;
        used += length;
    }
    for (int s = 0; s < instance.sites(); ++s) {
        int visits = 0;
        for (int v = first_[s]; v != none; v = nodes_[v].next_at_site) {
            if (nodes_[v].site != s || nodes_[v].route == none) return false;
            ++visits;
        }
        if (visits != seen[s] || visits != count_[s]) return false;
    }
    return used == used_ && recomputed_cost() == cost_;
}

template Cost State<Plain>::recomputed_cost() const;
template bool State<Plain>::is_consistent() const;
template Cost State<Rich>::recomputed_cost() const;
template bool State<Rich>::is_consistent() const;

}  // namespace splitroute
