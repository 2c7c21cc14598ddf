"""The split plan of a rule, or the split plans among which it chooses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from splitroute import rules
from splitroute.errors import InputError, LimitError
from splitroute.instance import Instance
from splitroute.registry import load, name_of
from splitroute.rules import Rule
from splitroute.rules._admissible import admissible
from splitroute.split_plan import SplitPlan
from splitroute.stop import TimeBudget

AUTO = "auto"  # value of an option that a rule with `candidates` leaves open
MAX_PLANS = 32  # in a race
MAX_PLANNING_SHARE = 0.05  # of the time limit, to make them
MAX_PIECES_RATIO = 10  # of a candidate to the first: finer pieces take too long to route


def make_plan(
    instance: Instance, rule: str | Callable[..., SplitPlan], options: dict[str, Any]
) -> SplitPlan:
    """Return the split plan of a rule, with admissible pieces."""
    run: Rule = load(rules, rule).run
    plan = run(instance, **options)
    if not isinstance(plan, SplitPlan):  # a rule of another package
        message = f"the rule {name_of(rule)} returned {type(plan).__name__}, not a SplitPlan"
        raise InputError(message, field="rule", value=rule)
    return admissible(plan)


def make_plans(
    instance: Instance, rule: str | Callable[..., SplitPlan], options: dict[str, Any]
) -> Iterator[SplitPlan]:
    """Yield the split plan of a rule; of one with an option "auto", the distinct candidates."""
    candidates = getattr(load(rules, rule), "candidates", None)
    if candidates is None or AUTO not in options.values():
        yield make_plan(instance, rule, options)
        return
    seen: dict[tuple[tuple[int, ...], ...], int] = {}
    failure = None
    for choice in candidates(instance, **options):
        try:
            plan = make_plan(instance, rule, choice)
        except LimitError as error:  # too many pieces
            failure = error
            continue
        max_pieces = MAX_PIECES_RATIO * next(iter(seen.values()), plan.num_pieces)
        if plan.pieces not in seen and plan.num_pieces <= max_pieces:
            seen[plan.pieces] = plan.num_pieces
            yield plan
    if failure is not None and not seen:
        raise failure


def choose_plans(plans: Iterable[SplitPlan], budget: TimeBudget) -> list[SplitPlan]:
    """Return the first split plan and those with the fewest pieces, in the order given."""
    chosen: list[SplitPlan] = []
    for plan in plans:
        chosen.append(plan)
        if budget.elapsed_share > MAX_PLANNING_SHARE:
            break
    by_pieces = sorted(range(1, len(chosen)), key=lambda k: chosen[k].num_pieces)
    return [chosen[k] for k in (0, *sorted(by_pieces[: MAX_PLANS - 1]))]
