"""Lower bounds are never above the optimum, and meet it on small instances."""

import json
import math
import os
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import splitroute as sr
from oracle import optimum
from splitroute.allocation import quantities
from splitroute.bounds import background, lower_bound
from splitroute.bounds.background import THREAD_NAME
from splitroute.bounds.chains import blocked_chains
from splitroute.bounds.exact import _flow
from splitroute.bounds.network import Network
from splitroute.bounds.radial import radial_bound
from splitroute.bounds.relaxation import Relaxation
from splitroute.bounds.walks import walks_of
from splitroute.errors import InputError
from splitroute.generate import random_instance, set1
from splitroute.pass_through import with_shortest_paths


def tiny(seed: int, most: int = 7) -> sr.Instance:
    """Some have demands above the capacity; where distances are rounded, passing is allowed."""
    draw = np.random.default_rng(seed)
    count, capacity = int(draw.integers(1, most + 1)), int(draw.integers(4, 20))
    largest = int(capacity * draw.choice([0.6, 1.0, 2.5]))
    demands = draw.integers(1, largest + 1, count).tolist()
    places = draw.integers(0, 50, (count + 1, 2)).astype(float).tolist()
    metric = ("exact", "dimacs")[seed % 2]
    made = sr.Instance.create(capacity, demands, places, metric=metric)  # type: ignore[arg-type]
    return replace(made, pass_through=metric == "dimacs")


@pytest.mark.parametrize("hundred", [1, 2])
def test_the_oracle_the_bound_and_the_search_agree(hundred: int) -> None:
    for seed in range(100 * hundred, 100 * hundred + 100):
        instance = tiny(seed)
        best = optimum(with_shortest_paths(instance)[0])
        found = sr.solve(instance, stop=sr.Stop(iterations=3000))
        assert found.cost == pytest.approx(best, rel=1e-9), seed
        bound = lower_bound(instance, 60.0, best=found.solution)
        assert bound.value <= best * (1 + 1e-9), seed
        assert bound.reached(best), seed


def test_a_bound_needs_no_solution() -> None:
    for seed in range(40):
        instance = tiny(seed)
        best = optimum(with_shortest_paths(instance)[0])
        assert radial_bound(instance) <= lower_bound(instance, 60.0).value <= best * (1 + 1e-9)


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_optima_of_set_1_are_proven(number: int) -> None:
    instance = set1(number)
    found = sr.solve(instance, stop=sr.Stop(iterations=20_000), bound=120.0)
    assert found.optimal
    assert found.gap <= 1e-6
    assert found.bound_trace == tuple(sorted(found.bound_trace))


def test_a_better_solution_is_found_where_there_is_one() -> None:
    better = 0
    for seed in range(60):
        instance = tiny(seed)
        poor = sr.Solution(
            tuple(
                sr.Route((sr.Visit(k, part),))
                for k, customer in enumerate(instance.customers, 1)
                for part in _parts(customer.demand, instance.capacity)
            )
        )
        bound = lower_bound(instance, 60.0, best=poor)
        if bound.solution is not None:
            assert not sr.validate(instance, bound.solution)
            assert bound.reached(optimum(with_shortest_paths(instance)[0]))
            better += 1
    assert better > 10


