"""Column generation never gives a bound above the optimum, whatever the duals."""

import logging
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from highspy import HighsModelStatus

import splitroute as sr
from oracle import optimum, tiny_instance
from splitroute.bounds import bound as bounds
from splitroute.bounds import columns as columns_module
from splitroute.bounds import lower_bound
from splitroute.bounds.column_prices import RouteDuals, RoutePricer, in_largest_units
from splitroute.bounds.columns import ColumnGeneration, duals_of_edges
from splitroute.bounds.master import Master
from splitroute.bounds.network import Network
from splitroute.bounds.relaxation import Relaxation
from splitroute.milp import OUTCOMES
from splitroute.pass_through import with_shortest_paths
from statuses import inject


def generation(instance: sr.Instance, cutoff: float = np.inf) -> tuple[ColumnGeneration, float]:
    """Column generation from the solved relaxation over edges, and the bound of that."""
    network = Network.of(instance)
    relaxation = Relaxation(network)
    for round_ in range(20):
        assert relaxation.solve(10.0)
        if not relaxation.separate(round_) and not relaxation.price():
            break
    sets, duals = duals_of_edges(network, *relaxation.cuts_and_duals())
    columns = ColumnGeneration(network, sets, duals, cutoff / network.scale)
    return columns, relaxation.bound() * network.scale


def solve(columns: ColumnGeneration) -> float:
    found: list[float] = []

    def listen(value: float) -> bool:
        found.append(value)
        return False

    columns.run(lambda: 10.0, listen)
    return max(found)


def tiny_instances(seeds: range) -> Iterator[tuple[int, sr.Instance, float]]:
    """Seed, instance and optimum of those that have something to deliver."""
    for seed in seeds:
        instance = tiny_instance(seed)
        if Network.of(instance).size > 1:
            yield seed, instance, optimum(with_shortest_paths(instance)[0])


def test_bounds_of_500_random_instances_stay_below_the_optimum() -> None:
    stronger = 0
    for seed, instance, best in tiny_instances(range(1000, 1500)):
        columns, edges = generation(instance)
        value = solve(columns) * Network.of(instance).scale
        assert value <= best * (1 + 1e-9), seed
        stronger += value > edges + 1e-6 * best
    assert stronger > 0


@pytest.mark.parametrize("excess", [0.01, 0.05])
def test_edges_of_solutions_below_the_cutoff_are_kept(excess: float) -> None:
    excluded = 0
    for seed, instance, best in tiny_instances(range(2000, 2150)):
        network = Network.of(instance)
        columns, _ = generation(instance, best * (1 + excess))
        assert solve(columns) * network.scale <= best * (1 + 1e-9), seed
        excluded += columns.pricer.is_excluded.sum() > network.size
    assert excluded > 0


def test_wrong_duals_make_the_bound_weak_not_wrong() -> None:
    random = np.random.default_rng(1)
    for seed in range(1, 60, 2):
        instance = tiny_instance(seed)
        network = Network.of(instance)
        columns, _ = generation(instance)
        good = solve(columns)
        master, duals = columns.master, columns.best_duals
        best = optimum(with_shortest_paths(instance)[0]) / network.scale
        for spread in (0.01, 0.5, 3.0, 1e7):
            cover, quantity, cuts = (
                part * random.uniform(0.0, 1.0 + spread, part.shape)
                + random.choice([0.0, spread], part.shape)
                for part in (duals.cover, duals.quantity, duals.cuts)
            )
            wrong = RouteDuals(cover, quantity, cuts, duals.edges)
            priced = columns.pricer.price(master.sets, master.min_vehicles, wrong, 9, 10.0)
            assert priced.bound <= best * (1 + 1e-9)
            assert good <= best * (1 + 1e-9)


def test_any_duals_bound_500_random_instances() -> None:
    random = np.random.default_rng(7)
    useful = 0
    for seed in range(3000, 3500):
        instance = tiny_instance(seed)
        network = in_largest_units(Network.of(instance))
        n = network.size
        if n == 1:
            continue
        best = optimum(with_shortest_paths(instance)[0]) / network.scale
        sets = (random.random((3, n)) < 0.5) & (np.arange(n) > 0)
        sets = sets[sets.any(axis=1)]
        needs = network.min_vehicles(sets @ network.demands).astype(float)
        edges = np.triu(random.uniform(0, best / 9, (n, n)) * (random.random((n, n)) < 0.2), 1)
        edges[0] = 0.0
        prices = [random.uniform(0, best / n, n) for _ in range(2)]
        duals = RouteDuals(
            prices[0] * random.choice([0, 1, 2]),
            prices[1] * random.choice([0, 1, 2]) / np.maximum(1, network.demands),
            random.uniform(0, best / 9, len(sets)) * random.choice([0, 1]),
            (edges + edges.T) * random.choice([0, 1]),
        )
        priced = RoutePricer(network).price(sets, needs, duals, 9, 10.0)
        assert np.isfinite(priced.bound)
        assert priced.bound <= best * (1 + 1e-9), seed
        useful += priced.bound > best / 4
    assert useful > 20


