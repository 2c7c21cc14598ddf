#include "savings.hpp"

#include <algorithm>

namespace splitroute {

namespace {
constexpr int max_items_for_all_pairs = 2'000;  // two million pairs
constexpr std::size_t max_partners = 100;       // of an item in larger instances: its neighbours
// Mergers are sorted an eighth of the rest at a time, but at least so many: sorting all at once could not be
// interrupted.
constexpr std::size_t sort_divisor = 8, min_sorted = 1 << 20;
// Work between two checks of the clock: well under a millisecond.
constexpr int item_clock_interval = 64, merger_clock_interval = 4'096;
}  // namespace

Savings::Savings(const Instance& instance, double lambda)
    : instance_(instance), lambda_(lambda), items_(instance.items()), route_of_(instance.items()),
      load_(instance.items()) {
    for (int i = 0; i < instance.items(); ++i) {
        items_[i] = {i};
        route_of_[i] = i;
        load_[i] = instance.item(i).demand;
    }
}

bool Savings::advance(const std::function<bool()>& time_is_up) {
    for (; proposed_ < instance_.items(); ++proposed_) {
        if (proposed_ % item_clock_interval == 0 && time_is_up()) return false;
        propose_for(proposed_);
    }
    for (; merged_ < mergers_.size(); ++merged_) {
        if (merged_ == sorted_) sort_more();
        if (merged_ % merger_clock_interval == 0 && time_is_up()) return false;
        merge(mergers_[merged_]);
    }
    return true;
}

void Savings::propose_for(int i) {
    const int n = instance_.items();
    if (n <= max_items_for_all_pairs) {
        for (int j = instance_.is_symmetric() ? i + 1 : 0; j < n; ++j)
            if (i != j) propose(i, j);
        return;
    }
    const int site = instance_.item(i).site;
    for (int j : instance_.items_at(site))
        if (instance_.is_symmetric() ? i < j : i != j) propose(i, j);
    const std::size_t max_mergers = mergers_.size() + max_partners;
    const std::int32_t* neighbours = instance_.neighbours(site);
    for (int k = 0; k < instance_.neighbour_count() && mergers_.size() < max_mergers; ++k) {
        if (neighbours[k] < site && proposes(neighbours[k], site)) continue;
        for (int j : instance_.items_at(neighbours[k])) propose(i, j);
    }
}

// Whether a site proposes mergers with another one, so that it need not do the same.
bool Savings::proposes(int site, int other) const {
    // Without splitting, a site has several items.
    if (!instance_.is_symmetric() || !instance_.allows_splitting()) return false;
    const std::int32_t* neighbours = instance_.neighbours(site);
    const std::int32_t* end = neighbours + instance_.neighbour_count();
    return std::find(neighbours, end, other) != end;
}

void Savings::propose(int i, int j) {
    const Item &a = instance_.item(i), &b = instance_.item(j);
    if (static_cast<std::int64_t>(a.demand) + b.demand > instance_.capacity()) return;
    const auto saved = static_cast<double>(instance_.distance(a.site, 0) + instance_.distance(0, b.site)) -
                       lambda_ * static_cast<double>(instance_.distance(a.site, b.site));
    mergers_.push_back({saved, i, j});
}

void Savings::sort_more() {
    const auto greater = [](const Merger& a, const Merger& b) {
        if (a.saved != b.saved) return a.saved > b.saved;
        return a.i != b.i ? a.i < b.i : a.j < b.j;
    };
    const auto first = mergers_.begin() + static_cast<std::ptrdiff_t>(sorted_);
    const std::size_t left = mergers_.size() - sorted_;
    sorted_ += std::min(left, std::max(min_sorted, left / sort_divisor));
    const auto last = mergers_.begin() + static_cast<std::ptrdiff_t>(sorted_);
    if (last != mergers_.end()) std::nth_element(first, last, mergers_.end(), greater);
    std::sort(first, last, greater);
}

void Savings::merge(const Merger& m) {
    const int a = route_of_[m.i], b = route_of_[m.j];
    if (a == b || static_cast<std::int64_t>(load_[a]) + load_[b] > instance_.capacity()) return;
    auto &first = items_[a], &second = items_[b];
    const bool i_first = first.front() == m.i, i_last = first.back() == m.i;
    const bool j_first = second.front() == m.j, j_last = second.back() == m.j;
    if ((!i_first && !i_last) || (!j_first && !j_last)) return;
    if (!instance_.is_symmetric() && (!i_last || !j_first)) return;
    if (!i_last) std::reverse(first.begin(), first.end());
    if (!j_first) std::reverse(second.begin(), second.end());
    for (int item : second) {
        first.push_back(item);
        route_of_[item] = a;
    }
    second.clear();
    load_[a] += load_[b];
}

Routes Savings::routes() const {
    Routes out;
    for (const auto& route : items_) {
        if (route.empty()) continue;
        auto& visits = out.emplace_back();
        for (int item : route) visits.push_back({item, instance_.item(item).demand});
    }
    return out;
}

Routes filled_in_order(const Instance& instance) {
    Routes routes;
    int room = 0;
    for (int i = 0; i < instance.items(); ++i) {
        const int demand = instance.item(i).demand;
        if (routes.empty() || demand > room) {
            routes.emplace_back();
            room = instance.capacity();
        }
        routes.back().push_back({i, demand});
        room -= demand;
    }
    return routes;
}

}  // namespace splitroute
