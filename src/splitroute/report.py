"""Figures as people and scripts read them."""

from __future__ import annotations

import re

from splitroute.instance import Instance
from splitroute.split_plan import SplitPlan


def quantity(instance: Instance, amount: int) -> float | int:
    """An amount in the units of the user's file; a whole number where it is one."""
    value = amount * instance.unit
    return int(value) if value == int(value) else float(value)


def number(cost: float) -> float | int:
    """A cost as it is written: without a fraction where there is none."""
    return int(cost) if float(cost).is_integer() else cost


def cost_text(cost: float) -> str:
    """A cost as it is shown to people."""
    return f"{cost:,.0f}" if float(cost).is_integer() else f"{cost:,.2f}"


def length_text(instance: Instance, cost: float) -> str:
    """The same with its unit, where that is known."""
    return f"{cost_text(cost)} km" if instance.metric == "haversine" else cost_text(cost)


def share_text(share: float) -> str:
    """A share in percent; one that is not quite nothing does not look like nothing."""
    return "less than 0.01 %" if 0 < share < 1e-4 else f"{100 * share:.2f} %"


def counted(count: float, noun: str) -> str:
    """How many of something: 1 route, 2 routes."""
    several = f"{noun}es" if noun.endswith("s") else f"{noun}s"
    return f"{count:,} {noun if count == 1 else several}"


def by_number(name: str) -> list[object]:
    """For sorting: SD2 before SD10."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)]


def plan_facts(plan: SplitPlan) -> dict[str, object]:
    """The figures of a plan, as `splitroute split --json` prints them."""
    instance = plan.instance
    return {
        "gcd": quantity(instance, plan.gcd),
        "mean": number(plan.mean),
        "s_max": plan.s_max,
        "levels": [
            [number(quantity(instance, size) / plan.scale) for size in level.denominations]
            for level in plan.levels
        ],
        "customers": [level.customers for level in plan.levels],
        "pieces": plan.count,
    }
