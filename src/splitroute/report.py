"""Numbers as text for people and as JSON for scripts."""

from __future__ import annotations

import re
from collections import Counter
from itertools import chain, count

from splitroute.instance import DEFAULT_KM_PER_HOUR, Instance
from splitroute.solution import (
    Solution,
    cost_parts,
    route_costs,
    route_distances,
    timetable,
    trips_of_vehicles,
    undelivered,
)
from splitroute.split_plan import SplitPlan

MIN_SHARE_SHOWN = 1e-4
MINUTES_PER_DAY = 24 * 60
MAX_TYPES_SHOWN = 5  # of vehicles
HOURS = frozenset({"windows", "depot_windows", "shift"})  # rules with times of day
PRICES = frozenset(  # rules by which costs differ from distances
    {"fixed_cost", "cost_per_distance", "cost_per_time", "extra_visit_cost", "penalty"}
)


def user_quantity(instance: Instance, amount: int) -> float | int:
    """Return an amount in the units of the user's file, as an int if it is whole."""
    value = amount * instance.unit
    return int(value) if value == int(value) else float(value)


def json_number(value: float) -> float | int:
    """Return a number as an int if it is whole."""
    return int(value) if float(value).is_integer() else value


def cost_text(cost: float) -> str:
    """A cost with thousands separators, and two decimals unless it is whole."""
    return f"{cost:,.0f}" if float(cost).is_integer() else f"{cost:,.2f}"


def distance_text(instance: Instance, cost: float) -> str:
    """A cost with its unit, if that is known: with prices, a cost is not a distance."""
    text = cost_text(cost)
    is_length = instance.is_in_km and not instance.rules & PRICES
    return f"{text} km" if is_length else text


def distances_text(instance: Instance) -> str:
    """What distances are based on."""
    if instance.origin is not None:
        return instance.origin.distances
    if instance.roads:
        return f"roads ({instance.roads})"
    return "straight lines" if instance.matrix is None else "from a matrix"


def time_text(instance: Instance, time: float) -> str:
    """A point in time: 08:30 by the clock, 08:30 +1 d on the next day, or else a number.

    Without any opening hours and shifts, nobody knows when the day starts: +0:17 after that.
    """
    if not instance.clock:
        return cost_text(round(time, 2))
    if not instance.rules & HOURS:
        hours, minutes = divmod(abs(round(time)), 60)
        return f"{'-' if time < 0 else '+'}{hours}:{minutes:02}"
    days, minutes = divmod(round(time), MINUTES_PER_DAY)
    text = f"{minutes // 60:02}:{minutes % 60:02}"
    return f"{text} {days:+} d" if days else text


def duration_text(instance: Instance, duration: float) -> str:
    """A length of time: 2 h 15 min if times are minutes, or else a number."""
    if not instance.clock:
        return cost_text(round(duration, 2))
    hours, minutes = divmod(round(duration), 60)
    parts = [f"{hours:,} h"] * bool(hours) + [f"{minutes} min"] * bool(minutes or not hours)
    return " ".join(parts)


def window_text(instance: Instance, opening: float, closing: float) -> str:
    """A time window or another span of time: 08:30–10:00."""
    return f"{time_text(instance, opening)}–{time_text(instance, closing)}"


def route_table(instance: Instance, solution: Solution) -> list[tuple[str, ...]]:
    """A heading, and a row of texts per route: vehicle, times if there are any, visits, load."""
    times = timetable(instance, solution) if instance.has_times else None
    rows = [("vehicle", *(("departure", "return") if times else ()), "visits", "load", "cost")]
    names, costs = vehicle_names(instance, solution), route_costs(instance, solution)
    for k in chain.from_iterable(trips_of_vehicles(solution)):
        route = solution.routes[k]
        capacity = instance.vehicle_types[route.vehicle_type].capacity
        ends = (times[k].start, times[k].end) if times else ()
        load = f"{user_quantity(instance, route.load):,} of {user_quantity(instance, capacity):,}"
        figures = (f"{len(route.visits):,}", load, cost_text(costs[k]))
        rows.append((names[k], *(time_text(instance, time) for time in ends), *figures))
    return rows


def instance_facts(instance: Instance) -> list[tuple[str, str]]:
    """(name, text) of the figures of an instance."""
    demand = user_quantity(instance, int(instance.demands.sum()))
    rows = [
        ("instance", instance.name or "(no name)"),
        ("customers", f"{len(instance.customers):,}"),
        ("demand", f"{demand:,}"),
        ("vehicles", _types_text(instance)),
        ("distances", f"{distances_text(instance)} ({instance.metric})"),
    ]
    if len(instance.depots) > 1:
        rows.insert(3, ("depots", ", ".join(depot.id for depot in instance.depots)))
    if travel := travel_text(instance):
        rows.append(("travel times", travel))
    if instance.rules:
        rows.append(("rules", ", ".join(sorted(instance.rules))))
    return rows


