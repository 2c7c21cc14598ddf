#include "pricing.hpp"

#include <algorithm>
#include <limits>

namespace splitroute {

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::int32_t none = -1;
constexpr std::size_t max_meetings = 5;                // of walks at a node that become routes
constexpr std::size_t max_short_edges = 16;            // of a node, in the first pass
constexpr std::size_t max_stored_labels = 20'000'000;  // at 24 bytes

std::chrono::steady_clock::time_point after(double seconds) {
    using Clock = std::chrono::steady_clock;
    const double limited = std::min(seconds, 1e8);  // a clock counts no more
    return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limited));
}
}  // namespace

RoutePricing::RoutePricing(const RoutePrices& prices, const PricingLimits& limits)
    : prices_(prices), deadline_(after(limits.seconds)), max_cost_(infinity) {
    remember();
    find_heads(max_short_edges);
    if (!process(1) || !limits.is_exact) return;
    completion_.emplace(prices, deadline_);
    if (!completion_->is_complete()) return;
    if (!routes_.empty()) max_cost_ = routes_.front().cost + limits.slack;
    find_heads(prices.nodes);
    is_complete_ = process(std::numeric_limits<std::size_t>::max());
}

// The shortest edges of each node that do not lead to the depot.
void RoutePricing::find_heads(std::size_t max_heads) {
    const int n = prices_.nodes;
    heads_.assign(n, {});
    for (int i = 0; i < n; ++i) {
        const double* const lengths = &prices_.lengths[prices_.arc(i, 0)];
        for (int j = 1; j < n; ++j)
            if (i != j && lengths[j] < infinity) heads_[i].push_back(j);
        if (!i || heads_[i].size() <= max_heads) continue;
        std::nth_element(heads_[i].begin(), heads_[i].begin() + static_cast<std::ptrdiff_t>(max_heads),
                         heads_[i].end(), [&](int a, int b) { return lengths[a] < lengths[b]; });
        heads_[i].resize(max_heads);
    }
}

bool RoutePricing::process(std::size_t max_labels) {
    const int n = prices_.nodes;
    max_labels_ = max_labels;
    arrivals_.clear(), departures_.clear(), arrival_ends_.clear(), departure_ends_.clear();
    arriving_.assign(n, {}), departing_.assign(n, {});
    for (int i : heads_[0])
        offer(arriving_[i], {prices_.lengths[i], none, 0, static_cast<std::int16_t>(i), 0});
    for (int load = 0; load <= prices_.capacity; ++load) {
        if (Clock::now() >= deadline_ || arrivals_.size() + departures_.size() > max_stored_labels)
            return false;
        for (int j = 0; j < n; ++j) depart(j, load);
        if (load && load < prices_.capacity) arrive(load);
        for (int j = 0; j < n; ++j) store(arriving_[j], arrivals_, arrival_ends_);
    }
    collect();
    return true;
}

void RoutePricing::remember() {
    const int n = prices_.nodes;
    std::size_t size = 0;
    for (const auto& remembered : prices_.memory) size = std::max(size, remembered.size());
    memories_ = std::size_t{1} << size;
    bit_.assign(static_cast<std::size_t>(n) * n, 0);
    kept_.assign(bit_.size() * memories_, 0);
    for (int i = 1; i < n; ++i)
        for (std::size_t k = 0; k < prices_.memory[i].size(); ++k)
            bit_[prices_.arc(i, prices_.memory[i][k])] = static_cast<Memory>(1 << k);
    for (int i = 1; i < n; ++i)
        for (int j = 1; j < n; ++j) {
            Memory* kept = &kept_[prices_.arc(i, j) * memories_];
            kept[0] = bit_[prices_.arc(j, i)];
            for (std::size_t k = 0; k < prices_.memory[i].size(); ++k) {
                const Memory bit = bit_[prices_.arc(j, prices_.memory[i][k])];
                for (std::size_t m = 0; m < std::size_t{1} << k; ++m) kept[m | 1 << k] = kept[m] | bit;
            }
        }
}

