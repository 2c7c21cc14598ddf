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

CAPABILITIES = Capabilities(supports_warm_start=True, package="hybgensea")

# HGS returns no solution before its time is up, so it runs in slices, each from the population of
# the one before. They double, so that a stop within one loses at most half of the work.
FIRST_SLICE_SECONDS = 0.25
MAX_STALL = 1_000_000  # iterations without improvement, where no stall is given
MIN_LONGEST, MAX_LONGEST = 0.1, 100_000.0  # longest distance that HGS accepts


def check() -> None:
    """Raise if hybgensea is not installed."""
    require("hybgensea", "hgs")


def run(
    instance: Instance, stop: Stop, seed: int, start: Solution | None, listener: Listener
) -> Solution:
    """Solve a CVRP; stops by seconds or stall, and between slices by target."""
    check()
    if stop.iterations is not None:
        raise InputError(
            "the engine hgs cannot limit iterations; set seconds or stall",
            field="iterations",
            value=stop.iterations,
        )
    if not instance.symmetric:
        raise InputError(
            "the engine hgs needs symmetric distances; pyvrp and ortools do not", field="matrix"
        )
    return supervise(_search, instance, stop, seed, start, listener)


def _search(
    instance: Instance, stop: Stop, seed: int, start: Solution | None, listener: Listener
) -> Solution:
    budget = TimeBudget(stop)
    best = start or sweep(instance)  # without a feasible start, a short run may find nothing
    best_cost = cost(instance, best)
    is_stopped = listener(Progress(budget.elapsed, 0, best_cost, best))
    longest = float(instance.table.max(initial=0.0))
    if longest == 0 or len(instance.customers) == 1:  # its crossover never ends on one customer
        return best
    scale = 1.0 if MIN_LONGEST <= longest <= MAX_LONGEST else MAX_LONGEST / longest
    population = [[[visit.customer for visit in route.visits] for route in best.routes]]
    slice_seconds = 0.0 if stop.seconds is None else FIRST_SLICE_SECONDS
    slices = 0
    while not is_stopped and budget.remaining > 0 and not _reaches_target(stop, best_cost):
        slices += 1
        seconds = budget.remaining if budget.remaining < 2 * slice_seconds else slice_seconds
        limit = seconds if slice_seconds else 0.0
        result = _evolve(instance, scale, population, limit, seed, stop.stall)
        # None is left if HGS has just started again with a new population.
        population = [list(member.routes) for member in result.feasible_population] or population
        solution = Solution.unsplit(instance, [list(map(int, route)) for route in result.routes])
        if (value := cost(instance, solution)) < best_cost:
            best_cost, best = value, solution
        is_stopped = listener(Progress(budget.elapsed, slices, best_cost, best))
        if not slice_seconds:
            break
        slice_seconds *= 2
    return best


def _reaches_target(stop: Stop, best_cost: float) -> bool:
    return stop.target is not None and best_cost <= stop.target


def _evolve(
    instance: Instance,
    scale: float,
    population: list[Any],
    seconds: float,
    seed: int,
    stall: int | None,
) -> Any:
    import hybgensea

    sites = instance.sites
    has_coordinates = len(instance.places) > 0
    return hybgensea.solve_cvrp_dist_mtx(
        instance.table[sites][:, sites] * scale,
        instance.demands,
        instance.capacity,
        x_coords=instance.xy[sites, 0] if has_coordinates else None,
        y_coords=instance.xy[sites, 1] if has_coordinates else None,
        num_vehicles=max(instance.sufficient_vehicles(), *map(len, population)),
        initial_solutions=population,
        verbose=False,
        seed=seed,
        timeLimit=seconds,
        nbIter=stall or MAX_STALL,
        useSwapStar=has_coordinates,
    )
