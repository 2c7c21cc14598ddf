// A first solution, or one completed: what given routes do not serve yet is inserted at minimum cost.
#pragma once

#include "insertion.hpp"
#include "routes.hpp"
#include "state.hpp"

namespace splitroute {

void construct(State<Plain>& state, Inserter<Plain>& inserter, const Routes& routes);
void construct(State<Rich>& state, Inserter<Rich>& inserter, const Routes& routes);

}  // namespace splitroute
