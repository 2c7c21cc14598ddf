#include "savings.hpp"

#include <algorithm>

namespace splitroute {

namespace {
constexpr int max_items_for_all_pairs = 2'000;
constexpr std::size_t max_partners = 100;  // of an item beyond that: what is near
// Sorting is done in parts, so that it can be interrupted.
constexpr std::size_t sorted_at_once = 1 << 20;
constexpr int items_between_looks = 64, mergers_between_looks = 4'096;
}  // namespace

Savings::Savings(const Problem& problem, double lambda)
    : problem_(problem), lambda_(lambda), items_(problem.items()), route_of_(problem.items()),
      load_(problem.items()) {
    for (int i = 0; i < problem.items(); ++i) {
        items_[i] = {i};
        route_of_[i] = i;
        load_[i] = problem.item(i).demand;
    }
}

bool Savings::advance(const std::function<bool()>& time_is_up) {
    for (; proposed_ < problem_.items(); ++proposed_) {
        if (proposed_ % items_between_looks == 0 && time_is_up()) return false;
        propose_for(proposed_);
    }
    for (; merged_ < mergers_.size(); ++merged_) {
        if (merged_ == sorted_) sort_more();
        if (merged_ % mergers_between_looks == 0 && time_is_up()) return false;
        merge(mergers_[merged_]);
    }
    return true;
}

void Savings::propose_for(int i) {
    const int n = problem_.items();
    if (n <= max_items_for_all_pairs) {
        for (int j = problem_.symmetric() ? i + 1 : 0; j < n; ++j)
            if (i != j) propose(i, j);
        return;
    }
    const int site = problem_.item(i).site;
    for (int j : problem_.items_at(site))
        if (problem_.symmetric() ? i < j : i != j) propose(i, j);
    const std::size_t most = mergers_.size() + max_partners;
    const std::int32_t* near = problem_.neighbours(site);
    for (int k = 0; k < problem_.neighbour_count() && mergers_.size() < most; ++k)
        for (int j : problem_.items_at(near[k])) propose(i, j);
}

void Savings::propose(int i, int j) {
    const Item &a = problem_.item(i), &b = problem_.item(j);
    if (static_cast<std::int64_t>(a.demand) + b.demand > problem_.capacity()) return;
    const auto saved = static_cast<double>(problem_.distance(a.site, 0) + problem_.distance(0, b.site)) -
                       lambda_ * static_cast<double>(problem_.distance(a.site, b.site));
    mergers_.push_back({saved, i, j});
}

void Savings::sort_more() {
    const auto greater = [](const Merger& a, const Merger& b) {
        if (a.saved != b.saved) return a.saved > b.saved;
        return a.i != b.i ? a.i < b.i : a.j < b.j;
    };
    const auto first = mergers_.begin() + static_cast<std::ptrdiff_t>(sorted_);
    sorted_ = std::min(sorted_ + sorted_at_once, mergers_.size());
    const auto last = mergers_.begin() + static_cast<std::ptrdiff_t>(sorted_);
    if (last != mergers_.end()) std::nth_element(first, last, mergers_.end(), greater);
    std::sort(first, last, greater);
}

void Savings::merge(const Merger& m) {
    const int a = route_of_[m.i], b = route_of_[m.j];
    if (a == b || static_cast<std::int64_t>(load_[a]) + load_[b] > problem_.capacity()) return;
    auto &head = items_[a], &tail = items_[b];
    const bool i_first = head.front() == m.i, i_last = head.back() == m.i;
    const bool j_first = tail.front() == m.j, j_last = tail.back() == m.j;
    if ((!i_first && !i_last) || (!j_first && !j_last)) return;
    if (!problem_.symmetric() && (!i_last || !j_first)) return;
    if (!i_last) std::reverse(head.begin(), head.end());
    if (!j_first) std::reverse(tail.begin(), tail.end());
    for (int item : tail) {
        head.push_back(item);
        route_of_[item] = a;
    }
    tail.clear();
    load_[a] += load_[b];
}

Savings::Routes Savings::routes() const {
    Routes out;
    for (const auto& route : items_) {
        if (route.empty()) continue;
        auto& visits = out.emplace_back();
        for (int item : route) visits.push_back({item, problem_.item(item).demand});
    }
    return out;
}

}  // namespace splitroute
