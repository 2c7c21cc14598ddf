"""The contract of rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from splitroute.engines._sweep import sweep
from splitroute.errors import SplitRouteError
from splitroute.instance import Instance
from splitroute.split_plan import SplitPlan
from splitroute.testing._instances import INSTANCES
from splitroute.validation import validate


def check_rule(run: Callable[..., SplitPlan], **options: Any) -> None:
    """Raise AssertionError unless `run(instance, **options)` keeps the contract of a rule.

    It returns a named SplitPlan of the instance, the same one every time. The pieces of each
    customer add up to its demand, and each fits on a vehicle.
    """
    for instance in INSTANCES:
        plan = _split(run, instance, options)
        _check_pieces(instance, plan)
        if _split(run, instance, options) != plan:
            raise AssertionError(
                f"a rule is deterministic: two runs on {instance.name!r} gave different split plans"
            )
        if not plan.free:
            _check_merge(instance, plan)


def _split(run: Callable[..., SplitPlan], instance: Instance, options: dict[str, Any]) -> SplitPlan:
    try:
        plan = run(instance, **options)
    except SplitRouteError as error:
        raise AssertionError(
            f"a rule splits every valid instance: on {instance.name!r} it raised {error!r}"
        ) from error
    if not isinstance(plan, SplitPlan):
        raise AssertionError(f"a rule returns a SplitPlan, not {type(plan).__name__}")
    if plan.instance != instance:
        raise AssertionError(
            f"a rule splits the instance it is given: {plan.instance!r} is not {instance!r}"
        )
    if not plan.rule:
        raise AssertionError("a split plan has the name of its rule and options, for tables")
    return plan


def _check_pieces(instance: Instance, plan: SplitPlan) -> None:
    capacity = instance.capacity * plan.scale
    for customer, pieces in zip(instance.customers, plan.pieces, strict=True):
        where = f"customer {customer.id} of {instance.name!r} has the pieces {pieces}"
        if sum(pieces) != customer.demand * plan.scale:
            raise AssertionError(
                f"pieces add up to the demand: {where}, the demand is "
                f"{customer.demand * plan.scale}"
            )
        if plan.free and len(pieces) > 1:
            raise AssertionError(f"a free split plan leaves demands whole: {where}")
        if not plan.free and pieces and not 1 <= min(pieces) <= max(pieces) <= capacity:
            raise AssertionError(
                f"each piece is above 0 and fits on a vehicle: {where}, the capacity is {capacity}"
            )


def _check_merge(instance: Instance, plan: SplitPlan) -> None:
    if violations := validate(instance, plan.merge(sweep(plan.to_cvrp()))):
        raise AssertionError(
            f"merging a solution of the pieces gives a valid solution: {violations[0].message} "
            f"({instance.name!r})"
        )
