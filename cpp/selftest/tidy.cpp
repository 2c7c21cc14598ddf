// Plans cut into needless pieces: what is left out, and that nothing else changes.
#include "../tidy.hpp"

#include <algorithm>
#include <numeric>

#include "check.hpp"

namespace splitroute {

namespace {

// Every demand in random pieces, each on some vehicle with room that does not come there yet.
Plan in_pieces(const Problem& problem, Random& random) {
    Plan plan;
    std::vector<int> room;
    for (int item = 0; item < problem.items(); ++item) {
        for (int left = problem.item(item).demand; left > 0;) {
            int route = random.below(int(plan.size()) + 1);
            const auto comes = [&](int r) {
                return std::any_of(plan[r].begin(), plan[r].end(), [&](auto& d) { return d.item == item; });
            };
            if (route == int(plan.size()) || room[route] == 0 || comes(route)) {
                route = int(plan.size());
                plan.emplace_back();
                room.push_back(problem.capacity());
            }
            const int amount = 1 + random.below(std::min(left, room[route]));
            plan[route].push_back({item, amount});
            room[route] -= amount;
            left -= amount;
        }
    }
    return plan;
}

// As many visits as a graph of routes and customers without a ring can have.
int most_without_ring(const Problem& problem, const Plan& plan) {
    std::vector<int> group(plan.size() + problem.items());
    std::iota(group.begin(), group.end(), 0);
    int joined = 0;
    for (std::size_t r = 0; r < plan.size(); ++r)
        for (const Delivery& d : plan[r]) {
            const int a = group[r], b = group[plan.size() + d.item];
            joined += a != b;
            for (int& g : group) g = g == a ? b : g;
        }
    return joined;
}

bool has_needless_visit(const Problem& problem, const Plan& plan) {
    std::vector<int> load;
    for (const auto& stops : plan)
        load.push_back(std::accumulate(stops.begin(), stops.end(), 0,
                                       [](int sum, const Delivery& d) { return sum + d.quantity; }));
    for (std::size_t r = 0; r < plan.size(); ++r)
        for (const Delivery& d : plan[r]) {
            int room = 0;
            for (std::size_t other = 0; other < plan.size(); ++other)
                for (const Delivery& e : plan[other])
                    if (other != r && e.item == d.item) room += problem.capacity() - load[other];
            if (room >= d.quantity) return true;
        }
    return false;
}

}  // namespace

void test_needless_visits_are_left_out() {
    Random random(9);
    int fewer = 0;
    for (int round = 0; round < 200; ++round) {
        const int capacity = 5 + random.below(30);
        const Problem problem =
            some_problem(random, 2 + random.below(15), capacity, 2 * capacity, true, round % 2);
        const Plan before = in_pieces(problem, random);
        const Plan after = tidied(problem, before);
        CHECK(feasible(problem, after));
        CHECK(cost_of(problem, after) <= cost_of(problem, before) + 100);  // of thousandths
        State state(problem);
        state.load_routes(after);
        check_deliveries(state);
        int visits = 0;
        for (const auto& stops : after) visits += int(stops.size());
        CHECK(visits <= most_without_ring(problem, after));
        CHECK(!has_needless_visit(problem, after));
        fewer += cost_of(problem, after) < cost_of(problem, before);
    }
    CHECK(fewer > 150);
}

}  // namespace splitroute
