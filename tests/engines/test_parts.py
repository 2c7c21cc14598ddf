"""One search on several cores: cutting, merging, and the search in rounds."""

from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from typing import Any

import numpy as np
import pytest

import splitroute as sr
from splitroute import _core
from splitroute.core import Model, Visits
from splitroute.core.parts import cut, make_part, merge
from splitroute.engines import native
from splitroute.engines._parts import ROUNDS, PartedSearch
from splitroute.generate import random_instance
from splitroute.solution import cost as solution_cost
from splitroute.stop import Stop
from splitroute.validation import validate

INSTANCE = random_instance(90, low=0.1, high=0.9, seed=5)


def first_visits(model: Model) -> Visits:
    search = model.annealing(1, _core.Settings())
    search.start()
    return search.best()


def as_routes(visits: Visits) -> list[tuple[tuple[int, int], ...]]:
    rows = groupby(visits.tolist(), key=lambda row: row[0])
    return sorted(tuple((item, q) for _, item, q in group) for _, group in rows)


@pytest.mark.parametrize("offset", [0.0, 0.4, 2.7])
@pytest.mark.parametrize("count", [1, 2, 5])
def test_groups_are_whole_routes_of_about_equal_size(count: int, offset: float) -> None:
    visits = first_visits(Model(INSTANCE))
    groups = cut(visits, count, offset)
    assert as_routes(np.concatenate(groups)) == as_routes(visits)
    routes = [set(group[:, 0].tolist()) for group in groups]
    assert sum(map(len, routes)) == len(set.union(*routes))
    longest = max(len(route) for route in as_routes(visits))
    assert all(abs(len(group) - len(visits) / count) <= longest for group in groups)


def test_neighbouring_routes_are_together() -> None:
    model = Model(INSTANCE)
    halves = cut(first_visits(model), 2, 0.0)
    # Items are numbered along a space-filling curve.
    assert np.median(halves[0][:, 1]) < len(model.items) / 2 < np.median(halves[1][:, 1])


def test_moving_the_cut_changes_the_groups() -> None:
    visits = first_visits(Model(INSTANCE))
    assert len(cut(visits, 2, 0.0)[0]) > 0
    assert not np.array_equal(cut(visits, 2, 0.0)[0], cut(visits, 2, 0.5)[0])


def test_parts_have_the_quantities_of_their_routes_and_merge_again() -> None:
    model = Model(INSTANCE)
    visits = first_visits(model)
    parts = [make_part(model, group, 0) for group in cut(visits, 3, 0.3)]
    merged = merge([part.whole(part.visits) for part in parts])
    assert as_routes(merged) == as_routes(visits)
    assert np.all(np.diff(merged[:, 0]) >= 0)
    shared = set.intersection(*(set(part.items.tolist()) for part in parts[:2]))
    assert shared, "the test needs a customer that is served from two parts"


@pytest.mark.parametrize("rule", ["free", "none"])
def test_rounds_improve_and_are_reproducible(rule: str) -> None:
    instance = INSTANCE if rule == "free" else sr.split(INSTANCE, "none").to_cvrp()
    model = Model(instance)

    def run(slices: int) -> tuple[int, Visits]:
        with ThreadPoolExecutor(2) as executor:
            search = PartedSearch(model, 3, {}, executor, 2)
            search.start()
            first = search.best_cost
            search.set_budget(0.0, 1200)
            while search.iterations < 1200:
                search.advance(1200 // slices, 60.0)
            assert search.best_cost < first
            return search.best_cost, search.best()

    cost, visits = run(1)
    solution = model.solution(visits)
    assert not validate(instance, solution)
    assert model.length(cost) == pytest.approx(solution_cost(instance, solution), rel=1e-6)
    assert np.array_equal(visits, run(7)[1]), "slicing must not change the trajectory"


def test_the_search_ends_at_its_iterations() -> None:
    with ThreadPoolExecutor(2) as executor:
        search = PartedSearch(Model(INSTANCE), 1, {}, executor, 2)
        search.start()
        search.set_budget(0.0, 10 * ROUNDS + 3)
        for _ in range(10 * ROUNDS):
            search.advance(10**9, 60.0)
        # Beyond its budget it goes on at the final temperature.
        assert search.iterations >= 10 * ROUNDS + 3


VARIANTS: dict[str, tuple[sr.Instance, dict[str, Any]]] = {
    "split": (INSTANCE, {}),
    "whole": (INSTANCE, {"rule": "none"}),
    "limited fleet": (sr.Instance.create(
        INSTANCE.capacity, [c.demand for c in INSTANCE.customers], INSTANCE.places,
        vehicles=-(-sum(c.demand for c in INSTANCE.customers) // INSTANCE.capacity),
    ), {}),
    "matrix": (sr.Instance.create(
        INSTANCE.capacity, [c.demand for c in INSTANCE.customers], matrix=INSTANCE.table,
    ), {}),
}  # fmt: skip


@pytest.mark.parametrize("variant", VARIANTS)
def test_several_threads_search_large_instances_in_parts(
    variant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(native, "MIN_ITEMS", 60)
    monkeypatch.setattr(native, "MIN_PART_ITEMS", 20)
    instance, options = VARIANTS[variant]

    def solve(threads: int) -> sr.Result:
        stop = Stop(iterations=1000)
        return sr.solve(instance, stop=stop, threads=threads, seed=2, bound=0, **options)

    result = solve(3)  # validated
    assert result.solution == solve(3).solution
    start = result.solution
    improved = sr.solve(
        instance, stop=Stop(iterations=300), threads=3, start=start, bound=0, **options
    )
    assert improved.cost <= result.cost


def test_parts_under_a_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "MIN_ITEMS", 60)
    monkeypatch.setattr(native, "MIN_PART_ITEMS", 20)
    reports: list[sr.Progress] = []
    result = sr.solve(INSTANCE, stop=Stop(seconds=0.5), threads=2, bound=0, listener=reports.append)
    assert len(reports) > 3
    assert result.cost <= reports[0].cost


def test_parts_keep_to_the_cycles_of_the_settings() -> None:
    model = Model(INSTANCE)
    settings = {"cycle_iterations": 10}
    iterations = 45 * 3 * 70  # of each thread, which has half of the customers
    with ThreadPoolExecutor(2) as executor:
        search = PartedSearch(model, 1, settings, executor, 2)
        search.start()
        search.set_budget(0.0, iterations)
        cycles = set()
        while search.iterations < iterations:
            search.advance(iterations, 60.0)
            cycles.add(search.cycle)
    assert cycles == {0, 1, 2}
    assert not validate(INSTANCE, model.solution(search.best()))