void RoutePricing::offer(Bucket& bucket, const Label& label) {
    const auto is_no_better = [](const auto& a, const auto& b) {
        return b.cost <= a.cost && (b.visited & ~a.visited) == 0;
    };
    for (const Kept& kept : bucket.frontier)
        if (is_no_better(label, kept)) return;
    std::erase_if(bucket.frontier, [&](const Kept& kept) { return is_no_better(kept, label); });
    std::erase_if(bucket.labels, [&](const Label& other) { return is_no_better(other, label); });
    if (bucket.labels.size() == max_labels_) {
        const auto worst = std::max_element(bucket.labels.begin(), bucket.labels.end(),
                                            [](const Label& a, const Label& b) { return a.cost < b.cost; });
        if (worst->cost <= label.cost) return;
        *worst = label;
    } else {
        bucket.labels.push_back(label);
    }
    bucket.frontier.push_back({label.cost, label.visited});
}

void RoutePricing::store(Bucket& bucket, Labels& pool, std::vector<std::int32_t>& ends) {
    pool.insert(pool.end(), bucket.labels.begin(), bucket.labels.end());
    ends.push_back(static_cast<std::int32_t>(pool.size()));
    bucket.labels.clear();
}

void RoutePricing::depart(int node, int load) {
    const VisitPrize& prize = prices_.prizes[node];
    const double rest = completion_ ? completion_->arriving(node, prices_.capacity - load) : -infinity;
    for (int quantity : {1, prize.max_quantity}) {
        if (!node || quantity > load) continue;
        for (const Label& arrival : labels_of(arrivals_, arrival_ends_, node, load - quantity)) {
            const double cost = arrival.cost - prize.of(quantity);
            if (cost + rest <= max_cost_)
                offer(departing_[node], {cost, static_cast<std::int32_t>(&arrival - arrivals_.data()),
                                         quantity, arrival.node, arrival.visited});
        }
    }
    store(departing_[node], departures_, departure_ends_);
}

void RoutePricing::arrive(int load) {
    const double* const rest = completion_ ? completion_->departing(prices_.capacity - load) : nullptr;
    for (int i = 1; i < prices_.nodes; ++i)
        for (const Label& departure : labels_of(departures_, departure_ends_, i, load)) {
            const auto index = static_cast<std::int32_t>(&departure - departures_.data());
            for (int j : heads_[i]) {
                const std::size_t arc = prices_.arc(i, j);
                const double cost = departure.cost + prices_.lengths[arc];
                if ((rest && cost + rest[j] > max_cost_) || departure.visited & bit_[arc]) continue;
                offer(arriving_[j], {cost, index, 0, static_cast<std::int16_t>(j),
                                     kept_[arc * memories_ + departure.visited]});
            }
        }
}

// For each customer, the cheapest walks that deliver its largest quantity and those that deliver less.
void RoutePricing::collect() {
    for (int j = 1; j < prices_.nodes; ++j) {
        std::vector<Arrival> arrivals;
        for (int load = 0; load < prices_.capacity; ++load)
            for (const Label& label : labels_of(arrivals_, arrival_ends_, j, load))
                arrivals.push_back({label.cost, label.before, load, label.visited});
        std::sort(arrivals.begin(), arrivals.end(),
                  [](const Arrival& a, const Arrival& b) { return a.cost < b.cost; });
        const int max_quantity = prices_.prizes[j].max_quantity;
        meet(j, arrivals, max_quantity, max_quantity);
        meet(j, arrivals, 1, max_quantity - 1);
    }
    std::stable_sort(routes_.begin(), routes_.end(),
                     [](const PricedRoute& a, const PricedRoute& b) { return a.cost < b.cost; });
}

