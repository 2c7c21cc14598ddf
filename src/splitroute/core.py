"""Conversion of instances and solutions to and from the compiled core."""

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from splitroute import _core
from splitroute.distances import Integers
from splitroute.errors import InputError, LimitError
from splitroute.instance import Instance
from splitroute.solution import Route, Solution, Visit, cost

MAX_TABLE_SITES = 2000  # beyond, distances are computed on demand
MAX_DISTANCE = 10**9  # after scaling; twice that fits into 32 bits
MAX_QUANTITY = 2**31 - 1  # the core counts in 32 bits
MAX_VEHICLES = 2_000_000  # the core allocates a route for each
ITERATIONS_PER_CUSTOMER = 1000  # usually enough, where neither time nor iterations are limited
UNLIMITED_ITERATIONS = 10**15
CURVE_SIDE = 2**16  # of the square that the Hilbert curve fills
SEED_STEP = 7919  # between the searches of a run; runs with nearby seeds share none
MAX_KM_PER_DEGREE = 112  # rounded up

Search = _core.Annealing | _core.RecordToRecord
Visits = NDArray[np.int32]  # route, item and quantity of each visit, in order

# Fields of the core's Settings and their defaults.
SETTINGS: dict[str, int | float] = {
    name: getattr(_core.Settings(), name)
    for name, field in vars(_core.Settings).items()
    if isinstance(field, property)
}
CONTRADICTING = ("min_neighbours", "max_neighbours")  # settings that `check` compares


def make_settings(changes: Mapping[str, object]) -> _core.Settings:
    """Return the default settings of the search with these changes."""
    settings = _core.Settings()
    for name, value in changes.items():
        if name not in SETTINGS:
            raise InputError(
                f"unknown setting {name!r}; known: {', '.join(SETTINGS)}", field=name, value=value
            )
        try:
            setattr(settings, name, value)
        except TypeError:
            kind = "a whole number" if isinstance(SETTINGS[name], int) else "a number"
            message = f"{name} is {value!r}; it must be {kind}"
            raise InputError(message, field=name, value=value) from None
        except ValueError as error:  # out of range
            raise InputError(str(error), field=name, value=value) from None
    try:
        settings.check()
    except ValueError as error:  # two settings contradict each other
        name = next((n for n in CONTRADICTING if n in changes), CONTRADICTING[0])
        raise InputError(str(error), field=name, value=changes.get(name)) from None
    return settings


def seed_of(seed: int, search: int) -> int:
    """Seed of one of several searches; the first has that of the run."""
    return seed + SEED_STEP * search


def without_redundant_visits(instance: Instance, solution: Solution) -> Solution:
    """Return the solution without redundant visits; never costs more."""
    model = Model(instance)
    visits = _core.remove_redundant_visits(model.compiled, model.visits(solution))
    return min(model.solution(visits), solution, key=lambda s: cost(instance, s))


def completed(instance: Instance, solution: Solution) -> Solution:
    """Return the solution with unserved demand inserted at minimum cost."""
    model = Model(instance)
    search = _core.Annealing(model.compiled, 0)
    search.start_from(model.visits(solution))
    return model.solution(search.best())


