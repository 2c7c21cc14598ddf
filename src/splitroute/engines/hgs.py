"""HGS-CVRP (Vidal 2022) through hybgensea: hybrid genetic search with SWAP*."""

from typing import Any

from splitroute.engines import Capabilities
from splitroute.engines._supervised import supervise
from splitroute.engines._sweep import sweep
from splitroute.errors import InputError
from splitroute.instance import Instance
from splitroute.progress import Listener, Progress
from splitroute.registry import require
from splitroute.solution import Solution, cost
from splitroute.stop import Stop, TimeBudget

CAPABILITIES = Capabilities(warm_start=True, package="hybgensea")


# HGS shows no solution before its time is up, so it runs in slices, each from the population of the
# one before. They double, so that stopping in the middle of one loses at most half of the work.
FIRST_SLICE = 0.25
WITHOUT_IMPROVEMENT = 1_000_000
SHORTEST, LONGEST = 0.1, 100_000.0  # it refuses a longest distance outside of these


def check() -> None:
    """Raises if it is not installed."""
    require("hybgensea", "hgs")


def run(
    instance: Instance, stop: Stop, seed: int, start: Solution | None, listener: Listener
) -> Solution:
    """A solution of the CVRP; stops by seconds or stall, and between slices by target."""
    check()
    if stop.iterations is not None:
        raise InputError("the engine hgs cannot count iterations; stop it by seconds or stall")
    if not instance.symmetric:
        raise InputError("the engine hgs needs a symmetric matrix; pyvrp and ortools do not")
    return supervise(_search, instance, stop, seed, start, listener)


def _search(
    instance: Instance, stop: Stop, seed: int, start: Solution | None, listener: Listener
) -> Solution:
    budget = TimeBudget(stop)
    best = start or sweep(instance)  # without one that fits, a short run might end with none
    best_cost = cost(instance, best)
    told_to_stop = listener(Progress(budget.elapsed, 0, best_cost, best))
    longest = float(instance.table.max(initial=0.0))
    if longest == 0 or len(instance.customers) == 1:  # its crossover looks for two for ever
        return best
    stretch = 1.0 if SHORTEST <= longest <= LONGEST else LONGEST / longest
    population = [[[visit.customer for visit in route.visits] for route in best.routes]]
    limit = 0.0 if stop.seconds is None else FIRST_SLICE
    slices = 0
    while not told_to_stop and budget.remaining > 0 and not _good_enough(stop, best_cost):
        slices += 1
        seconds = budget.remaining if budget.remaining < 2 * limit else limit
        result = _evolve(instance, stretch, population, seconds if limit else 0.0, seed, stop.stall)
        population = [list(member.routes) for member in result.feasible_population]
        found = Solution.unsplit(instance, [list(map(int, route)) for route in result.routes])
        if (found_cost := cost(instance, found)) < best_cost:
            best_cost, best = found_cost, found
        told_to_stop = listener(Progress(budget.elapsed, slices, best_cost, best))
        if not limit:
            break
        limit *= 2
    return best


def _good_enough(stop: Stop, best_cost: float) -> bool:
    return stop.target is not None and best_cost <= stop.target


def _evolve(
    instance: Instance,
    stretch: float,
    population: list[Any],
    seconds: float,
    seed: int,
    stall: int | None,
) -> Any:
    import hybgensea

    sites = instance.sites
    drawn = len(instance.places) > 0
    return hybgensea.solve_cvrp_dist_mtx(
        instance.table[sites][:, sites] * stretch,
        instance.demands,
        instance.capacity,
        x_coords=instance.xy[sites, 0] if drawn else None,
        y_coords=instance.xy[sites, 1] if drawn else None,
        num_vehicles=max(instance.sufficient_vehicles(), *map(len, population)),
        initial_solutions=population,
        verbose=False,
        seed=seed,
        timeLimit=seconds,
        nbIter=stall or WITHOUT_IMPROVEMENT,
        useSwapStar=drawn,
    )
