"""The rules of an instance as the compiled core takes them: integers, one site per depot."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from splitroute import _core
from splitroute.distances import Integers
from splitroute.instance import Customer, Instance, Windows

NEVER = (2**63 - 1) // 4  # the core's `never`
UNLIMITED = 2**31 - 1  # of counts
MAX_VALUE = 10**15  # of a time or a cost after scaling; sums of thousands fit into 64 bits
# A mandatory demand left undelivered costs that many times as much as the dearest trip.
MANDATORY_FACTOR = 20

IntWindows = list[tuple[int, int]]


def max_scale(instance: Instance) -> float:
    """The largest factor by which distances can be scaled so that times and costs fit."""
    largest = max(1e-12, _horizon(instance) * instance.travel_speed, _dearest_trip(instance))
    penalties = max((c.penalty or 0.0 for c in instance.customers), default=0.0)
    return MAX_VALUE / (MANDATORY_FACTOR * max(largest, penalties * _demand(instance)))


def compile_rules(
    instance: Instance,
    items: Sequence[int],
    places: Integers,
    site_of_depot: Mapping[str | None, int],
    scale: float,
) -> _core.Rules:
    """Return the rules for these items, which are numbers of customers, and sites at these places.

    Times are scaled so that a unit of distance takes a unit of time.
    """
    clock = scale * instance.travel_speed
    unit = float(instance.unit)
    rules = _core.Rules()
    rules.time_per_distance = 1.0
    if instance.durations is not None:
        table = instance.durations[np.ix_(places, places)]
        rules.durations = np.rint(table * clock).astype(np.int64).ravel().tolist()
    rules.has_several_windows = any(len(windows) > 1 for windows in _all_windows(instance))
    rules.restricts_quantities = bool(
        instance.rules & {"service_per_unit", "min_drop", "max_visits", "lot", "extra_visit_cost"}
    )
    dearest = MANDATORY_FACTOR * max(1.0, _dearest_trip(instance)) * scale
    rules.shortfall_penalty = dearest / instance.capacity
    depot_windows = {None: instance.depots[0].windows} | {d.id: d.windows for d in instance.depots}
    for vehicle in instance.vehicle_types:
        end = vehicle.end_depot if vehicle.end_depot is not None else vehicle.depot
        rules.add_type(
            capacity=vehicle.capacity,
            count=UNLIMITED if vehicle.count is None else min(vehicle.count, UNLIMITED),
            start=site_of_depot[vehicle.depot],
            end=site_of_depot[end],
            fixed_cost=round(vehicle.fixed_cost * scale),
            cost_per_distance=vehicle.cost_per_distance,
            cost_per_time=vehicle.cost_per_time * scale / clock,
            departure=_scaled(_within(depot_windows[vehicle.depot], vehicle.shift), clock),
            arrival=_scaled(_within(depot_windows[end], vehicle.shift), clock),
            max_distance=_limit(vehicle.max_distance, scale),
            max_duration=_limit(vehicle.max_duration, clock),
            max_stops=UNLIMITED if vehicle.max_stops is None else vehicle.max_stops,
            max_trips=vehicle.max_trips,
            loading=round(vehicle.loading * clock),
            loading_per_unit=round(vehicle.loading_per_unit * unit * clock),
            min_load=vehicle.min_load,
        )
    bits = {vehicle.type: 1 << k for k, vehicle in enumerate(instance.vehicle_types)}
    every_type = sum(bits.values())
    number_of = {c.id: number for number, c in enumerate(instance.customers)}  # shared by pieces
    for item in items:
        customer = instance.customers[item - 1]
        penalty = (
            dearest / customer.demand
            if customer.penalty is None
            else customer.penalty * unit * scale
        )
        rules.add_item(
            customer=number_of[customer.id],
            windows=_scaled(customer.windows, clock),
            service=round(customer.service * clock),
            service_per_unit=round(customer.service_per_unit * unit * clock),
            min_drop=max(1, customer.min_drop),
            max_visits=_max_visits(customer),
            lot=customer.lot,
            extra_visit_cost=round(customer.extra_visit_cost * scale),
            types=every_type
            if customer.vehicle_types is None
            else sum(bits[name] for name in customer.vehicle_types),
            penalty=penalty,
            is_mandatory=customer.penalty is None,
        )
    return rules


def _max_visits(customer: Customer) -> int:
    if not customer.splittable:
        return 1
    return UNLIMITED if customer.max_visits is None else min(customer.max_visits, UNLIMITED)


def _within(windows: Windows, shift: tuple[float, float] | None) -> Windows:
    """The parts of the windows inside a shift."""
    if shift is None:
        return windows
    first, last = shift
    if not windows:
        return ((first, last),)
    inside = ((max(open, first), min(close, last)) for open, close in windows)
    # A shift outside of all windows leaves one that no time is in.
    return tuple((a, b) for a, b in inside if a <= b) or ((math.inf, math.inf),)


def _scaled(windows: Windows, clock: float) -> IntWindows:
    return [(_time(open, clock), _time(close, clock)) for open, close in windows]


def _time(value: float, clock: float) -> int:
    return NEVER if value == math.inf else round(value * clock)


def _limit(value: float | None, scale: float) -> int:
    return NEVER if value is None else min(NEVER, round(value * scale))


def _all_windows(instance: Instance) -> Iterator[Windows]:
    yield from (customer.windows for customer in instance.customers)
    yield from (depot.windows for depot in instance.depots)


def _horizon(instance: Instance) -> float:
    """An upper bound on all times that are given."""
    times = [0.0]
    times += [close for windows in _all_windows(instance) for _, close in windows]
    for vehicle in instance.vehicle_types:
        times += [vehicle.shift[1] if vehicle.shift else 0.0, vehicle.loading]
        times.append(vehicle.loading_per_unit * float(instance.unit) * vehicle.capacity)
    times += [
        c.service + c.service_per_unit * float(instance.unit) * c.demand for c in instance.customers
    ]
    if instance.durations is not None:
        times.append(float(instance.durations.max()))
    return max(abs(t) for t in times)


def _dearest_trip(instance: Instance) -> float:
    """An estimate of what the dearest trip to one customer costs."""
    reach = 2 * float(instance.distances_from_depot().max(initial=0.0))
    time = _horizon(instance) + 2 * reach / instance.travel_speed
    return max(
        v.fixed_cost + 2 * reach * v.cost_per_distance + time * v.cost_per_time
        for v in instance.vehicle_types
    ) + max((c.extra_visit_cost for c in instance.customers), default=0.0)


def _demand(instance: Instance) -> float:
    return float(instance.unit) * int(instance.demands.max(initial=0))
