"""Numbers as text for people and as JSON for scripts."""

from __future__ import annotations

import re

from splitroute.instance import Instance
from splitroute.split_plan import SplitPlan

MIN_SHARE_SHOWN = 1e-4
MINUTES_PER_DAY = 24 * 60


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


def distance_text(instance: Instance, distance: float) -> str:
    """A distance or cost with its unit, if that is known."""
    text = cost_text(distance)
    return f"{text} km" if instance.metric == "haversine" else text


def time_text(instance: Instance, time: float) -> str:
    """A point in time: 08:30 by the clock, 08:30 +1 d on the next day, or else a number."""
    if not instance.clock:
        return cost_text(round(time, 2))
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


def percent_text(share: float) -> str:
    """A share in percent; a tiny one is not shown as zero."""
    return "< 0.01 %" if 0 < share < MIN_SHARE_SHOWN else f"{100 * share:.2f} %"


def pluralize(count: float, noun: str) -> str:
    """A count and its noun: 1 route, 2 routes."""
    plural = f"{noun}es" if noun.endswith("s") else f"{noun}s"
    return f"{count:,} {noun if count == 1 else plural}"


def natural_key(name: str) -> list[object]:
    """Sort key by which SD2 comes before SD10."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)]


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
