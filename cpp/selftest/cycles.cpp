// What cooling cycles start from: combinations of solutions, and solutions with one route fewer.
#include "../annealing.hpp"
#include "../construct.hpp"
#include "../cooling_schedule.hpp"
#include "../recombination.hpp"
#include "check.hpp"

namespace splitroute {

namespace {

Routes searched(const Instance& instance, std::uint64_t seed) {
    Annealing<Plain> search(instance, seed, Settings{});
    search.set_budget(0, 30);
    search.start();
    search.advance(30, 1e9);
    return search.best();
}

}  // namespace

TEST(recombined_routes_deliver_no_more_than_the_demands) {
    Random random(7);
    const Settings settings;
    for (int trial = 0; trial < 40; ++trial) {
        const Instance instance = random_instance(random, 15, 30, 25, trial % 2 == 0, true);
        const Routes a = searched(instance, 1), b = searched(instance, 2);
        const Routes child = recombined(instance, a, b, random);
        CHECK(!child.empty() && is_feasible(instance, child));
        std::vector<std::int64_t> delivered(instance.items(), 0);
        for (const Route& route : child)
            for (const Visit& visit : route) delivered[visit.item] += visit.quantity;
        for (int i = 0; i < instance.items(); ++i) CHECK(delivered[i] <= instance.item(i).demand);
        // What is left is inserted.
        State<Plain> state(instance);
        Inserter<Plain> inserter(state, random, settings);
        construct(state, inserter, child);
        CHECK(state.is_consistent());
        check_served(state);
        CHECK(is_feasible(instance, state.routes()));
    }
}

TEST(recombining_a_solution_with_itself_changes_nothing) {
    Random random(8);
    for (int trial = 0; trial < 20; ++trial) {
        const Instance instance = random_instance(random, 12, 30, 25, true, true);
        const Routes routes = searched(instance, 1);
        const Routes child = recombined(instance, routes, routes, random);
        CHECK(child.size() == routes.size());
        CHECK(cost_of(instance, child) == cost_of(instance, routes));
    }
}

TEST(any_room_is_used_where_vehicles_are_scarce) {
    Random random(9);
    const Settings settings;
    for (int trial = 0; trial < 40; ++trial) {
        const Instance instance = random_instance(random, 20, 30, 29, true, true);
        State<Plain> state(instance);
        Inserter<Plain> inserter(state, random, settings);
        inserter.set_max_routes(instance.min_routes());
        construct(state, inserter, {});
        CHECK(state.active_routes() <= instance.min_routes());
        CHECK(state.is_consistent());
        check_served(state);
        CHECK(is_feasible(instance, state.routes()));
    }
}

TEST(many_cycles_give_valid_solutions) {
    Random random(10);
    for (int trial = 0; trial < 6; ++trial) {
        const Instance instance = random_instance(random, 8, 20, 18, trial % 3 != 0, true);
        Annealing<Plain> search(instance, 1, Settings{});
        constexpr int iterations = 12'000;  // enough for several cycles
        search.set_budget(0, iterations);
        search.start();
        Cost before = search.best_cost();
        for (int k = 0; k < 20; ++k) {
            search.advance(iterations / 20, 1e9);
            CHECK(search.best_cost() <= before);
            before = search.best_cost();
        }
        const Routes best = search.best();
        CHECK(cost_of(instance, best) == search.best_cost());
        CHECK(is_feasible(instance, best));
        check_served(instance, best);
        // A better solution of another search is the best one from then on.
        Annealing<Plain> other(instance, 2, Settings{});
        other.set_budget(0, iterations);
        other.start();
        other.offer(best);
        CHECK(other.best_cost() <= search.best_cost());
        other.advance(iterations / 4, 1e9);
        CHECK(other.best_cost() <= search.best_cost());
        check_served(instance, other.best());
    }
}

TEST(large_instances_have_fewer_cycles) {
    const Settings settings;
    CoolingSchedule schedule(settings, 10, false), large(settings, 10, true);
    for (int cycles : {1, 3, 12}) {
        const double per_item = cycles * settings.cycle_iterations;
        schedule.set_budget(0.0, std::llround(10 * per_item));
        CHECK(schedule.cycles() == cycles);
        large.set_budget(0.0, std::llround(7 * 10 * per_item));
        CHECK(large.cycles() == cycles);
    }
}

// Calls visit(schedule, settings) for cold and warm starts, with many iterations and with few.
template <class Visitor>
void for_each_schedule(Visitor visit) {
    for (double reheat : {0.0, 0.25, 1.0})
        for (int iterations : {100, 100'000})
            for (bool warm : {false, true}) {
                Settings settings;
                settings.reheat = reheat;
                CoolingSchedule schedule(settings, 10, false);
                schedule.set_min_cycles(4);
                if (warm) schedule.set_warm_start();
                schedule.set_budget(0, iterations);
                schedule.set_temperature_unit(100);
                visit(schedule, settings);
            }
}

TEST(every_cycle_cools_down_and_is_quenched) {
    for_each_schedule([](const CoolingSchedule& schedule, const Settings& settings) {
        CHECK(schedule.cycles() >= 4);
        const double length = 1.0 / schedule.cycles();
        for (int cycle = 0; cycle < schedule.cycles(); ++cycle) {
            double last = 1e9;
            for (double within : {0.001, 0.3, 0.6, 0.89, 0.95, 0.999}) {
                const auto step = schedule.at((cycle + within) * length);
                CHECK(step.cycle == cycle);
                CHECK(step.temperature < last);
                last = step.temperature;
            }
            CHECK(last < 100 * settings.final_temperature / 10);
        }
    });
}

TEST(warm_starts_and_later_cycles_begin_with_the_same_reheat) {
    const Settings settings;
    CoolingSchedule warm(settings, 10, false);
    warm.set_warm_start();
    warm.set_budget(0, 100'000);
    warm.set_temperature_unit(100);
    for (int cycle = 0; cycle < warm.cycles(); ++cycle) {
        const double begin = warm.at((cycle + 1e-9) / warm.cycles()).temperature;
        CHECK(std::abs(begin - 100 * settings.reheat) < 1e-3);
    }
}

// A part of a search follows the schedule of the whole, whatever the rounding at the ends of cycles.
TEST(a_window_has_the_temperatures_of_the_whole) {
    const Settings settings;
    for (int cycles : {1, 12, 49}) {
        CoolingSchedule whole(settings, 10, false);
        whole.set_budget(0, std::llround(10 * cycles * settings.cycle_iterations));
        whole.set_temperature_unit(100);
        CHECK(whole.cycles() == cycles);
        for (int cycle = 0; cycle < cycles; ++cycle) {
            CoolingSchedule part(settings, 5, false);
            part.set_budget(0, 1000);
            const double begin = static_cast<double>(cycle) / cycles,
                         end = static_cast<double>(cycle + 1) / cycles;
            part.set_window(whole, begin, end);
            CHECK(part.at(0).temperature > (cycle == 0 ? 99 : 24));
            CHECK(part.at(1).temperature < 0.1);
            for (double share : {0.2, 0.5, 0.95}) {
                const double expected = whole.at(begin + share * (end - begin)).temperature;
                CHECK(std::abs(part.at(share).temperature - expected) < 1e-6 * expected);
                CHECK(part.at(share).cycle == 0);
            }
        }
    }
}

}  // namespace splitroute
