import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import splitroute as sr
from splitroute import InputError, Solution
from splitroute.engines import Capabilities
from splitroute.generate import set1


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (["file.csv"], {}, r"call solve\(read\('file.csv'\)\)"),
        ([Path("file.csv")], {}, r"call solve\(read\("),
        ([None], {}, r"instance is NoneType None, not an Instance"),
        ([set1(1)], {"stop": 5}, r"call solve\(.., stop=Stop\(seconds=5\)\)"),
        ([set1(1)], {"seconds": 1}, r"call solve\(.., stop=Stop\(seconds=1\)\)"),
        ([set1(1)], {"seed": "3"}, "seed is '3'; it must be a whole number from 0"),
        ([set1(1)], {"levels": "2", "rule": "pasa"}, "levels is '2'; it must be a whole number"),
        ([set1(1)], {"levels": True, "rule": "pasa"}, "levels is True; it must be a whole number"),
        ([set1(1)], {"coins": 5, "rule": "coins"}, "coins is 5; it must be a string"),
        ([set1(1)], {"threads": "2"}, "threads is '2'; it must be a whole number"),
        ([set1(1)], {"blink": "x"}, "blink is 'x'; it must be a number"),
        ([set1(1)], {"bound": "5"}, "bound is '5'; it must be a number of seconds"),
        ([set1(1)], {"bound": -1}, "bound is -1; it must be a number of seconds of at least 0"),
        ([set1(1)], {"polish": "5"}, "polish is '5'; it must be a number of seconds"),
        ([set1(1)], {"polish": math.inf}, "polish is inf; it must be a number of seconds"),
        ([set1(1)], {"listener": 5}, r"listener is int 5, not a function of a Progress; call"),
        ([set1(1)], {"rule": 5}, "unknown rule 5; known: coins, free"),
        ([set1(1)], {"engine": 5}, "unknown engine 5; known: hgs"),
        ([set1(1)], {"start": []}, r"start=read_solution\(..\).solution"),
    ],
)
def test_a_wrong_call_is_answered_with_the_right_one(
    arguments: list[Any], options: dict[str, Any], message: str
) -> None:
    with pytest.raises(sr.InputError, match=message):
        sr.solve(*arguments, **options)


def test_a_result_is_not_a_start() -> None:
    result = sr.solve(set1(1), stop=sr.Stop(iterations=1))
    with pytest.raises(sr.InputError, match=r"call solve\(.., start=result.solution\)"):
        sr.solve(set1(1), start=result)  # type: ignore[arg-type]


def test_every_error_names_its_field() -> None:
    with pytest.raises(sr.InputError) as caught:
        sr.solve(set1(1), rule="pasa", levels="2")
    assert (caught.value.field, caught.value.value) == ("levels", "2")
    with pytest.raises(sr.InputError) as caught:
        sr.solve(set1(1), polish=-1)
    assert (caught.value.field, caught.value.value) == ("polish", -1)


def test_split_needs_an_instance() -> None:
    with pytest.raises(sr.InputError, match=r"call split\(read\('file.csv'\)\)"):
        sr.split("file.csv")  # type: ignore[arg-type]


def test_numbers_of_numpy_are_numbers() -> None:
    plan = sr.split(set1(6), levels=np.int64(3))
    assert len(plan.levels) == 3


def respecting(*rules: str) -> Callable[..., Solution]:
    """An engine that declares rules, and serves each customer on its own."""

    def alone(
        instance: sr.Instance, stop: sr.Stop, seed: int, start: Solution | None, listener: object
    ) -> Solution:
        return Solution.unsplit(instance, [[k] for k in range(1, len(instance.customers) + 1)])

    vars(alone)["CAPABILITIES"] = Capabilities(rules=frozenset(rules))
    return alone


def test_rules_that_an_engine_does_not_support_are_named() -> None:
    places = [(0, 0), (1, 0), (2, 0)]
    instance = sr.Instance.create(9, [3, 3], places, windows=[((0, 5),), ()], service=1.0)
    with pytest.raises(InputError) as caught:
        sr.solve(instance, rule="none", engine=respecting("service"))
    assert caught.value.field == "engine"
    assert str(caught.value).startswith("the engine alone does not support windows; use engine=")
    assert 'engine="pyvrp"' in str(caught.value)
    assert 'engine="vrph"' not in str(caught.value)


def test_an_engine_that_supports_the_rules_is_accepted() -> None:
    instance = sr.Instance.create(9, [3], [(0, 0), (1, 0)], windows=[((0, 5),)])
    result = sr.solve(instance, rule="none", engine=respecting("windows"), bound=0)
    assert result.cost == 2
    assert [route.start for route in result.solution.routes] == [0.0]


def test_a_split_plan_guarantees_the_rules_of_splitting() -> None:
    instance = sr.Instance.create(9, [6], [(0, 0), (1, 0)], min_drop=3, lot=3, max_visits=2)
    engine = respecting()
    assert sr.solve(instance, rule="none", engine=engine, bound=0).cost == 2
    vars(engine)["CAPABILITIES"] = Capabilities(splits=True)
    with pytest.raises(InputError, match="does not support min_drop, max_visits, lot;"):
        sr.solve(instance, rule="free", engine=engine)
