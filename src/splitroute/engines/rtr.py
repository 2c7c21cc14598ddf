"""The paper's own kind of solver, on our core: Clarke-Wright starts and record-to-record travel.

The parameters are the defaults of VRPH's vrp_rtr, but for four perturbations more, and pieces of
one customer that are next to each other also move as a block; see cpp/record_to_record.cpp.
"""

import math

from splitroute import _core
from splitroute.core import Model
from splitroute.engines import Capabilities
from splitroute.engines._incumbent import SLICE, Incumbent
from splitroute.errors import InputError
from splitroute.instance import Instance
from splitroute.progress import Listener, Progress
from splitroute.solution import Solution
from splitroute.stop import Stop, TimeBudget

ENDLESS = 10**15

CAPABILITIES = Capabilities(warm_start=True, iteration_limit=True, keeps_time=True)


def run(
    instance: Instance, stop: Stop, seed: int, start: Solution | None, listener: Listener
) -> Solution:
    """A solution of the CVRP; it comes to an end by itself. An iteration passes over all visits."""
    if instance.splittable:
        raise InputError("the engine rtr cannot split; choose a rule that does, such as pasa")
    budget = TimeBudget(stop)
    model = Model(instance)
    search = _core.RecordToRecord(model.compiled, seed)
    if start is not None:
        search.start_from(model.visits(start))
    best = Incumbent(instance, model, budget, listener)
    while True:
        left = ENDLESS if stop.iterations is None else stop.iterations - search.iterations
        search.advance(max(1, left), min(SLICE, max(0.0, budget.remaining)))
        if not search.has_solution:
            told = listener(Progress(budget.elapsed, search.iterations, math.inf))
            if not told and budget.remaining > 0:
                continue
            search.stop_construction()
        if best.report([search]) or search.is_done:
            return best.answer(search)
