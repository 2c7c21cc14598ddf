// The cheapest vehicles that together carry a quantity.
#pragma once

#include <cstdint>
#include <vector>

#include "rules.hpp"

namespace splitroute {

// How many of every type, at a price per vehicle. Empty if all of them together do not carry it; large
// quantities are rounded, so that this may also happen where thousands of vehicles are needed.
std::vector<int> cheapest_mix(const std::vector<VehicleType>& types, const std::vector<double>& prices,
                              std::int64_t quantity);

}  // namespace splitroute
