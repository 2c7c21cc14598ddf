"""Routes that visit a customer several times become routes that visit it once."""

from __future__ import annotations

import heapq
import itertools
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from splitroute.instance import Instance
from splitroute.instance.windows import tolerance
from splitroute.solution import Route, Solution, Visit, timetable

MAX_TABLE_PLACES = 200  # of a route; its distances as lists then take 1.3 MB


def merge_visits(
    instance: Instance, route: Route, customers: list[int], quantities: dict[int, int]
) -> Route:
    """Return the route with one visit to each of its customers, at the cheapest position.

    If the route meets its windows only in another position, it is that one.
    """
    customers = [customer for customer, _ in itertools.groupby(customers)]
    order = _visit_once(instance, route.vehicle_type, customers)
    merged = _with_visits(route, order, quantities)
    if not instance.has_times or len(merged.visits) == len(route.visits):
        return merged
    merged = replace(merged, start=None)  # it has changed, and so may have the best departure
    if len(order) < len(customers) and not _is_timely(instance, merged):
        for other in _other_orders(customers):
            candidate = replace(_with_visits(route, other, quantities), start=None)
            if _is_timely(instance, candidate):
                return candidate
    return merged


def _with_visits(route: Route, order: list[int], quantities: dict[int, int]) -> Route:
    visits = tuple(Visit(c, quantities[c]) for c in order if quantities[c])
    return replace(route, visits=visits)


def _other_orders(customers: list[int]) -> list[list[int]]:
    """The orders that keep one visit to each customer, at most 100 of them."""
    positions: dict[int, list[int]] = {}
    for k, customer in enumerate(customers):
        positions.setdefault(customer, []).append(k)
    choices = itertools.islice(itertools.product(*positions.values()), 100)
    return [[customers[k] for k in sorted(kept)] for kept in choices]


def _is_timely(instance: Instance, route: Route) -> bool:
    """Whether a trip meets its windows if its vehicle makes no other."""
    kind = instance.vehicle_types[route.vehicle_type]
    (times,) = timetable(instance, Solution((replace(route, vehicle=0, trip=1),)))
    for visit, visited in zip(route.visits, times.visits, strict=True):
        windows = instance.customers[visit.customer - 1].windows
        if windows and not any(_is_within(visited.start, *window) for window in windows):
            return False
    if kind.max_duration is not None and not _is_within(times.duration, 0.0, kind.max_duration):
        return False
    return kind.shift is None or _is_within(times.end, *kind.shift)


def _is_within(time: float, first: float, last: float) -> bool:
    return first - tolerance(time) <= time <= last + tolerance(time)


def _visit_once(instance: Instance, vehicle_type: int, customers: list[int]) -> list[int]:
    """Return the route with each customer once; repeated visits go, longest detour first."""
    counts = Counter(customers)
    if len(counts) == len(customers):
        return customers
    kind = instance.vehicle_types[vehicle_type]
    start, end = (instance.depot_places[id] for id in (kind.depot, kind.end_depot or kind.depot))
    places = [start, *(instance.customers[c - 1].place for c in customers), end]
    distance = _distances_between(instance, places)
    # A doubly linked list of positions; a removed one has 0 in `after`.
    before, after = list(range(-1, len(places) - 1)), list(range(1, len(places) + 1))

    def entry(k: int) -> tuple[float, int, int, int]:
        i, j = before[k], after[k]
        return distance(i, j) - distance(i, k) - distance(k, j), k, i, j

    def remove(k: int) -> None:
        counts[customers[k - 1]] -= 1
        after[before[k]], before[after[k]] = after[k], before[k]
        after[k] = 0

    detours = [entry(k) for k, customer in enumerate(customers, 1) if counts[customer] > 1]
    heapq.heapify(detours)
    while detours:
        _, k, i, j = heapq.heappop(detours)
        if (before[k], after[k]) != (i, j) or counts[customers[k - 1]] == 1:
            continue  # removed, or outdated by a removed neighbour
        remove(k)
        if i > 0 and j <= len(customers) and customers[i - 1] == customers[j - 1]:
            remove(j)
            j = after[i]
        for neighbour in (i, j):
            if 0 < neighbour <= len(customers) and counts[customers[neighbour - 1]] > 1:
                heapq.heappush(detours, entry(neighbour))
    return [customer for k, customer in enumerate(customers, 1) if after[k]]


def _distances_between(instance: Instance, places: list[int]) -> Callable[[int, int], float]:
    """Distance between two of these places by index, from a table if that is small."""
    if len(places) > MAX_TABLE_PLACES:
        return lambda i, j: instance.distance(places[i], places[j])
    table = instance.distances_among(places).tolist()
    return lambda i, j: float(table[i][j])