@pytest.mark.parametrize("status", sorted({*HighsModelStatus.__members__} - {*OUTCOMES}))
def test_routes_are_found_despite_every_status(
    status: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    undisturbed, disturbed = (generation(tiny_instance(12))[0] for _ in range(2))
    value = solve(undisturbed)
    statuses = inject(monkeypatch, [status] * 2)
    assert solve(disturbed) == pytest.approx(value)
    assert not statuses


def test_duals_that_are_no_numbers_give_no_bound() -> None:
    network = in_largest_units(Network.of(tiny_instance(3)))
    n = network.size
    sets = np.empty((0, n), dtype=bool)
    for value in (np.nan, np.inf, 1e300):
        duals = RouteDuals(np.full(n, value), np.zeros(n), np.empty(0), np.zeros((n, n)))
        pricer = RoutePricer(network)
        assert pricer.price(sets, np.empty(0), duals, 9, 10.0).bound == -np.inf


def test_quantities_are_counted_in_the_largest_unit() -> None:
    network = Network.of(sr.Instance.create(100, [60, 90, 120], [(0, 0), (1, 0), (2, 0), (3, 1)]))
    reduced = in_largest_units(network)
    assert (reduced.capacity, reduced.demands.tolist()) == (10, [0, 6, 9, 12])
    odd = in_largest_units(replace(network, capacity=101))
    assert (odd.capacity, odd.demands.tolist()) == (101, [0, 60, 90, 120])


def test_a_capacity_too_large_for_pricing_is_logged(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    instance = sr.Instance.create(9_999_991, [2, 9_999_990, 3], [(0, 0), (1, 0), (2, 0), (3, 1)])
    with caplog.at_level(logging.INFO, "splitroute"):
        assert lower_bound(instance, 20.0).value > 0
    assert "capacity" in caplog.text


def test_limited_fleets() -> None:
    for seed in range(0, 60, 3):
        instance = tiny_instance(seed)
        least = -(-int(instance.demands.sum()) // instance.capacity)
        limited = replace(instance, vehicles=least)
        best = optimum(with_shortest_paths(instance)[0], least)
        columns, _ = generation(limited)
        assert solve(columns) * Network.of(limited).scale <= best * (1 + 1e-9), seed


def test_the_bound_never_falls_below_that_of_the_edges() -> None:
    instance = tiny_instance(12)
    _, edges = generation(instance)
    assert lower_bound(instance, 10.0).value >= edges * (1 - 1e-9)


class ScriptedRelaxation:
    """A relaxation whose bound is a function of the seconds; a round takes one second."""

    def __init__(self, value_at: Callable[[float], float]) -> None:
        self.network = Network.of(tiny_instance(12))
        self.network = replace(self.network, scale=1.0)
        self.seconds = 0.0
        self._value_at = value_at

    def solve(self, _: float) -> bool:
        self.seconds += 1
        return True

    def bound(self) -> float:
        return self._value_at(self.seconds)

    def separate(self, *_: object) -> int:
        return 1

    def price(self) -> int:
        return 1


@pytest.mark.parametrize(
    ("value_at", "ends"),
    [
        (lambda t: 1000 * t, (50, 51)),  # a steep rise goes on to half of the time
        (lambda t: 1e6 + t, (7, 15)),  # a flat one ends soon
        (lambda t: min(1e6, 1e5 * t), (13, 25)),  # and one that has become flat
        (lambda t: 10 * t, (50, 51)),  # the rise counts, also below another bound
    ],
)
def test_edges_leave_time_for_routes_once_their_bound_is_flat(
    value_at: Callable[[float], float], ends: tuple[float, float]
) -> None:
    relaxation = ScriptedRelaxation(value_at)

    class Progress:
        @property
        def elapsed(self) -> float:
            return relaxation.seconds

        @property
        def left(self) -> float:
            return 100 - relaxation.seconds

        def update(self, *_: object) -> bool:
            return False

    bounds._cut_and_price(relaxation, Progress(), seconds=100.0)  # type: ignore[arg-type]
    assert ends[0] <= relaxation.seconds <= ends[1]
    relaxation.seconds = 0.0
    bounds._cut_and_price(relaxation, Progress())  # type: ignore[arg-type]
    assert relaxation.seconds >= 99  # without routes to come, all of the time


def test_duals_are_attracted_closer_where_the_bound_stalls(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(columns_module, "STALLED_ROUNDS", 1)
    shrunk = 0
    for seed, instance, best in tiny_instances(range(1000, 1040)):
        columns, _ = generation(instance)
        margins: list[float] = []

        def attract(
            duals: RouteDuals, vehicle_dual: float, margin: float,
            master: Master = columns.master, margins: list[float] = margins,
        ) -> None:  # fmt: skip
            margins.append(margin)
            Master.attract_duals(master, duals, vehicle_dual, margin)

        monkeypatch.setattr(columns.master, "attract_duals", attract)
        assert solve(columns) * Network.of(instance).scale <= best * (1 + 1e-9), seed
        assert min(margins) >= columns_module.MIN_MARGIN
        shrunk += any(b < a for a, b in pairwise(margins))
    assert shrunk > 0
