"""The paper's kind of solver on our core: Clarke-Wright starts and record-to-record travel.

The parameters are the defaults of VRPH's vrp_rtr with four more perturbations, and adjacent pieces
of one customer also move as a block; see cpp/record_to_record.cpp.
"""

import math

from splitroute import _core
from splitroute.core import UNLIMITED_ITERATIONS, Model
from splitroute.engines import Capabilities
from splitroute.engines._incumbent import SLICE_SECONDS, CoreIncumbent
from splitroute.errors import InputError
from splitroute.instance import Instance
from splitroute.progress import Listener, Progress
from splitroute.solution import Solution
from splitroute.stop import Stop, TimeBudget

CAPABILITIES = Capabilities(
    supports_warm_start=True, supports_iteration_limit=True, keeps_time=True
)


def run(
    instance: Instance, stop: Stop, seed: int, start: Solution | None, listener: Listener
) -> Solution:
    """Solve a CVRP; it terminates by itself. An iteration is a pass over all visits."""
    if instance.splittable:
        raise InputError(
            "the engine rtr cannot split; choose a rule that does, such as pasa", field="rule"
        )
    budget = TimeBudget(stop)
    model = Model(instance)
    search = _core.RecordToRecord(model.compiled, seed)
    if start is not None:
        search.start_from(model.visits(start))
    incumbent = CoreIncumbent(instance, model, budget, listener)
    max_iterations = stop.iterations or UNLIMITED_ITERATIONS
    while True:
        left = max(1, max_iterations - search.iterations)
        search.advance(left, min(SLICE_SECONDS, max(0.0, budget.remaining)))
        if not search.has_solution:
            is_stopped = listener(Progress(budget.elapsed, search.iterations, math.inf))
            if not is_stopped and budget.remaining > 0:
                continue
            search.stop_construction()
        if incumbent.report_searches([search]) or search.is_done:
            return incumbent.best(search)