class Model:
    """An instance of the core.

    With splitting, every customer has a site of its own; without, pieces at one place share one.
    """

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        if instance.capacity > MAX_QUANTITY or int(instance.demands.max()) > MAX_QUANTITY:
            largest = max(instance.capacity, int(instance.demands.max()))
            field = "capacity" if largest == instance.capacity else "demands"
            raise InputError(
                f"a quantity is {largest} units; the compiled core counts in 32 bits, "
                f"so it must be at most {MAX_QUANTITY}",
                field=field,
                value=largest,
            )
        vehicles = int(instance.demands.sum()) // instance.capacity + len(instance.customers)
        if vehicles > MAX_VEHICLES:
            raise LimitError(
                f"the demands need up to {vehicles:,} vehicles; the maximum is {MAX_VEHICLES:,}",
                field="demands",
                value=vehicles,
            )
        # Numbered along a Hilbert curve, neighbours in the plane are neighbours in memory: a large
        # search is bound by cache misses otherwise.
        curve = _hilbert_order(instance)
        position = np.argsort(curve)[instance.sites]
        order = np.argsort(position, kind="stable")  # depot first
        if instance.splittable:
            self._places = instance.sites[order]
            site_of = np.argsort(order)
        else:
            used, site_of = np.unique(position, return_inverse=True)
            self._places = curve[used]
        self.items = [k for k in order.tolist() if instance.demands[k]]
        self._item_of = {customer: item for item, customer in enumerate(self.items)}
        self._item_sites = site_of[self.items].astype(np.int32)
        self._demands = instance.demands[self.items].astype(np.int32)
        self._table = np.empty((0, 0), dtype=np.int32)
        self._xy = np.empty((0, 2))
        self._scale = 1.0
        self._set_distances()
        self.compiled = _core.Instance(
            xy=self._xy,
            metric=instance.metric,
            scale=self._scale,
            table=self._table,
            sites=len(self._places),
            item_sites=self._item_sites,
            demands=self._demands,
            capacity=instance.capacity,
            allows_splitting=instance.splittable,
            is_symmetric=instance.symmetric,
            max_vehicles=min(instance.vehicles or MAX_VEHICLES, MAX_VEHICLES),
        )

    def _set_distances(self) -> None:
        instance, places = self.instance, self._places
        if instance.matrix is not None or len(places) <= MAX_TABLE_SITES:
            table = instance.table[np.ix_(places, places)]
            longest = float(table.max(initial=0.0))
            # No distance worth driving exceeds the detour via the depot; longer ones, such as
            # those that stand for "no road", need not be distinguished.
            reach = min(longest, 2 * float(max(table[0].max(), table[:, 0].max())))
            if not np.array_equal(table, np.rint(table)) or longest > MAX_DISTANCE:
                self._scale = MAX_DISTANCE / max(reach, 1e-12)
            scaled = np.rint(table * self._scale)
            self._table = np.minimum(scaled, 2 * MAX_DISTANCE).astype(np.int32)
            return
        self._xy = np.ascontiguousarray(instance.xy[places])
        reach = float(np.ptp(self._xy, axis=0).sum()) or 1.0
        if instance.metric != "dimacs" or reach > MAX_DISTANCE:
            unit = MAX_KM_PER_DEGREE if instance.metric == "haversine" else 1
            self._scale = MAX_DISTANCE / (reach * unit)

    def visits(self, solution: Solution) -> Visits:
        """Convert a solution to visits of the core: one per customer and route, none empty."""
        visits = []
        for number, route in enumerate(solution.routes):
            amounts: dict[int, int] = {}
            for customer, quantity in route.visits:
                amounts[customer] = amounts.get(customer, 0) + quantity
            visits += [(number, self._item_of[c], q) for c, q in amounts.items() if q]
        return np.array(visits, dtype=np.int32).reshape(-1, 3)

    def solution(self, visits: Visits) -> Solution:
        """Convert visits of the core to a Solution."""
        customers = np.array(self.items)[visits[:, 1]].tolist()
        ends = [0, *(np.flatnonzero(np.diff(visits[:, 0])) + 1).tolist(), len(visits)]
        with _gc_paused():
            converted = list(map(_as_visit, zip(customers, visits[:, 2].tolist(), strict=True)))
            return Solution(tuple(Route(tuple(converted[a:b])) for a, b in pairwise(ends) if a < b))

    def best(self, search: Search) -> Visits:
        """Return the best solution of a search, without redundant visits."""
        best = search.best()
        if not self.instance.splittable:
            return best
        reduced = _core.remove_redundant_visits(self.compiled, best)
        if self.instance.matrix is None:
            return reduced
        # The core truncates very long distances, such as those that stand for "no road".
        return min(reduced, best, key=lambda visits: cost(self.instance, self.solution(visits)))

    def length(self, cost: int) -> float:
        """Convert a cost of the core to one of the instance, up to rounding."""
        return cost / self._scale


_as_visit = partial(tuple.__new__, Visit)  # twice as fast as Visit(..)


@contextmanager
def _gc_paused() -> Iterator[None]:
    """Pause garbage collection: it would take longer than creating many small tuples."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _hilbert_order(instance: Instance) -> Integers:
    """Places along a Hilbert curve, depot first; in their own order without coordinates."""
    if not instance.places:
        return np.arange(len(instance.table))
    low, extent = instance.xy.min(axis=0), np.ptp(instance.xy, axis=0).max() or 1.0
    x, y = ((instance.xy - low) / extent * (CURVE_SIDE - 1)).astype(np.int64).T
    distance = np.zeros(len(x), dtype=np.int64)
    half = CURVE_SIDE // 2
    while half:
        right, upper = (x & half) > 0, (y & half) > 0
        distance += half * half * ((3 * right) ^ upper)
        # Each quadrant is the curve again: the lower two mirrored, the right one also rotated.
        x, y = (
            np.where(~upper & right, CURVE_SIDE - 1 - x, x),
            np.where(~upper & right, CURVE_SIDE - 1 - y, y),
        )
        x, y = np.where(upper, x, y), np.where(upper, y, x)
        half //= 2
    distance[0] = -1
    return np.argsort(distance, kind="stable")
