"""Engines that break their contract are caught."""

import time
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import Any

import pytest

import splitroute as sr
from splitroute.engines import Capabilities, native
from splitroute.engines._sweep import sweep
from splitroute.errors import InputError
from splitroute.progress import Listener
from splitroute.solution import cost
from splitroute.testing import check_engine

numbers = count()


def plain(
    instance: sr.Instance,
    stop: sr.Stop,
    seed: int,
    start: sr.Solution | None,
    listener: Listener,
    /,
    **options: object,
) -> sr.Solution:
    """The smallest engine that keeps the contract."""
    if instance.splittable:
        raise InputError("cannot split")
    if stop.iterations is not None:
        raise InputError("cannot count iterations")
    solution = min(start or sweep(instance), sweep(instance), key=lambda s: cost(instance, s))
    listener(sr.Progress(0.0, 0, cost(instance, solution), solution))
    return solution


def test_the_smallest_engine() -> None:
    check_engine(plain)
    check_engine(plain, Capabilities(supports_warm_start=True))


def loses_a_customer(instance: sr.Instance, *rest: Any) -> sr.Solution:
    return sr.Solution(plain(instance, *rest).routes[1:])


def overloads(instance: sr.Instance, *_: Any) -> sr.Solution:
    return sr.Solution.unsplit(instance, [list(range(1, len(instance.customers) + 1))])


def fails(*_: Any) -> sr.Solution:
    raise ZeroDivisionError


def returns_routes(*arguments: Any) -> Any:
    return plain(*arguments).routes


def takes_any_instance(
    instance: sr.Instance, stop: sr.Stop, seed: int, start: Any, listener: Listener
) -> sr.Solution:
    if stop.iterations is not None:
        raise InputError("cannot count iterations")
    return sweep(instance)


def counts_no_iterations(instance: sr.Instance, stop: sr.Stop, *rest: Any) -> sr.Solution:
    return plain(instance, replace(stop, iterations=None, seconds=1.0), *rest)


def ignores_the_listener(instance: sr.Instance, stop: sr.Stop, *rest: Any) -> sr.Solution:
    solution = plain(instance, stop, *rest)
    if stop.target is None:
        time.sleep(stop.seconds or 0)
    return solution


def ignores_the_target(instance: sr.Instance, stop: sr.Stop, *rest: Any) -> sr.Solution:
    solution = plain(instance, stop, *rest)
    if stop.target is not None:
        time.sleep(stop.seconds or 0)
    return solution


def reports_a_wrong_cost(
    instance: sr.Instance, stop: sr.Stop, seed: int, start: Any, listener: Listener
) -> sr.Solution:
    solution = plain(instance, stop, seed, start, lambda progress: None)
    listener(sr.Progress(0.0, 0, 2 * cost(instance, solution) + 1, solution))
    return solution


def reports_rising_costs(
    instance: sr.Instance, stop: sr.Stop, seed: int, start: Any, listener: Listener
) -> sr.Solution:
    for value in (1.0, 2.0):
        listener(sr.Progress(0.0, 0, value))
    return plain(instance, stop, seed, start, listener)


def reports_something_invalid(
    instance: sr.Instance, stop: sr.Stop, seed: int, start: Any, listener: Listener
) -> sr.Solution:
    listener(sr.Progress(0.0, 0, 0.0, sr.Solution(())))
    return plain(instance, stop, seed, start, listener)


@pytest.mark.parametrize(
    ("engine", "contract"),
    [
        (loses_a_customer, "returns valid solutions: customer . receives 0"),
        (overloads, "returns valid solutions: route 1 carries"),
        (fails, "raises only InputError and EngineError: .* ZeroDivisionError"),
        (returns_routes, "returns a Solution, not tuple"),
        (takes_any_instance, "returns valid solutions"),
        (counts_no_iterations, "without `supports_iteration_limit` raises InputError"),
        (ignores_the_listener, "stops when it returns True"),
        (ignores_the_target, "no more than the target"),
        (reports_a_wrong_cost, "a reported cost is that of the solution"),
        (reports_rising_costs, "never rises"),
        (reports_something_invalid, "reports valid solutions"),
    ],
)
def test_a_broken_contract(engine: Callable[..., sr.Solution], contract: str) -> None:
    with pytest.raises(AssertionError, match=contract):
        check_engine(engine, seconds=0.01, stop_seconds=0.5)


def single_routes(instance: sr.Instance, stop: sr.Stop, *_: Any) -> sr.Solution:
    """Ignores its seed, its start and the number of vehicles."""
    order = list(range(1, len(instance.customers) + 1))
    shift = next(numbers) % len(order)
    return sr.Solution.unsplit(instance, [[c] for c in order[shift:] + order[:shift]])


def gets_worse(
    instance: sr.Instance, stop: sr.Stop, seed: int, start: sr.Solution | None, listener: Listener
) -> sr.Solution:
    customers = range(1, len(instance.customers) + 1)
    singles = sr.Solution.unsplit(instance, [[customer] for customer in customers])
    return singles if start is not None and len(start.routes) < len(customers) else sweep(instance)


def starts_anew(instance: sr.Instance, *_: Any) -> sr.Solution:
    """Ignores its start, so that it finds the same again from its own solution."""
    return sweep(instance)


@pytest.mark.parametrize(
    ("engine", "capabilities", "contract"),
    [
        (single_routes, Capabilities(supports_iteration_limit=True), "depends on the seed alone"),
        (
            gets_worse,
            Capabilities(supports_warm_start=True, supports_iteration_limit=True),
            "worse than the start",
        ),
        (
            starts_anew,
            Capabilities(supports_warm_start=True, supports_iteration_limit=True),
            "worse than the start",
        ),
        (
            plain,
            Capabilities(rules=frozenset({"window", "lot"})),
            "`rules` has 'window'; known: windows, ",
        ),
        (plain, Capabilities(splits=True), "declare"),
    ],
)
def test_a_capability_that_is_declared_but_missing(
    engine: Callable[..., sr.Solution], capabilities: Capabilities, contract: str
) -> None:
    with pytest.raises(AssertionError, match=contract):
        check_engine(engine, capabilities, seconds=0.01, stop_seconds=0.5)


def test_a_fleet_limit_that_is_not_kept() -> None:
    def ignores_vehicles(instance: sr.Instance, *rest: Any) -> sr.Solution:
        found = native.run(replace(instance, vehicles=None), *rest)
        if instance.vehicles is None:
            return found
        (first, *others) = found.routes
        visit, *visits = first.visits
        halves = (sr.Visit(visit.customer, 1), sr.Visit(visit.customer, visit.quantity - 1))
        routes = ((halves[0],), (halves[1], *visits))
        return sr.Solution((*map(sr.Route, routes), *others))

    with pytest.raises(AssertionError, match="vehicles"):
        check_engine(ignores_vehicles, native.CAPABILITIES)
