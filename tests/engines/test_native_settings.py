"""The settings of the core are options of the native engine."""

import math

import pytest

import splitroute as sr
from splitroute import _core
from splitroute.core import SETTINGS, Model, make_settings
from splitroute.engines import native
from splitroute.generate import random_instance
from splitroute.registry import parse_options
from splitroute.stop import Stop

INSTANCE = random_instance(40, low=0.1, high=0.9, seed=2)


def solve(**options: object) -> sr.Result:
    return sr.solve(INSTANCE, stop=Stop(iterations=300), bound=0, **options)  # type: ignore[arg-type]


def test_defaults_change_nothing() -> None:
    assert solve(**SETTINGS).solution == solve().solution


@pytest.mark.parametrize("name", SETTINGS)
def test_each_has_a_docstring_and_an_effect(name: str) -> None:
    assert vars(_core.Settings)[name].__doc__.endswith(".")
    model = Model(random_instance(20, low=0.02, high=0.2, seed=2))
    default, trajectories = SETTINGS[name], []
    lower = {"max_cycles": 1, "max_moves": 11, "max_large_string_length": 7}.get(name, default / 2)
    for value in (default, lower):
        settings = make_settings({name: type(default)(value)})
        search = _core.Annealing(model.compiled, 1, settings)
        search.set_budget(0, 10_000)  # enough for two cooling cycles
        search.start()
        trajectory = []
        while search.iterations < 6_000:  # into the second one
            search.advance(100, math.inf)
            trajectory.append(search.current().tolist())
        trajectories.append(trajectory)
    assert trajectories[0] != trajectories[1]


@pytest.mark.parametrize(
    ("name", "value"),
    [("blink", 2), ("blink", "x"), ("blink", float("nan")), ("max_cycles", 2.5)],
)
def test_a_bad_value_is_refused(name: str, value: object) -> None:
    with pytest.raises(sr.InputError, match=f"^{name} is .*; it must be ") as caught:
        solve(**{name: value})
    assert caught.value.field == name
    assert caught.value.value is value


def test_contradicting_settings_are_refused() -> None:
    with pytest.raises(sr.InputError, match="min_neighbours must not be greater than") as caught:
        solve(min_neighbours=30)
    assert (caught.value.field, caught.value.value) == ("min_neighbours", 30)


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(sr.InputError, match="no option 'blinks'"):
        solve(blinks=0.1)
    with pytest.raises(sr.InputError, match="unknown setting 'blinks'; known: initial"):
        make_settings({"blinks": 0.1})


def test_they_are_options_of_the_engine() -> None:
    options = parse_options(
        "engine native", native.run, ["blink=0.02", "max_cycles=3", "threads=2"]
    )
    assert options == {"blink": 0.02, "max_cycles": 3, "threads": 2}
    with pytest.raises(sr.InputError, match="blink is 'x'; it must be a number"):
        parse_options("engine native", native.run, ["blink=x"])
