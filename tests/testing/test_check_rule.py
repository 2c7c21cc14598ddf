"""Rules that break their contract are caught."""

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import Any

import pytest

import splitroute as sr
from splitroute.rules import none
from splitroute.testing import check_rule

numbers = count()


def loses_a_unit(instance: sr.Instance) -> sr.SplitPlan:
    pieces = tuple((c.demand - 1,) if c.demand > 1 else () for c in instance.customers)
    return sr.SplitPlan(instance, "loses_a_unit", pieces)


def loses_a_unit_free(instance: sr.Instance) -> sr.SplitPlan:
    pieces = tuple((c.demand - 1,) if c.demand > 1 else () for c in instance.customers)
    return sr.SplitPlan(instance, "free", pieces, free=True)


def ignores_the_capacity(instance: sr.Instance) -> sr.SplitPlan:
    pieces = tuple((c.demand,) if c.demand else () for c in instance.customers)
    return sr.SplitPlan(instance, "ignores_the_capacity", pieces)


def changes_its_mind(instance: sr.Instance) -> sr.SplitPlan:
    return replace(none.run(instance), rule=f"changes_its_mind:{next(numbers)}")


def is_of_another_instance(instance: sr.Instance) -> sr.SplitPlan:
    return none.run(replace(instance, capacity=instance.capacity + 1))


def has_no_name(instance: sr.Instance) -> sr.SplitPlan:
    return replace(none.run(instance), rule="")


def returns_pieces(instance: sr.Instance) -> Any:
    return none.run(instance).pieces


@pytest.mark.parametrize(
    ("rule", "contract"),
    [
        (loses_a_unit, "do not add up"),
        (loses_a_unit_free, "pieces add up to the demand"),
        (ignores_the_capacity, "does not fit on a vehicle"),
        (changes_its_mind, "deterministic"),
        (is_of_another_instance, "splits the instance it is given"),
        (has_no_name, "has the name of its rule"),
        (returns_pieces, "returns a SplitPlan, not tuple"),
    ],
)
def test_a_broken_contract(rule: Callable[..., sr.SplitPlan], contract: str) -> None:
    with pytest.raises(AssertionError, match=contract):
        check_rule(rule)


def test_options_reach_the_rule() -> None:
    def thirds(instance: sr.Instance, *, wrong: bool) -> sr.SplitPlan:
        return loses_a_unit(instance) if wrong else none.run(instance)

    check_rule(thirds, wrong=False)
    with pytest.raises(AssertionError):
        check_rule(thirds, wrong=True)
