// Recombination of two solutions of a plain instance.
#pragma once

#include "instance.hpp"
#include "random.hpp"
#include "routes.hpp"

namespace splitroute {

// Neighbouring routes of the first solution, and those of the second of which they leave enough to deliver.
// What both leave undelivered is to be inserted afterwards.
Routes recombined(const Instance& instance, const Routes& first, const Routes& second, Random& random);

}  // namespace splitroute
