"""Instances with a limited fleet."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import splitroute as sr
from oracle import optimum
from splitroute.bounds import lower_bound
from splitroute.errors import InputError


def tight(seed: int) -> sr.Instance:
    """As few vehicles as can carry the demands, most of them above half the capacity."""
    draw = np.random.default_rng(seed)
    count, capacity = int(draw.integers(2, 8)), int(draw.integers(4, 20))
    demands = draw.integers(capacity // 2, int(1.3 * capacity) + 1, count).tolist()
    places = [(25.0, 25.0), *draw.integers(0, 50, (count, 2)).astype(float).tolist()]
    vehicles = -(-sum(demands) // capacity)
    return sr.Instance.create(capacity, demands, places, vehicles=vehicles)


def test_oracle_bound_and_search_agree_on_a_bounded_fleet() -> None:
    binding = 0
    for seed in (*range(40), 58, 86, 87):  # of the last ones, all have a limit that binds
        instance = tight(seed)
        best = optimum(instance, instance.vehicles)
        binding += best > optimum(instance) * (1 + 1e-9)
        found = sr.solve(instance, stop=sr.Stop(iterations=3000))
        assert found.cost == pytest.approx(best, rel=1e-9), seed
        bound = lower_bound(instance, 60.0, best=found.solution)
        assert bound.value <= best * (1 + 1e-9), seed
        assert bound.reached(best), seed
    assert binding >= 5, "the limit must bind in some instances"


def test_large_instances_respect_the_limit() -> None:
    draw = np.random.default_rng(1)
    demands = draw.integers(30, 90, 150).tolist()
    places = draw.uniform(0, 1000, (151, 2)).tolist()
    vehicles = -(-sum(demands) // 100)
    instance = sr.Instance.create(100, demands, places, vehicles=vehicles)
    for threads in (1, 2):
        found = sr.solve(instance, stop=sr.Stop(iterations=2000), threads=threads)
        assert len(found.solution.routes) == vehicles


def test_one_route_too_many_is_a_violation() -> None:
    instance = sr.Instance.create(10, [4, 4], [(0, 0), (1, 0), (2, 0)], vehicles=1)
    two = sr.Solution((sr.Route((sr.Visit(1, 4),)), sr.Route((sr.Visit(2, 4),))))
    (violation,) = sr.validate(instance, two)
    assert violation.message == "2 routes, but vehicles is 1"
    with pytest.raises(InputError, match="start is not a valid solution"):
        sr.solve(instance, start=two)


@pytest.mark.parametrize(
    ("vehicles", "message"),
    [
        (0, "it must be a whole number from 1"),
        (1.5, "it must be a whole number from 1"),
        (1, "1 vehicle carries 10; the total demand is 14, which needs at least 2"),
    ],
)
def test_a_fleet_that_is_too_small_is_refused(vehicles: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        sr.Instance.create(10, [7, 7], [(0, 0), (1, 0), (2, 0)], vehicles=vehicles)


@pytest.mark.parametrize("options", [{"rule": "pasa"}, {"engine": "rtr"}, {"rule": "none"}])
def test_rules_and_engines_without_a_fleet_limit_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(InputError, match='vehicles needs rule="free"'):
        sr.solve(tight(1), **options)


def test_the_baseline_may_use_more_vehicles() -> None:
    instance = sr.Instance.create(10, [6, 8, 6], [(0, 0), (9, 1), (9, 0), (9, -1)], vehicles=2)
    found = sr.solve(instance, stop=sr.Stop(iterations=500), baseline=True)
    assert len(found.solution.routes) == 2
    assert found.unsplit_cost is not None


@pytest.mark.parametrize("suffix", [".json", ".vrp", ".csv"])
def test_files_keep_the_limit(tmp_path: Path, suffix: str) -> None:
    instance = tight(3)
    sr.write(instance, path := tmp_path / f"it{suffix}")
    assert sr.read(path).vehicles == instance.vehicles


def test_a_format_that_cannot_hold_the_limit_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot hold a number of vehicles"):
        sr.write(tight(3), tmp_path / "it.txt")


def test_a_csv_with_an_invalid_limit_is_refused(tmp_path: Path) -> None:
    sr.write(tight(3), path := tmp_path / "it.csv")
    path.write_text(path.read_text().replace("# vehicles: ", "# vehicles: x"))
    with pytest.raises(InputError, match=r"it\.csv:\d: vehicles is x"):
        sr.read(path)


def test_the_command_has_an_option_for_it(run: Callable[..., Any], tmp_path: Path) -> None:
    sr.write(tight(3), path := tmp_path / "it.json")
    vehicles = tight(3).vehicles
    assert vehicles is not None
    done = run("solve", path, "--iterations", 500, "--vehicles", vehicles + 1, "--json")
    assert len(json.loads(done.stdout)["routes"]) <= vehicles + 1
    refused = run("solve", path, "--vehicles", vehicles - 1)
    assert refused.exit_code == 2
    assert "which needs at least" in refused.stderr
