// Exercises the core by itself, in the checking build: `make test` compiles and runs it with sanitizers.
#include <algorithm>
#include <cstdio>
#include <vector>

#include "../anneal.hpp"
#include "../grid.hpp"
#include "../moves/flip.hpp"
#include "../moves/relocate.hpp"
#include "../moves/shift.hpp"
#include "../moves/swap.hpp"
#include "../moves/tails.hpp"
#include "check.hpp"

using namespace splitroute;

namespace {

void test_moves_and_undo() {
    Random random(1);
    int applied[6] = {};
    for (int round = 0; round < 60; ++round) {
        const bool splitting = round % 2 == 0;
        const int capacity = 10 + random.below(40);
        const Problem problem = some_problem(random, 3 + random.below(20), capacity,
                                             splitting ? 2 * capacity : capacity, splitting, round % 3 != 0);
        State state(problem);
        Inserter inserter(state, random);
        Tails tails(state);
        fill(state, random, inserter);
        CHECK(state.consistent());
        check_deliveries(state);
        for (int k = 0; k < 400; ++k) {
            const int x = state.first_visit(problem.item(random.below(problem.items())).site);
            const int y = state.first_visit(problem.item(random.below(problem.items())).site);
            const Cost before = state.cost();
            const double limit = random.below(2) ? 1e9 : 0;
            const int move = random.below(6);
            bool done = false;
            if (move == 0 && x != y) done = relocate(state, x, y, limit);
            if (move == 1) done = swap(state, x, y, limit);
            if (move == 2) done = tails.run(x, y, limit);
            if (move == 3) done = flip(state, x, y, limit);
            if (move == 4 && splitting) done = shift(state, x, random, limit);
            if (move == 5) done = tails.run_reversed(x, y, limit);
            CHECK(state.consistent());
            CHECK(done || state.cost() == before);
            CHECK(!done || double(state.cost() - before) < limit);
            check_deliveries(state);
            applied[move] += done;
            if (random.below(3) == 0) {
                state.undo();
                CHECK(state.cost() == before);
            } else {
                state.commit();
            }
            CHECK(state.consistent());
            check_deliveries(state);
        }
    }
    for (int count : applied) CHECK(count > 20);
}

void test_the_grid_finds_the_nearest() {
    Random random(3);
    for (int round = 0; round < 30; ++round) {
        std::vector<Point> points;
        std::vector<std::int32_t> members;
        const int n = 30 + random.below(200);
        for (int i = 0; i < n; ++i) {
            points.push_back({double(random.below(round % 3 ? 1000 : 5)), double(random.below(40))});
            members.push_back(i);
        }
        const Grid grid(points, members);
        std::vector<std::int32_t> found(20);
        for (int from = 0; from < n; from += 7) {
            grid.nearest(from, 20, found.data());
            std::vector<double> all;
            auto away = [&](int j) { return distance(Metric::exact, points[from], points[j]); };
            for (int j = 0; j < n; ++j)
                if (j != from) all.push_back(away(j));
            std::sort(all.begin(), all.end());
            for (int k = 0; k < 20; ++k) CHECK(away(found[k]) == all[k]);
        }
    }
}

void test_slices_do_not_change_the_way() {
    Random random(4);
    for (bool splitting : {true, false}) {
        const Problem problem = some_problem(random, 40, 60, 60, splitting, true);
        Cost costs[2];
        for (int way = 0; way < 2; ++way) {
            Anneal anneal(problem, 5, Settings{});
            anneal.plan(0, 1000);
            anneal.start();
            if (way) anneal.advance(1000, 1e9);
            else
                for (int left = 1000; left > 0; left -= 37) anneal.advance(std::min(37, left), 1e9);
            costs[way] = anneal.best_cost();
            CHECK(anneal.iterations() == 1000);
            State again(problem);
            again.load_routes(anneal.best());
            CHECK(again.cost() == anneal.best_cost());
            CHECK(again.consistent());
            check_deliveries(again);
        }
        CHECK(costs[0] == costs[1]);
    }
}

}  // namespace

int main() {
    test_moves_and_undo();
    test_each_move_against_brute_force();
    test_insertion_against_brute_force();
    test_the_grid_finds_the_nearest();
    test_slices_do_not_change_the_way();
    test_every_kind_of_problem();
    test_shifts_against_brute_force();
    test_cuts_against_all_sets();
    test_needless_visits_are_left_out();
    test_the_hot_loop_allocates_nothing();
    std::puts("the core: 10 passed, 0 failed");
}
