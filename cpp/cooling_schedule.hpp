// The cooling schedule: the temperature as a function of the share of the budget that is used.
//
// It consists of cycles. Each cools down exponentially, and faster at its end; all but the first begin with a
// reheat to a fraction of the initial temperature.
#pragma once

#include <cstdint>

#include "settings.hpp"

namespace splitroute {

class CoolingSchedule {
public:
    CoolingSchedule(const Settings& settings, int items, bool is_large);

    // Seconds or iterations, or both; 0 is no limit.
    void set_budget(double seconds, std::int64_t iterations);
    // Divides even a short run into so many cycles.
    void set_min_cycles(int cycles);
    // Starts at the temperature of a reheat, which does not destroy a good solution.
    void set_warm_start();
    // Follows another schedule from one share of its budget to another, both of the same cycle.
    void set_window(const CoolingSchedule& whole, double begin, double end);
    // Temperatures are multiples of this.
    void set_temperature_unit(double unit) { temperature_unit_ = unit; }

    // The share of the budget that is used, from 0 to 1.
    double share(std::int64_t iterations, double seconds) const;
    // Adapts the schedule to the measured iteration rate, once there is a measurement.
    void observe(double share, std::int64_t iterations, double seconds);

    struct Step {
        int cycle;
        double temperature;
    };
    Step at(double share) const;
    int cycles() const { return cycles_; }

private:
    void update(double iterations_per_second);

    const Settings& settings_;
    int items_;
    bool is_large_;
    double total_seconds_ = 0;
    std::int64_t total_iterations_ = 0;
    bool warm_start_ = false, measured_ = false;
    double temperature_unit_ = 1;
    double initial_temperature_ = 1;  // in these units
    int cycles_ = 1, min_cycles_ = 1;
    double begin_ = 0, end_ = 1;  // of the window
    int window_cycle_ = -1;       // -1 without a window
};

}  // namespace splitroute