def _parts(demand: int, capacity: int) -> list[int]:
    return [capacity] * (demand // capacity) + ([demand % capacity] if demand % capacity else [])


def test_prices_of_any_kind_give_a_bound() -> None:
    """What the solver answers is not trusted: with wrong prices the bound is weak, not wrong."""
    draw = np.random.default_rng(1)
    for seed in range(0, 40, 2):
        instance = tiny(seed)
        relaxation = Relaxation(Network.of(instance))
        assert relaxation.solve(10.0)
        relaxation.separate(1)
        relaxation.solve(10.0)
        scale = relaxation.network.scale
        good = relaxation.bound() * scale
        relaxation._prices = relaxation._prices * draw.uniform(0.5, 1.5, len(relaxation._prices))
        relaxation._rents = relaxation._rents * draw.uniform(0.0, 2.0, len(relaxation._rents))
        assert relaxation.bound() * scale <= optimum(instance) * (1 + 1e-9)
        assert good <= optimum(instance) * (1 + 1e-9)


def test_one_way_streets_and_zero_demands() -> None:
    matrix = [[0, 3, 9, 4], [8, 0, 2, 7], [1, 6, 0, 5], [4, 7, 5, 0]]
    instance = sr.Instance.create(5, [4, 3, 0], matrix=matrix)
    best = optimum(instance)
    assert 0 < lower_bound(instance, 10.0).value <= best


@pytest.mark.parametrize("demands", [[], [0, 0]])
def test_nothing_to_deliver_costs_nothing(demands: list[int]) -> None:
    places = [(0.0, 0.0), (1.0, 1.0), (2.0, 0.0)][: len(demands) + 1]
    instance = sr.Instance.create(5, demands, places)
    result = sr.solve(instance, stop=sr.Stop(iterations=10), bound=1.0)
    assert (result.bound, result.gap, result.optimal) == (0.0, 0.0, True)


@pytest.mark.parametrize("seconds", [0.0, -1.0, math.nan])
def test_the_time_is_above_0(seconds: float) -> None:
    with pytest.raises(InputError, match="number of seconds above 0"):
        lower_bound(set1(1), seconds)


def test_it_stops_when_asked_to() -> None:
    told: list[float] = []

    def listen(seconds: float, value: float) -> bool:
        told.append(value)
        return len(told) == 3

    began = time.perf_counter()
    lower_bound(set1(9), 600.0, told=listen)
    assert len(told) == 3
    assert time.perf_counter() - began < 300


def test_every_result_has_a_bound(square: sr.Instance) -> None:
    result = sr.solve(square, stop=sr.Stop(iterations=100))
    assert 0 < result.bound <= result.cost
    assert result.metadata()["gap"] == result.gap


def test_progress_has_both(square: sr.Instance) -> None:
    told: list[sr.Progress] = []
    result = sr.solve(square, stop=sr.Stop(seconds=30), bound=30.0, listener=told.append)
    assert result.optimal
    if len(os.sched_getaffinity(0)) > 1:
        assert result.seconds < 20, "the search stops when bound and cost meet"
    assert max(p.bound for p in told) <= result.cost


def test_quantities_are_moved_on_to_where_there_is_room() -> None:
    demands = {1: 10, 2: 10, 3: 10}
    carried = quantities(10, demands, [[1, 2], [2, 3], [1]])
    assert carried is not None
    assert [sum(c.values()) for c in carried] == [10, 10, 10]
    assert quantities(10, demands, [[1, 2], [2, 3]]) is None
    assert quantities(10, demands, [[1, 2], [1, 2], [1, 2]]) is None


def test_a_flow_falls_apart_into_walks() -> None:
    instance = sr.Instance.create(10, [6, 8, 6], [(0, 0), (1, 0), (2, 0), (3, 0)])
    network = Network.of(instance)
    flow = np.zeros((4, 4))
    for a, b in [(0, 1), (1, 2), (2, 0), (0, 2), (2, 3), (3, 0)]:
        flow[a, b] += 1
        flow[b, a] += 1
    walks = walks_of(network, flow)
    assert walks is not None
    assert sorted(sorted(set(w)) for w in walks) == [[1, 2], [2, 3]]
    island = flow.copy()
    island[0] = island[:, 0] = 0.0
    assert walks_of(network, island) is None


def test_the_commands(run: Callable[..., Any], tmp_path: Path) -> None:
    sr.write(set1(2), path := tmp_path / "SD2.json")
    done = run("bound", path, "--time", 30, "--json")
    answer = json.loads(done.stdout)
    assert set(answer) == {"bound", "optimal", "cost", "gap", "seconds"}
    assert answer["optimal"]
    assert answer["bound"] <= answer["cost"] + 1e-6
    done = run("solve", path, "--time", 2, "--bound", 60, "--json")
    answer = json.loads(done.stdout)
    assert answer["optimal"]
    assert answer["gap"] == pytest.approx(0.0, abs=1e-6)
    assert "optimal" in run("bound", path, "--time", 30).stdout
    assert "bound is -1.0" in run("solve", path, "--bound", -1).stderr


def test_the_picture_of_both_curves(run: Callable[..., Any], tmp_path: Path) -> None:
    sr.write(set1(1), path := tmp_path / "SD1.json")
    picture = tmp_path / "convergence.svg"
    done = run("solve", path, "--time", 1, "--bound", 5, "--plot-convergence", picture)
    assert done.exit_code == 0, done.stderr
    assert picture.read_text().startswith("<?xml")
    assert "unknown plot format '.bmp'" in run("solve", path, "--plot-convergence", "x.bmp").stderr


def test_a_chain_that_nobody_can_drive_on_from_is_blocked() -> None:
    """Customer 4 is visited twice; of the four chains that meet there no two fit on a vehicle."""
    places = [(0, 0), (1, 2), (2, 2), (1, -2), (2, 0), (2, -2)]
    instance = sr.Instance.create(10, [6, 7, 8, 2, 9], places)
    network = Network.of(instance)
    flow = np.zeros((6, 6))
    for a, b in [(0, 1), (1, 4), (4, 3), (3, 0), (0, 2), (2, 4), (4, 5), (5, 0)]:
        flow[a, b] += 1
        flow[b, a] += 1
    assert walks_of(network, flow) is None
    reasons = blocked_chains(network, flow)
    assert reasons
    for reason in reasons:
        assert reason.edges <= {(1, 4), (3, 4), (2, 4), (4, 5)}
        assert reason.visits[4] == 2


def test_nothing_is_blocked_where_there_are_routes() -> None:
    for seed in range(0, 80, 2):
        instance = tiny(seed)
        network = Network.of(instance)
        solution = sr.solve(instance, stop=sr.Stop(iterations=300)).solution
        node_of = {int(c): k for k, c in enumerate(network.customers)}
        flow = np.zeros((network.size, network.size))
        for route in solution.routes:
            stops = [0, *(node_of[v.customer] for v in route.visits), 0]
            for a, b in pairwise(stops):
                flow[a, b] += 1
                flow[b, a] += 1
        assert walks_of(network, flow) is not None
        assert blocked_chains(network, flow) == []


def test_all_ways_are_tried_before_a_flow_is_given_up() -> None:
    """Full vehicles and many splits: a flow of a valid solution is always taken apart again."""
    for seed in range(30):
        draw = np.random.default_rng(seed)
        count = 8
        demands = draw.integers(6, 10, count)
        demands[0] += -int(demands.sum()) % 10  # so that every vehicle is full
        places = draw.uniform(0, 99, (count + 1, 2)).tolist()
        instance = sr.Instance.create(10, demands.tolist(), places)
        network = Network.of(instance)
        solution = sr.solve(instance, stop=sr.Stop(iterations=500), seed=seed).solution
        flow = _flow(network, [[v.customer for v in r.visits] for r in solution.routes])
        walks = walks_of(network, flow)
        assert walks is not None
        assert np.array_equal(_flow(network, walks), flow)


def test_no_row_for_chains_cuts_off_a_solution() -> None:
    """Four chains meet at customer 1; whatever that rules out, no valid solution is."""
    rows = 0
    for seed in range(80):
        draw = np.random.default_rng(seed)
        count = int(draw.integers(5, 9))
        demands = draw.integers(2, 9, count).tolist()
        places = draw.uniform(0, 99, (count + 1, 2)).tolist()
        instance = sr.Instance.create(10, demands, places)
        network = Network.of(instance)
        valid = [
            _flow(network, [[v.customer for v in route.visits] for route in found.routes])
            for k in range(6)
            if (found := sr.solve(instance, stop=sr.Stop(iterations=4), seed=k).solution)
        ]
        for _ in range(6):
            others = (draw.permutation(count - 1) + 2).tolist()
            cuts = sorted(draw.choice(np.arange(1, count - 1), 3, replace=False).tolist())
            a, b, c, d = (others[i:j] for i, j in pairwise([0, *cuts, count - 1]))
            for reason in blocked_chains(network, _flow(network, [[*a, 1, *b], [*c, 1, *d]])):
                rows += 1
                for flow in valid:
                    slack = sum(1 - flow[edge] for edge in reason.edges)
                    slack += sum(flow[v].sum() / 2 - k for v, k in reason.visits.items())
                    assert slack >= 1
    assert rows > 50


@pytest.mark.parametrize("scale", [1e-7, 1e-3, 1e6])
def test_the_size_of_the_distances_does_not_matter(scale: float) -> None:
    for seed in range(0, 30, 2):
        made = tiny(seed)
        places = [(x * scale, y * scale) for x, y in made.places]
        demands = [c.demand for c in made.customers]
        instance = sr.Instance.create(made.capacity, demands, places)
        found = sr.solve(instance, stop=sr.Stop(iterations=2000))
        bound = lower_bound(instance, 30.0, best=found.solution)
        assert bound.value <= optimum(made) * scale * (1 + 1e-9)
        assert bound.reached(found.cost)


def test_whole_distances_give_whole_bounds() -> None:
    matrix = (np.array([[0, 3, 4, 5], [3, 0, 2, 4], [4, 2, 0, 3], [5, 4, 3, 0]]) * 10**7).tolist()
    instance = sr.Instance.create(5, [4, 3, 2], matrix=matrix)
    bound = lower_bound(instance, 10.0).value
    assert bound == int(bound)
    assert bound <= optimum(instance)


def test_an_instance_that_must_not_be_split_stays_whole() -> None:
    instance = replace(set1(1), splittable=False)
    result = sr.solve(instance, stop=sr.Stop(iterations=500), bound=5.0)
    assert not result.solution.split_customers()
    assert 0.9 * result.cost < result.bound <= result.cost


def test_the_rule_that_was_asked_for_stays_the_rule() -> None:
    told: list[sr.Progress] = []
    stop = sr.Stop(iterations=30_000)
    result = sr.solve(set1(2), rule="none", stop=stop, bound=10.0, listener=told.append)
    assert not result.solution.split_customers()
    assert max(p.iterations for p in told) >= 30_000, "nor does an answer of another end the search"


def test_demands_of_many_loads_are_no_problem() -> None:
    instance = sr.Instance.create(10, [1500, 700, 33], [(0, 0), (3, 4), (5, 1), (2, 2)])
    result = sr.solve(instance, stop=sr.Stop(iterations=50), bound=3.0)
    assert 0.99 * result.cost < result.bound <= result.cost


def test_one_vehicle_for_two_clusters_has_to_cross() -> None:
    """What it needs for that is not among the nearest neighbours."""
    draw = np.random.default_rng(1)
    clusters = [draw.uniform(0, 1, (16, 2)) + corner for corner in ([100, 0], [0, 100])]
    places = [(0.0, 0.0), *np.concatenate(clusters).tolist()]
    instance = sr.Instance.create(32, [1] * 32, places, vehicles=1)
    assert lower_bound(instance, 60.0).value > 100 + 100 * 2**0.5 + 100


def test_a_bound_that_is_no_better_was_computed_all_the_same() -> None:
    result = sr.solve(random_instance(1600, seed=1), stop=sr.Stop(iterations=10), bound=1.0)
    assert result.bound_seconds > 0
    assert result.bound_trace


def test_on_one_core_the_bound_comes_after_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "available_cores", lambda: 1)
    result = sr.solve(set1(3), stop=sr.Stop(iterations=20_000), bound=20.0)
    assert result.bound_trace[0][0] >= result.trace[-1][0]


def test_the_thread_ends_with_the_search() -> None:
    def fail(progress: sr.Progress) -> bool:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        sr.solve(set1(9), stop=sr.Stop(seconds=60), bound=600.0, listener=fail)
    assert THREAD_NAME not in {thread.name for thread in threading.enumerate()}


def test_waiting_for_the_bound_can_be_ended() -> None:
    def listen(progress: sr.Progress) -> bool:
        return progress.seconds > 1.0

    began = time.perf_counter()
    sr.solve(set1(9), stop=sr.Stop(iterations=50), bound=600.0, listener=listen)
    assert time.perf_counter() - began < 120


@pytest.mark.parametrize("seconds", [-1.0, math.nan, math.inf])
def test_a_time_that_is_none_is_refused_before_the_search(seconds: float) -> None:
    told: list[sr.Progress] = []
    with pytest.raises(InputError, match="number of seconds of at least 0"):
        sr.solve(set1(1), bound=seconds, listener=told.append)
    assert told == []


def test_a_best_that_is_not_valid_is_refused() -> None:
    with pytest.raises(InputError, match="the best is not a valid solution"):
        lower_bound(set1(1), 1.0, best=sr.Solution((sr.Route((sr.Visit(99, 1),)),)))