// Two walks without a remembered node in common meet, and the visit delivers as much as there is room for.
void RoutePricing::meet(int node, const std::vector<Arrival>& arrivals, int min_quantity, int max_quantity) {
    if (max_quantity < min_quantity) return;
    const VisitPrize& prize = prices_.prizes[node];
    const double max_prize = prize.of(max_quantity);
    struct Meeting {
        double cost;
        const Arrival *first, *second;
    };
    std::vector<Meeting> meetings;  // the cheapest ones first
    double limit = max_cost_;
    const auto quantity_of = [&](const Arrival& a, const Arrival& b) {
        return std::min(max_quantity, prices_.capacity - a.load - b.load);
    };
    for (const Arrival& a : arrivals) {
        if (2 * a.cost - max_prize >= limit) break;
        for (const Arrival& b : std::span(&a, arrivals.data() + arrivals.size())) {
            if (a.cost + b.cost - max_prize >= limit) break;
            const int quantity = quantity_of(a, b);
            if (quantity < min_quantity || a.visited & b.visited) continue;
            const Meeting meeting{a.cost + b.cost - prize.of(quantity), &a, &b};
            if (meeting.cost >= limit) continue;
            meetings.insert(std::upper_bound(meetings.begin(), meetings.end(), meeting,
                                             [](const auto& x, const auto& y) { return x.cost < y.cost; }),
                            meeting);
            if (meetings.size() > max_meetings) meetings.pop_back();
            if (meetings.size() == max_meetings) limit = std::min(limit, meetings.back().cost);
        }
    }
    for (const auto& [cost, first, second] : meetings) {
        PricedRoute found = route(first->departure);
        const PricedRoute back = route(second->departure);
        found.cost = cost;
        found.nodes.push_back(node);
        found.nodes.insert(found.nodes.end(), back.nodes.rbegin(), back.nodes.rend());
        found.quantities.push_back(quantity_of(*first, *second));
        found.quantities.insert(found.quantities.end(), back.quantities.rbegin(), back.quantities.rend());
        routes_.push_back(std::move(found));
    }
}

double RoutePricing::min_cost() const {
    if (!is_complete_) return -infinity;
    return routes_.empty() ? infinity : routes_.front().cost;
}

std::vector<PricedRoute> RoutePricing::best(int max_routes) const {
    const std::size_t count = std::min(routes_.size(), static_cast<std::size_t>(max_routes));
    return {routes_.begin(), routes_.begin() + static_cast<std::ptrdiff_t>(count)};
}

// At least one of the two parts of a walk that an edge connects delivers no intermediate quantity.
std::vector<double> RoutePricing::edge_costs() const {
    const int n = prices_.nodes, capacity = prices_.capacity;
    const std::size_t arcs = static_cast<std::size_t>(n) * n;
    if (!is_complete_ || !completion_) return std::vector<double>(arcs, -infinity);
    std::vector<double> costs(arcs, max_cost_);
    const auto lower = [&](int i, int j, double cost) {
        for (std::size_t arc : {prices_.arc(i, j), prices_.arc(j, i)})
            costs[arc] = std::min(costs[arc], cost);
    };
    for (int i = 1; i < n; ++i) {
        lower(0, i, prices_.lengths[i] + completion_->departing(i, capacity));
        for (int load = 1; load < capacity; ++load) {
            const double* const rest = completion_->departing(capacity - load);
            for (const Label& label : labels_of(departures_, departure_ends_, i, load))
                for (int j : heads_[i])
                    if (const std::size_t arc = prices_.arc(i, j); !(label.visited & bit_[arc]))
                        lower(i, j, label.cost + prices_.lengths[arc] + rest[j]);
        }
    }
    return costs;
}

PricedRoute RoutePricing::route(std::int32_t departure) const {
    PricedRoute route{0, {}, {}};
    while (departure != none) {
        const Label& label = departures_[departure];
        route.nodes.push_back(label.node);
        route.quantities.push_back(label.quantity);
        departure = arrivals_[label.before].before;
    }
    std::reverse(route.nodes.begin(), route.nodes.end());
    std::reverse(route.quantities.begin(), route.quantities.end());
    return route;
}

}  // namespace splitroute
