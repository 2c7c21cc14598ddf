#include "cooling_schedule.hpp"

#include <algorithm>
#include <cmath>

namespace splitroute {

namespace {
// The iteration rate assumed until it is measured, which is after this share of the budget.
constexpr double assumed_iterations_per_second = 60'000;
constexpr double measured_after = 0.02;
// The larger an instance, the more a long cycle is worth compared with several short ones.
constexpr double large_cycle_factor = 7;
// Iterations per item that the full initial temperature needs. Below that, starting cooler gives better
// solutions.
constexpr double iterations_for_full_temperature = 150;
// Every cycle cools down at least by this factor.
constexpr double min_cooling = 2;
// Factor by which each cycle is quenched at its end. That decides between solutions that are nearly equal, of
// which there are many where quantities may be chosen freely.
constexpr double quench = 0.03;
constexpr double max_cycles = 1e6;           // even if the run has no end
constexpr double boundary_tolerance = 1e-9;  // of the share at which a cycle begins
}  // namespace

CoolingSchedule::CoolingSchedule(const Settings& settings, int items, bool is_large)
    : settings_(settings), items_(items), is_large_(is_large) {}

void CoolingSchedule::set_budget(double seconds, std::int64_t iterations) {
    total_seconds_ = seconds;
    total_iterations_ = iterations;
    update(assumed_iterations_per_second);
}

void CoolingSchedule::set_min_cycles(int cycles) {
    min_cycles_ = cycles;
    update(assumed_iterations_per_second);
}

void CoolingSchedule::set_warm_start() {
    warm_start_ = true;
    update(assumed_iterations_per_second);
}

void CoolingSchedule::set_window(const CoolingSchedule& whole, double begin, double end) {
    measured_ = true;  // by the other schedule
    warm_start_ = whole.warm_start_;
    temperature_unit_ = whole.temperature_unit_;
    initial_temperature_ = whole.initial_temperature_;
    cycles_ = whole.cycles_;
    begin_ = begin;
    end_ = end;
    window_cycle_ = whole.at(begin + boundary_tolerance).cycle;
}

void CoolingSchedule::observe(double share, std::int64_t iterations, double seconds) {
    if (measured_ || iterations == 0 || share <= measured_after) return;
    measured_ = true;
    update(static_cast<double>(iterations) / seconds);
}

void CoolingSchedule::update(double iterations_per_second) {
    double expected = static_cast<double>(total_iterations_);
    if (total_seconds_ > 0) {
        const double in_time = total_seconds_ * iterations_per_second;
        expected = total_iterations_ ? std::min(expected, in_time) : in_time;
    }
    const double per_item = expected / std::max(1, items_);
    const double per_cycle = settings_.cycle_iterations * (is_large_ ? large_cycle_factor : 1);
    cycles_ =
        static_cast<int>(std::clamp(per_item / per_cycle, static_cast<double>(min_cycles_), max_cycles));
    initial_temperature_ =
        settings_.initial_temperature * std::min(1.0, per_item / iterations_for_full_temperature);
}

double CoolingSchedule::share(std::int64_t iterations, double seconds) const {
    double used = 0;
    if (total_iterations_ > 0)
        used = static_cast<double>(iterations) / static_cast<double>(total_iterations_);
    if (total_seconds_ > 0) used = std::max(used, seconds / total_seconds_);
    return std::min(used, 1.0);
}

CoolingSchedule::Step CoolingSchedule::at(double share) const {
    const bool has_window = window_cycle_ >= 0;
    if (has_window) share = begin_ + share * (end_ - begin_);
    const int cycle = has_window ? window_cycle_ : std::min(cycles_ - 1, static_cast<int>(share * cycles_));
    const double within = std::clamp(share * cycles_ - cycle, 0.0, 1.0);
    const double heat = cycle == 0 && !warm_start_ ? 1.0 : settings_.reheat;
    const double initial =
        temperature_unit_ * std::max(min_cooling * settings_.final_temperature, initial_temperature_ * heat);
    const double final = temperature_unit_ * settings_.final_temperature,
                 cooling = 1 - settings_.quench_share;
    const double temperature = within <= cooling
                                   ? initial * std::pow(final / initial, within / cooling)
                                   : final * std::pow(quench, (within - cooling) / settings_.quench_share);
    return {has_window ? 0 : cycle, temperature};
}

}  // namespace splitroute
