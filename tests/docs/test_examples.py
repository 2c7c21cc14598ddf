"""The examples of the documentation show what its text says."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import splitroute as sr
from conftest import ROOT

STOP = sr.Stop(iterations=4000)


def read(name: str, **tables: str) -> sr.Instance:
    paths: dict[str, Any] = {k: ROOT / "examples" / file for k, file in tables.items()}
    return sr.read(ROOT / "examples" / name, **paths)


def bakeries() -> sr.Instance:
    return read("bakeries.csv")


def fuel() -> sr.Instance:
    return read("fuel.csv")


def feed() -> sr.Instance:
    return read("feed.csv", fleet="feed-fleet.csv")


def drinks() -> sr.Instance:
    return read("drinks.csv", fleet="drinks-fleet.csv", depots="drinks-depots.csv")


def pellets() -> sr.Instance:
    return read("pellets.csv", fleet="pellets-fleet.csv")


def solve(instance: sr.Instance, **how: Any) -> sr.Result:
    return sr.solve(instance, stop=STOP, bound=0, **how)


@pytest.mark.parametrize(
    ("example", "rules", "saving"),
    [
        (bakeries, {"windows", "service", "service_per_unit"}, 0.08),
        (fuel, {"min_drop"}, 0.15),
        (drinks, {"fleet", "depots", "depot_windows"}, 0.12),
        (pellets, {"fixed_cost", "max_trips", "shift", "loading"}, 0.10),
    ],
)
def test_splitting_saves(
    example: Callable[[], sr.Instance], rules: set[str], saving: float
) -> None:
    instance = example()
    assert rules <= instance.rules
    assert solve(instance).cost < (1 - saving) * solve(instance, rule="none").cost


def test_without_splitting_the_large_trucks_are_too_few() -> None:
    instance = feed()
    assert {"fleet", "lot", "vehicle_types"} <= instance.rules
    result = solve(instance)
    assert {v.quantity % 3 for route in result.solution.routes for v in route.visits} == {0}
    unsplit = solve(replace(instance, partial=True), rule="none").solution
    delivered = sum(route.load for route in unsplit.routes)
    assert delivered < 0.7 * sum(customer.demand for customer in instance.customers)


def test_two_depots_are_better_than_one() -> None:
    instance = drinks()
    alone = [replace(kind, count=24) for kind in instance.fleet]
    costs = [solve(replace(instance, fleet=(kind,))).cost for kind in alone]
    assert solve(instance).cost < 0.9 * min(costs)


def test_further_trips_save_vehicles() -> None:
    instance = pellets()
    routes = solve(instance).solution.routes
    assert len({route.vehicle for route in routes}) < len(routes) / 2
