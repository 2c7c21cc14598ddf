import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import splitroute as sr
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
