"""The instance on its way to the compiled core and back."""

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
def test_a_solution_survives_the_way_there_and_back(splittable: bool) -> None:
    instance = replace(random_instance(80, seed=3), splittable=splittable)
    model = Model(instance)
    solution = sweep(instance)
    assert model.solution(model.visits(solution)) == solution
    assert sorted(model.items) == list(range(1, 81))


def test_customers_near_each_other_have_near_numbers() -> None:
    instance = random_instance(2000, seed=1)
    xy = instance.xy[instance.sites]
    along = xy[Model(instance).items]
    step = np.hypot(*np.diff(along, axis=0).T).mean()
    assert step < 0.1 * np.hypot(*np.diff(xy, axis=0).T).mean()


def test_without_coordinates_customers_keep_their_order() -> None:
    matrix = np.array([[0.0, 1, 2], [1, 0, 3], [2, 3, 0]])
    instance = sr.Instance.create(demands=[1, 2], capacity=4, matrix=matrix)
    assert Model(instance).items == [1, 2]


@pytest.mark.parametrize(
    ("metric", "customers"), [("exact", 30), ("exact", 2500), ("haversine", 2500), ("dimacs", 30)]
)
def test_a_cost_of_the_core_is_the_cost(metric: Metric, customers: int) -> None:
    instance = random_instance(customers, seed=2)
    on_the_globe = tuple(Place(p.x / 2, p.y / 2) for p in instance.places)
    instance = replace(instance, metric=metric, places=on_the_globe)
    model = Model(instance)
    search = _core.Annealing(model.compiled, 1)
    search.start()
    found = cost(instance, model.solution(search.best()))
    assert model.length(search.best_cost) == pytest.approx(found, rel=1e-6)


@pytest.mark.parametrize("engine", ["native", "hybrid"])
def test_no_answer_has_visits_that_serve_nothing(engine: str) -> None:
    """Hot searches split without need; what they answer does not."""
    instance = random_instance(300, capacity=100, low=0.1, high=0.9, seed=4)
    answer = sr.solve(instance, engine=engine, stop=sr.Stop(iterations=3000)).solution
    assert without_redundant_visits(instance, answer).num_visits == answer.num_visits
    assert answer.num_visits - 300 < len(answer.routes), "no ring of splits is left"


def test_what_is_missing_is_put_in() -> None:
    instance = random_instance(300, seed=4)
    whole = sr.solve(instance, stop=sr.Stop(iterations=100)).solution
    part = sr.Solution(whole.routes[::3])
    assert not sr.validate(instance, completed(instance, part))
    assert set(completed(instance, whole).routes) == set(whole.routes)
