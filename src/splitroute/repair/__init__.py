"""Makes any solution valid with few changes, or says which rule it cannot satisfy."""

from __future__ import annotations

from dataclasses import dataclass

from splitroute.errors import InputError
from splitroute.instance import Instance
from splitroute.repair.plain import repair_plain
from splitroute.repair.rich import repair_with_rules
from splitroute.solution import Solution
from splitroute.validation import check_types
from splitroute.validation.quantities import type_violations

__all__ = ["Repaired", "repair"]


@dataclass(frozen=True)
class Repaired:
    """A valid solution and a description of each change."""

    solution: Solution
    changes: list[str]


def repair(instance: Instance, solution: Solution) -> Repaired:
    """Return a valid solution with few changes; without rules also without redundant splits.

    Visits to unknown customers are removed. If the rules leave no place for some mandatory demand,
    an InfeasibleError lists it with the reasons.
    """
    check_types("repair", instance, solution)
    if violations := type_violations(solution):
        raise InputError(violations[0].message, field="solution")
    if instance.rules:
        return Repaired(*repair_with_rules(instance, solution))
    if not instance.splittable and instance.vehicles is not None:
        raise InputError(
            "vehicles needs an instance whose demands may be split",
            field="vehicles",
            value=instance.vehicles,
        )
    return Repaired(*repair_plain(instance, solution))
