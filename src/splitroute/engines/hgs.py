"""HGS-CVRP (Vidal 2022) through hybgensea: hybrid genetic search with SWAP*."""

import math
import re
from typing import Any

from splitroute.catalogue import require
from splitroute.errors import InputError
from splitroute.instance import Instance
from splitroute.solution import Listener, Progress, Solution, cost
from splitroute.stop import Stop, Watch
from splitroute.supervision import TICK, supervise
from splitroute.sweep import sweep

# A line of its log: "It 500 12 | T(s) 0.35 | Feas 25 1037.41 1060.11 | Inf ..."
LOG = re.compile(r"It\s+(\d+).*?Feas\s+\d+\s+([\d.]+)")

# HGS shows no solution before its time is up: a first, short run gives one to fall back on, and its
# population to start the long run with.
FIRST_SHARE = 0.1
WITHOUT_IMPROVEMENT = 1_000_000
SHORTEST, LONGEST = 0.1, 100_000.0  # it refuses a longest distance outside of these


def run(
    instance: Instance, stop: Stop, seed: int, start: Solution | None, listener: Listener
) -> Solution:
    """A solution of the CVRP; stops by seconds, stall or target."""
    require("hybgensea", "hgs")
    if stop.iterations is not None:
        raise InputError("the engine hgs cannot count iterations; stop it by seconds or stall")
    if not instance.symmetric:
        raise InputError("the engine hgs needs a symmetric matrix; pyvrp and ortools do not")
    return supervise(_search, instance, stop, seed, start, listener)


def _search(
    instance: Instance, stop: Stop, seed: int, start: Solution | None, listener: Listener
) -> Solution:
    import hybgensea

    watch = Watch(stop)
    sites = instance.sites
    drawn = len(instance.places) > 0
    # Without a first solution that fits, a short run might end with none.
    best = start or sweep(instance)
    best_cost = cost(instance, best)
    iterations = 0
    table = instance.table[sites][:, sites]
    longest = float(table.max())
    if longest == 0 or len(instance.customers) == 1:  # its crossover looks for two for ever
        return best
    stretch = 1.0 if SHORTEST <= longest <= LONGEST else LONGEST / longest

    def heard(line: str) -> None:
        nonlocal iterations
        if (found := LOG.search(line)) and watch.due(TICK):
            iterations = int(found[1])
            seen = float(found[2]) / stretch
            listener(Progress(watch.seconds, iterations, min(best_cost, seen)))

    def evolve(seconds: float, population: list[Any]) -> Any:
        return hybgensea.solve_cvrp_dist_mtx(
            table * stretch,
            instance.demands,
            instance.capacity,
            x_coords=instance.xy[sites, 0] if drawn else None,
            y_coords=instance.xy[sites, 1] if drawn else None,
            num_vehicles=instance.enough_vehicles(),
            initial_solutions=population,
            log_callback=heard,
            seed=seed,
            timeLimit=seconds,
            nbIter=stop.stall or WITHOUT_IMPROVEMENT,
            useSwapStar=drawn,
        )

    population = [[[visit.customer for visit in route.visits] for route in best.routes]]
    limits = [0.0] if stop.seconds is None else [FIRST_SHARE * watch.left, math.inf]
    for limit in limits:
        seconds = min(limit, watch.left)
        if limit and seconds <= 0:
            break
        result = evolve(seconds, population)
        population = [list(member.routes) for member in result.feasible_population]
        found = Solution.whole(instance, [list(map(int, route)) for route in result.routes])
        if (found_cost := cost(instance, found)) < best_cost:
            best_cost, best = found_cost, found
        stopping = listener(Progress(watch.seconds, iterations, best_cost, best))
        if stopping or (stop.target is not None and best_cost <= stop.target):
            break
    return best
