"""The rules of an instance as the compiled core takes them: integers, one site per depot."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from splitroute import _core
from splitroute.distances import Floats, Integers, pairs
from splitroute.instance import Customer, Instance, Windows
from splitroute.instance.rules import TIME_RULES

NEVER = (2**63 - 1) // 4  # the core's `never`
UNLIMITED = 2**31 - 1  # of counts
MAX_VALUE = 10**15  # of a time or a cost after scaling; sums of thousands fit into 64 bits
# A mandatory unit left undelivered costs that many times as much as the dearest trip: otherwise it
# might be cheaper not to drive there with the last one.
MANDATORY_FACTOR = 4
# Sums of rounded legs may miss a limit that is met exactly. The validator tolerates more than this.
RELATIVE_SLACK, MAX_SLACK_TICKS = 2.5e-7, 32

IntWindows = list[tuple[int, int]]


def max_scale(instance: Instance) -> float:
    """The largest factor by which distances can be scaled so that times and costs fit."""
    quantity = max(instance.capacity, int(instance.demands.max()))
    penalty = max((c.penalty or 0.0 for c in instance.customers), default=0.0)
    price = max(penalty * float(instance.unit), MANDATORY_FACTOR * _dearest_trip(instance))
    return MAX_VALUE / max(1e-12, _horizon(instance) * instance.travel_speed, price * quantity)


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
    if instance.durations is not None:
        clock = round_down(clock)
    unit = float(instance.unit)
    rules = _core.Rules()
    rules.time_per_distance = clock / (scale * instance.travel_speed)
    if instance.durations is not None:
        table = instance.durations[np.ix_(places, places)]
        rules.durations = np.rint(table * clock).astype(np.int64).ravel().tolist()
    rules.has_times = bool(instance.rules & TIME_RULES)
    rules.has_several_windows = any(len(windows) > 1 for windows in _all_windows(instance))
    mandatory = MANDATORY_FACTOR * _dearest_trip(instance) * scale
    rules.short_trip_penalty = mandatory
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
            max_distance=_with_slack(vehicle.max_distance, scale),
            max_duration=_with_slack(vehicle.max_duration, clock),
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
            penalty=mandatory if customer.penalty is None else customer.penalty * unit * scale,
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


def round_down(scale: float) -> float:
    """1, 2 or 5 times a power of ten: sums of whole or decimal numbers then stay exact."""
    power = 10.0 ** math.floor(math.log10(scale))
    return max(digit * power for digit in (1, 2, 5) if digit == 1 or digit * power <= scale)


def _scaled(windows: Windows, clock: float) -> IntWindows:
    """The windows in ticks, with some slack after the last one; after others a vehicle waits."""
    scaled = [(_time(open, clock), _time(close, clock)) for open, close in windows]
    if scaled:
        scaled[-1] = (scaled[-1][0], _with_slack(windows[-1][1], clock))
    return scaled


def _time(value: float, clock: float) -> int:
    return NEVER if value == math.inf else round(value * clock)


def _with_slack(limit: float | None, scale: float) -> int:
    if limit is None or limit == math.inf:
        return NEVER
    slack = RELATIVE_SLACK * max(1.0, abs(limit)) * scale
    return min(NEVER, round(limit * scale) + min(MAX_SLACK_TICKS, int(slack)))


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
    """What a trip to one customer costs at most, with any vehicle type that may serve it."""
    horizon, dearest = _horizon(instance), 1.0
    for kind in instance.vehicle_types:
        may_serve = np.ones(len(instance.customers), dtype=bool)
        for k in instance.customers_with_rules:
            allowed = instance.customers[k].vehicle_types
            may_serve[k] = allowed is None or kind.type in allowed
        sites = instance.sites[1:][may_serve]
        depot = instance.depot_places
        there = np.full_like(sites, depot[kind.depot]), sites
        back = sites, np.full_like(sites, depot[kind.end_depot or kind.depot])
        distance: Floats = _distances(instance, *there) + _distances(instance, *back)
        duration: Floats = distance / instance.travel_speed
        if instance.durations is not None:
            duration = instance.durations[there] + instance.durations[back]
        cost = kind.cost_per_distance * distance + kind.cost_per_time * (horizon + duration)
        dearest = max(dearest, kind.fixed_cost + float(cost.max(initial=0.0)))
    return dearest + max((c.extra_visit_cost for c in instance.customers), default=0.0)


def _distances(instance: Instance, a: Integers, b: Integers) -> Floats:
    return pairs(instance.xy, instance.metric, instance.matrix, a, b)
