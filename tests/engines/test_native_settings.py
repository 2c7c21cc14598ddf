"""The settings of the core are options of the native engine."""

import math

import pytest

import splitroute as sr
from conftest import ROOT
from splitroute import _core
from splitroute.core import Model
from splitroute.core.settings import SETTINGS, make_settings
from splitroute.engines import native
from splitroute.generate import random_instance
from splitroute.registry import parse_options
from splitroute.stop import Stop

INSTANCE = random_instance(40, low=0.1, high=0.9, seed=2)


def solve(**options: object) -> sr.Result:
    return sr.solve(INSTANCE, stop=Stop(iterations=300), bound=0, **options)  # type: ignore[arg-type]


def test_the_type_stub_lists_every_setting() -> None:
    stub = (ROOT / "src/splitroute/_core.pyi").read_text()
    assert [name for name in SETTINGS if f"    {name}: " not in stub] == []


def test_defaults_change_nothing() -> None:
    assert solve(**SETTINGS).solution == solve().solution


# Settings of cooling cycles show only after several of them, and where there is a route to close.
CYCLES = {"cycle_iterations", "recombination_probability", "close_routes"}
# Large ruins differ from others only where routes are long.
LONG_ROUTES = {"large_ruin_probability", "max_large_string_length"}
LOWER = {"max_moves": 11, "max_large_string_length": 7, "recombination_probability": 0}
HARD = random_instance(30, low=0.6, high=0.9, layout="clustered", seed=3)


@pytest.mark.parametrize("name", SETTINGS)
def test_each_has_a_docstring_and_an_effect(name: str) -> None:
    assert vars(_core.Settings)[name].__doc__.endswith(".")
    customers = 90 if name == "probes" else 20  # probes are for larger instances
    high = 0.1 if name in LONG_ROUTES else 0.2
    easy = random_instance(customers, low=0.02, high=high, seed=2)
    model = Model(HARD if name in CYCLES else easy)
    default, trajectories = SETTINGS[name], []
    # Enough for two cooling cycles, and into the second one; or for many.
    budget, end = (125_000, 125_000) if name in CYCLES else (14_000, 9_000)
    for value in (default, LOWER.get(name, default / 2)):
        settings = make_settings({name: type(default)(value)})
        search = _core.Annealing(model.compiled, 1, settings)
        search.set_budget(0, budget)
        search.start()
        trajectory = []
        while search.iterations < end:
            search.advance(end // 60, math.inf)
            trajectory.append(search.current().tolist())
        trajectories.append(trajectory)
    assert trajectories[0] != trajectories[1]


@pytest.mark.parametrize(
    ("name", "value"),
    [("blink", 2), ("blink", "x"), ("blink", float("nan")), ("max_moves", 2.5)],
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
        "engine native", native.run, ["blink=0.02", "max_moves=12", "threads=2"]
    )
    assert options == {"blink": 0.02, "max_moves": 12, "threads": 2}
    with pytest.raises(sr.InputError, match="blink is 'x'; it must be a number"):
        parse_options("engine native", native.run, ["blink=x"])
