"""A program of somebody else, whose types must be known: mypy and pyright check it strictly."""

from __future__ import annotations

from pathlib import Path
from typing import assert_type

import splitroute as sr
from splitroute.engines import Capabilities
from splitroute.testing import check_engine, check_rule


def read(path: Path) -> sr.Instance:
    instance = sr.read(path, capacity=80)
    assert_type(instance.capacity, int)
    assert_type(instance.customers[0].id, str)
    return instance


def build() -> sr.Instance:
    model = sr.Model("bakery")
    model.add_depot(lat=53.55, lon=10.0)
    truck = model.add_vehicle_type(120, type="truck")
    model.add_customer(lat=53.54, lon=9.97, demand=54, vehicle_types=[truck])
    return model.instance()


def solve(instance: sr.Instance) -> list[tuple[str, int]]:
    def listener(progress: sr.Progress) -> bool:
        assert_type(progress.solution, sr.Solution | None)
        return progress.cost < 100

    result = sr.solve(instance, stop=sr.Stop(seconds=1), seed=1, listener=listener)
    assert_type(result, sr.Result)
    assert_type(result.cost, float)
    assert_type(result.solution.routes, tuple[sr.Route, ...])
    assert_type(sr.lower_bound(instance), sr.Bound)
    result.save("visits.csv")
    return [
        (instance.customers[visit.customer - 1].id, visit.quantity)
        for route in result.solution.routes
        for visit in route.visits
    ]


async def solve_async(instance: sr.Instance) -> sr.Result:
    try:
        return await sr.solve_async(instance)
    except sr.InputError as error:
        assert_type(error.field, str | None)
        raise


def rule(instance: sr.Instance) -> sr.SplitPlan:
    return sr.split(instance, "coins")


def engine(
    instance: sr.Instance, stop: sr.Stop, seed: int, start: sr.Solution | None, listener: object
) -> sr.Solution:
    return start or sr.Solution(())


def check() -> None:
    check_rule(rule)
    check_engine(engine, Capabilities())
    assert_type(sr.__version__, str)
