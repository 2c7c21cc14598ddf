"""What is worth knowing about an instance and a solution, as data for assistants."""

from __future__ import annotations

import math
from typing import Any

from splitroute.formats import ParsedSolution
from splitroute.instance import Instance
from splitroute.report import (
    distance_text,
    instance_facts,
    pluralize,
    route_table,
    solution_facts,
    user_quantity,
    vehicle_names,
)
from splitroute.solution import Solution, cost, explain_undelivered
from splitroute.solution.reasons import undelivered_texts

MAX_LISTED = 50  # customers or routes


def explain_instance(instance: Instance) -> dict[str, Any]:
    """Return the figures of an instance, the fewest routes and who needs several vehicles."""
    capacity = max(kind.capacity for kind in instance.vehicle_types)
    customers = instance.customers
    large = [c for c in customers if c.demand > capacity]
    fewest = math.ceil(sum(c.demand for c in customers if c.penalty is None) / capacity)
    return {
        "instance": dict(instance_facts(instance)),
        "fewest_routes": fewest,
        "must_be_split": _shortened(
            [f"{c.id}: {user_quantity(instance, c.demand):,}" for c in large]
        ),
    }


def explain_solution(instance: Instance, parsed: ParsedSolution) -> dict[str, Any]:
    """Return the figures of a solution, its routes, split customers, and what is wrong with it."""
    solution = parsed.solution
    violations = [v.message for v in parsed.violations(instance)]
    heading, *rows = route_table(instance, solution)
    explained = explain_undelivered(instance, solution)
    return {
        "cost": f"{distance_text(instance, cost(instance, solution))} ({instance.metric})",
        "routes": _shortened([dict(zip(heading, row, strict=True)) for row in rows]),
        "visits": solution.num_visits,
        **dict(solution_facts(instance, solution) if instance.rules else []),
        "split_customers": _shortened(_split_texts(instance, solution)),
        "undelivered": _shortened(undelivered_texts(instance, explained)),
        "violations": _shortened(violations),
    }


def _split_texts(instance: Instance, solution: Solution) -> list[str]:
    """The visits of each split customer: `Harbour: 54 by vehicle 2, 30 by vehicle 5`."""
    names, split = vehicle_names(instance, solution), solution.split_customers()
    visits: dict[int, list[str]] = {customer: [] for customer in sorted(split)}
    for name, route in zip(names, solution.routes, strict=True):
        for visit in route.visits:
            if visit.customer in visits:
                amount = user_quantity(instance, visit.quantity)
                visits[visit.customer].append(f"{amount:,} by {name}")
    return [f"{instance.customers[c - 1].id}: {', '.join(texts)}" for c, texts in visits.items()]


def _shortened(items: list[Any]) -> list[Any]:
    """The first items, and how many more there are."""
    more = len(items) - MAX_LISTED
    return items if more <= 0 else [*items[:MAX_LISTED], f"and {pluralize(more, 'more item')}"]
