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
    // Starts at the temperature of a reheat, which does not destroy a good solution.
    void set_warm_start();
    // Cools down from one temperature to another over the budget, without cycles.
    void set_range(double first, double last);
    // Temperatures are multiples of the mean edge length.
    void set_mean_edge(double length) { mean_edge_ = length; }

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
    double mean_edge_ = 1;
    double initial_temperature_ = 1;  // in mean edge lengths
    double first_ = 0, last_ = 0;     // of the range, if there is one
    int cycles_ = 1;
};

}  // namespace splitroute
