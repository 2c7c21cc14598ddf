"""Conversion of instances and solutions to and from the compiled core."""

from dataclasses import replace

import numpy as np
import pytest

import splitroute as sr
from splitroute import _core
from splitroute.core import Model, completed, without_redundant_visits
from splitroute.distances import Metric
from splitroute.engines._sweep import sweep
from splitroute.generate import random_instance
from splitroute.instance import Place
from splitroute.solution import cost


@pytest.mark.parametrize("splittable", [True, False])
def test_a_solution_survives_conversion(splittable: bool) -> None:
    instance = replace(random_instance(80, seed=3), splittable=splittable)
    model = Model(instance)
    solution = sweep(instance)
    assert model.solution(model.visits(solution)) == solution
    assert sorted(model.items) == list(range(1, 81))


def test_neighbours_have_similar_numbers() -> None:
    instance = random_instance(2000, seed=1)
    xy = instance.xy[instance.sites]
    along = xy[Model(instance).items]
    step = np.hypot(*np.diff(along, axis=0).T).mean()
    assert step < 0.1 * np.hypot(*np.diff(xy, axis=0).T).mean()


def test_without_coordinates_the_order_stays() -> None:
    matrix = np.array([[0.0, 1, 2], [1, 0, 3], [2, 3, 0]])
    instance = sr.Instance.create(demands=[1, 2], capacity=4, matrix=matrix)
    assert Model(instance).items == [1, 2]


@pytest.mark.parametrize(
    ("metric", "customers"), [("exact", 30), ("exact", 2500), ("haversine", 2500), ("dimacs", 30)]
)
def test_the_cost_of_the_core_is_that_of_the_instance(metric: Metric, customers: int) -> None:
    instance = random_instance(customers, seed=2)
    places = tuple(Place(p.x / 10, p.y / 10) for p in instance.places)  # on the globe
    instance = replace(instance, metric=metric, places=places)
    model = Model(instance)
    search = _core.Annealing(model.compiled, 1)
    search.start()
    found = cost(instance, model.solution(search.best()))
    assert model.length(search.best_cost) == pytest.approx(found, rel=1e-6)


@pytest.mark.parametrize("engine", ["native", "hybrid"])
def test_solutions_have_no_redundant_visits(engine: str) -> None:
    """At high temperatures searches split without need."""
    instance = random_instance(300, capacity=100, low=0.1, high=0.9, seed=4)
    solution = sr.solve(instance, engine=engine, stop=sr.Stop(iterations=3000)).solution
    assert without_redundant_visits(instance, solution).num_visits == solution.num_visits
    assert solution.num_visits - 300 < len(solution.routes), "no cycle of splits is left"


def test_unserved_demand_is_inserted() -> None:
    instance = random_instance(300, seed=4)
    whole = sr.solve(instance, stop=sr.Stop(iterations=100)).solution
    part = sr.Solution(whole.routes[::3])
    assert not sr.validate(instance, completed(instance, part))
    assert set(completed(instance, whole).routes) == set(whole.routes)
