"""The figures of an interactive page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from splitroute.formats._numbers import finite
from splitroute.instance import Instance
from splitroute.report import (
    cost_text,
    distance_text,
    instance_facts,
    percent_text,
    pluralize,
    solution_facts,
    user_quantity,
)
from splitroute.solution import Solution, Undelivered, cost

Fact = tuple[str, str, str]  # name, figure and note


def key_figures(
    instance: Instance,
    solution: Solution,
    missing: Sequence[Undelivered],
    about: Mapping[str, object],
) -> str:
    """Return the figures that people look at first."""
    load = sum(route.load for route in solution.routes)
    types = instance.vehicle_types
    room = sum(types[route.vehicle_type].capacity for route in solution.routes)
    split = pluralize(len(solution.split_customers()), "split customer")
    total = cost(instance, solution)
    facts: list[Fact] = [("cost", distance_text(instance, round(total, 2)), instance.metric)]
    if bound := finite(about.get("bound")):
        gap = max(0.0, 1 - bound / total) if total else 0.0
        note = "" if about.get("optimal") is True else f"optimality gap {percent_text(gap)}"
        facts.append(("lower bound", distance_text(instance, bound), note or "optimal (proven)"))
    facts += [
        ("routes", f"{len(solution.routes):,}", f"vehicle fill {100 * load / (room or 1):.1f} %"),
        ("visits", f"{solution.num_visits:,}", split),
    ]
    if unsplit := finite(about.get("unsplit_cost")):
        saving = f"{100 * (1 - total / unsplit):.1f} %"
        facts.append(("saving", saving, f"of {cost_text(unsplit)} without splitting"))
    if missing:
        quantity = user_quantity(instance, sum(item.quantity for item in missing))
        note = f"at {pluralize(len(missing), 'customer')}"
        facts.append(("undelivered", f"{quantity:,}", note))
    return "".join(
        f"<div><dt>{name}</dt><dd>{escape(figure)}</dd><dd>{escape(note)}</dd></div>"
        for name, figure, note in facts
    )


def details(instance: Instance, solution: Solution, about: Mapping[str, object]) -> str:
    """Return the figures of the instance, and how the solution was found."""
    rows = [*instance_facts(instance), *solution_facts(instance, solution), *_method(about)]
    unique = dict(rows)  # travel times are facts of both
    return "".join(f"<dt>{escape(k)}</dt><dd>{escape(v)}</dd>" for k, v in unique.items())


def _method(about: Mapping[str, object]) -> Iterable[tuple[str, str]]:
    """The search, as far as the file states it."""
    if about.get("rule") and about.get("engine"):
        yield "method", f"{about['rule']}+{about['engine']}, seed {about.get('seed', '-')}"
    if seconds := finite(about.get("seconds")):
        yield "search", f"{seconds:.1f} s"
    if seconds := finite(about.get("bound_seconds")):
        yield "lower bound", f"computed in {seconds:.1f} s"
    versions = about.get("versions")
    if isinstance(versions, Mapping):
        yield "versions", ", ".join(f"{name} {version}" for name, version in versions.items())