def _types_text(instance: Instance) -> str:
    """The vehicle types: `van: 3 of capacity 80, truck: any number of capacity 200`."""
    types = instance.vehicle_types
    texts = []
    for kind in types[:MAX_TYPES_SHOWN]:
        number = "any number" if kind.count is None else f"{kind.count:,}"
        name = f"{kind.type}: " if instance.fleet else ""
        texts.append(f"{name}{number} of capacity {user_quantity(instance, kind.capacity):,}")
    if len(types) > MAX_TYPES_SHOWN:
        texts.append(f"and {len(types) - MAX_TYPES_SHOWN:,} more types")
    return ", ".join(texts)


def solution_facts(instance: Instance, solution: Solution) -> list[tuple[str, str]]:
    """(name, text) of the figures that only instances with rules have."""
    rows = []
    if instance.rules & PRICES:
        parts = cost_parts(instance, solution)._asdict().items()
        texts = [f"{name.replace('_', ' ')} {cost_text(v)}" for name, v in parts if v]
        rows.append(("cost parts", ", ".join(texts) or "none"))
        unit = " km" if instance.is_in_km else ""
        distance = sum(route_distances(instance, solution))
        rows.append(("distance", f"{cost_text(distance)}{unit}"))
    if instance.fleet:
        rows.append(("vehicles", _vehicles_text(instance, solution)))
    if instance.has_times and solution.routes:
        times = timetable(instance, solution)
        first, last = min(t.start for t in times), max(t.end for t in times)
        span = f"first departure {time_text(instance, first)}"
        rows.append(("times", f"{span}, last return {time_text(instance, last)}"))
    if travel := travel_text(instance):
        rows.append(("travel times", travel))
    return rows


def undelivered_text(instance: Instance, solution: Solution) -> str:
    """What a solution does not deliver: 87 undelivered at 5 customers; empty if nothing."""
    missing = undelivered(instance, solution)
    if not missing:
        return ""
    total = user_quantity(instance, sum(missing.values()))
    return f"{total:,} undelivered at {pluralize(len(missing), 'customer')}"


def _vehicles_text(instance: Instance, solution: Solution) -> str:
    """Number of vehicles used of each type: van 3 of 5, truck 2."""
    used = Counter(solution.routes[trips[0]].vehicle_type for trips in trips_of_vehicles(solution))
    return ", ".join(
        f"{kind.type} {used[k]:,}" + ("" if kind.count is None else f" of {kind.count:,}")
        for k, kind in enumerate(instance.fleet)
    )


def travel_text(instance: Instance) -> str:
    """What travel times are based on; empty if there are none, or if they equal the distances."""
    if not instance.has_times:
        return ""
    if instance.durations is not None:
        return distances_text(instance) if instance.roads else "from a matrix"
    if instance.metric == "haversine":
        return f"{instance.speed or DEFAULT_KM_PER_HOUR:g} km/h, straight lines"
    return "" if instance.travel_speed == 1 else f"distance / {instance.travel_speed:g}"


def vehicle_names(instance: Instance, solution: Solution) -> list[str]:
    """The vehicle of each route, and its trip if it makes several: van 2, trip 1.

    A vehicle that is the only one of its type has no number: the type may be a licence plate.
    """
    names = [""] * len(solution.routes)
    taken = {(route.vehicle_type, route.vehicle) for route in solution.routes}
    counts = [count(1) for _ in instance.vehicle_types]
    for trips in trips_of_vehicles(solution):
        first = solution.routes[trips[0]]
        kind = first.vehicle_type
        number = first.vehicle or next(k for k in counts[kind] if (kind, k) not in taken)
        name = instance.vehicle_types[kind].type
        if not instance.fleet or instance.fleet[kind].count != 1:
            name += f" {number:,}"
        for k in trips:
            is_only = len(trips) == 1
            names[k] = name if is_only else f"{name}, trip {solution.routes[k].trip}"
    return names


def percent_text(share: float) -> str:
    """A share in percent; a tiny one is not shown as zero."""
    return "< 0.01 %" if 0 < share < MIN_SHARE_SHOWN else f"{100 * share:.2f} %"


def pluralize(count: float, noun: str) -> str:
    """A count and its noun: 1 route, 2 routes."""
    plural = f"{noun}es" if noun.endswith("s") else f"{noun}s"
    return f"{count:,} {noun if count == 1 else plural}"


def natural_key(name: str) -> list[object]:
    """Sort key by which SD2 comes before SD10."""
    return [int(part) if part.isdecimal() else part for part in re.split(r"(\d+)", name)]


def split_plan_facts(plan: SplitPlan) -> dict[str, object]:
    """The figures of a split plan, as `splitroute split --json` prints them."""
    instance = plan.instance
    return {
        "gcd": user_quantity(instance, plan.gcd),
        "mean": json_number(plan.mean),
        "s_max": plan.s_max,
        "levels": [
            [
                json_number(user_quantity(instance, size) / plan.scale)
                for size in level.denominations
            ]
            for level in plan.levels
        ],
        "customers": [level.num_customers for level in plan.levels],
        "pieces": plan.num_pieces,
    }
