// A first plan, or one completed: what some routes do not deliver yet is put where it costs least.
#pragma once

#include <vector>

#include "insert.hpp"
#include "state.hpp"

namespace splitroute {

void construct(State& state, Inserter& inserter, const std::vector<std::vector<Delivery>>& routes);

}  // namespace splitroute
