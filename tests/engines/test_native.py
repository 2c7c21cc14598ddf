"""The search of our own: exact on tiny instances, steady, and never worse than where it starts."""

import math
from functools import cache
from itertools import permutations, product
from types import SimpleNamespace
from typing import Any

import pytest

import splitroute as sr
from splitroute import _core
from splitroute.core import SETTINGS, Model, settings_with
from splitroute.engines import native
from splitroute.generate import random_instance, set1
from splitroute.registry import parse_options
from splitroute.solution import cost
from splitroute.stop import Stop


def optimum(instance: sr.Instance) -> float:
    """The cost of the best split solution, by trying everything."""
    demands = tuple(c.demand for c in instance.customers)
    capacity = instance.capacity

    @cache
    def tour(who: tuple[int, ...]) -> float:
        return min(
            sum(instance.distance(a, b) for a, b in zip((0, *way), (*way, 0), strict=True))
            for way in permutations(who)
        )

    @cache
    def rest(left: tuple[int, ...]) -> float:
        if not any(left):
            return 0.0
        # Some vehicle serves the first customer that still wants something.
        first = next(k for k, amount in enumerate(left) if amount)
        best = float("inf")
        for load in product(*(range(amount + 1) for amount in left)):
            if not load[first] or sum(load) > capacity:
                continue
            who = tuple(k + 1 for k, amount in enumerate(load) if amount)
            after = tuple(a - b for a, b in zip(left, load, strict=True))
            best = min(best, tour(who) + rest(after))
        return best

    return rest(demands)


@pytest.mark.parametrize("seed", range(1, 25))
def test_tiny_instances_are_solved_to_optimality(seed: int) -> None:
    n = 2 + seed % 3
    metric: Any = "dimacs" if seed % 2 else "exact"
    made = random_instance(n, capacity=4, low=0.3, high=1.0 if seed % 4 else 1.6, seed=seed)
    demands = [c.demand for c in made.customers]
    instance = sr.Instance.create(4, demands, made.places, metric=metric)
    found = sr.solve(instance, stop=Stop(iterations=3000))
    assert found.cost == pytest.approx(optimum(instance))


def test_sd10_whose_vehicles_are_exactly_full() -> None:
    """Insertion alone is stuck at 2717; pushing load between vehicles is what solves it."""
    result = sr.solve(set1(10, rounded=False), stop=Stop(iterations=150_000))
    assert result.cost < 2712


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_answer_depends_on_seed_and_iterations_alone(jobs: int) -> None:
    instance = set1(9)
    one, two = (sr.solve(instance, stop=Stop(iterations=2000), seed=5, jobs=jobs) for _ in range(2))
    assert one.solution == two.solution
    assert sr.solve(instance, stop=Stop(iterations=2000), seed=6).solution != one.solution


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_several_jobs_are_never_worse_than_one(seed: int) -> None:
    instance = random_instance(60, seed=seed)
    alone = sr.solve(instance, stop=Stop(iterations=3000), seed=seed)
    together = sr.solve(instance, stop=Stop(iterations=3000), seed=seed, jobs=3)
    assert together.cost <= alone.cost


def test_a_start_is_kept_if_nothing_better_is_found() -> None:
    instance = set1(12)
    good = sr.solve(instance, stop=Stop(iterations=20_000)).solution
    again = sr.solve(instance, start=good, stop=Stop(iterations=1))
    assert again.cost <= cost(instance, good)


def test_improving_after_pasa_is_free_to_split() -> None:
    instance = random_instance(40, low=0.5, high=0.9, seed=2)
    plain = sr.solve(instance, rule="pasa", stop=Stop(iterations=500))
    better = sr.solve(instance, rule="pasa", stop=Stop(iterations=500), polish=1.0)
    assert better.cost < plain.cost


def test_without_a_rule_it_is_free_and_with_options_of_pasa_it_is_not() -> None:
    assert sr.solve(set1(1), stop=Stop(iterations=10)).rule == "free"
    pasa = sr.solve(set1(1), rule="pasa", levels=3, stop=Stop(iterations=10))
    assert pasa.rule == "pasa:p=2:L=3"
    assert sr.solve(set1(1), stop=Stop(iterations=10), engine="pyvrp").rule.startswith("pasa")


def test_a_target_and_a_stall_end_it() -> None:
    assert sr.solve(set1(3), stop=Stop(seconds=100, target=1e9)).seconds < 20
    assert sr.solve(set1(1), stop=Stop(stall=2000)).seconds < 60


def test_many_customers_without_a_table_of_distances() -> None:
    instance = random_instance(5000, seed=1)
    first = sr.solve(instance, stop=Stop(iterations=1))
    later = sr.solve(instance, stop=Stop(iterations=20_000))
    assert later.cost < first.cost
    assert sr.validate(instance, later.solution) == []


def test_two_customers_at_one_place_are_two_customers() -> None:
    instance = sr.Instance.create(10, [6, 7, 9], [(0, 0), (3, 4), (3, 4), (3, 4)])
    result = sr.solve(instance, stop=Stop(iterations=500))
    assert result.cost == pytest.approx(30)


def test_a_one_way_street() -> None:
    one_way = [[0, 1, 9, 9], [9, 0, 1, 9], [9, 9, 0, 1], [1, 9, 9, 0]]
    instance = sr.Instance.create(30, [5, 5, 5], matrix=one_way)
    assert sr.solve(instance, stop=Stop(iterations=500)).cost == 4


def test_a_start_is_where_it_begins() -> None:
    instance = random_instance(60, seed=4)
    good = sr.solve(instance, stop=Stop(iterations=20_000))
    told: list[sr.Progress] = []
    sr.solve(instance, start=good.solution, stop=Stop(iterations=1), listener=told.append)
    assert told[0].cost <= good.cost + 1e-6


def test_a_start_with_far_too_many_visits() -> None:
    instance = sr.Instance.create(1000, [1000], [(0, 0), (3, 4)])
    many = sr.Solution((sr.Route((sr.Visit(1, 5),)),) * 200)
    assert sr.solve(instance, start=many, stop=Stop(iterations=50)).cost == 10
    often = sr.Solution((sr.Route((sr.Visit(1, 1),) * 1000),))
    assert sr.solve(instance, start=often, stop=Stop(iterations=50)).cost == 10


def test_a_mark_for_no_road_does_not_blind_it() -> None:
    no = 1e12
    matrix: list[list[float]] = [[0, 3, 4, 5], [3, 0, 2, no], [4, 2, 0, 2], [5, no, 2, 0]]
    instance = sr.Instance.create(30, [5, 5, 5], matrix=matrix)
    assert sr.solve(instance, stop=Stop(iterations=500)).cost == 3 + 2 + 2 + 5


def test_more_vehicles_than_it_can_keep() -> None:
    instance = sr.Instance.create(1, [10**9], [(0, 0), (1, 1)])
    with pytest.warns(sr.InputWarning), pytest.raises(sr.LimitError, match="vehicles"):
        sr.solve(instance, stop=Stop(iterations=1))


def test_several_jobs_until_nothing_is_found() -> None:
    instance = random_instance(20, seed=1)
    result = sr.solve(instance, jobs=2, stop=Stop(stall=3000))
    assert sr.validate(instance, result.solution) == []


@pytest.mark.parametrize("jobs", [0, 5000])
def test_a_senseless_number_of_jobs(jobs: int) -> None:
    with pytest.raises(sr.InputError, match="number of jobs"):
        sr.solve(set1(1), jobs=jobs)


def test_quantities_beyond_32_bits_are_refused() -> None:
    instance = sr.Instance.create(2**32, [1], [(0, 0), (1, 1)])
    with pytest.raises(sr.InputError, match="32 bits"):
        sr.solve(instance)


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The seeds of the searches that were made."""
    seeds: list[int] = []

    def made(instance: Any, seed: int, *settings: Any) -> Any:
        seeds.append(seed)
        return annealing(instance, seed, *settings)

    annealing = _core.Annealing
    monkeypatch.setattr(native, "_core", SimpleNamespace(Annealing=made))
    made.advance, made.start = annealing.advance, annealing.start  # type: ignore[attr-defined]
    return seeds


def test_in_limited_time_there_are_no_more_searches_than_cores(
    searches: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(native, "available_cores", lambda: 3)
    with pytest.warns(sr.InputWarning, match="jobs is 999, but 3 can run at once"):
        sr.solve(set1(3), jobs=999, stop=Stop(seconds=0.3))
    assert len(searches) == 3


@pytest.mark.parametrize("limits", [{"iterations": 20}, {"iterations": 20, "seconds": 60}])
def test_under_a_limit_of_iterations_all_searches_run(
    limits: dict[str, Any], searches: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The solution must not depend on how many cores there are."""
    monkeypatch.setattr(native, "available_cores", lambda: 1)
    sr.solve(set1(3), jobs=5, stop=Stop(**limits))
    assert len(searches) == 5


class TestSettings:
    """The parameters of the core are options of the engine."""

    instance = random_instance(40, low=0.1, high=0.9, seed=2)

    def solve(self, **options: object) -> sr.Result:
        return sr.solve(self.instance, stop=Stop(iterations=300), bound=0, **options)  # type: ignore[arg-type]

    def test_each_default_changes_nothing(self) -> None:
        assert self.solve(**SETTINGS).solution == self.solve().solution

    @pytest.mark.parametrize("name", SETTINGS)
    def test_each_is_described_and_has_an_effect(self, name: str) -> None:
        assert vars(_core.Settings)[name].__doc__.endswith(".")
        model = Model(random_instance(20, low=0.02, high=0.2, seed=2))
        default, trajectories = SETTINGS[name], []
        lower = {"max_cycles": 1, "max_moves": 11, "max_large_string": 7}.get(name, default / 2)
        for value in (default, lower):
            settings = settings_with({name: type(default)(value)})
            search = _core.Annealing(model.compiled, 1, settings)
            search.set_budget(0, 10_000)  # enough for two cooling cycles
            search.start()
            trajectory = []
            while search.iterations < 6_000:  # into the second one
                search.advance(100, math.inf)
                trajectory.append(search.current().tolist())
            trajectories.append(trajectory)
        assert trajectories[0] != trajectories[1]

    @pytest.mark.parametrize(
        ("name", "value"),
        [("blink", 2), ("blink", "x"), ("blink", float("nan")), ("max_cycles", 2.5)],
    )
    def test_a_bad_value_is_one_clear_error(self, name: str, value: object) -> None:
        with pytest.raises(sr.InputError, match=f"^{name} is .*; it must be ") as caught:
            self.solve(**{name: value})
        assert caught.value.field == name
        assert caught.value.value is value

    def test_settings_that_contradict_each_other_are_refused(self) -> None:
        with pytest.raises(sr.InputError, match="min_neighbours must not be greater than"):
            self.solve(min_neighbours=30)

    def test_an_unknown_name_is_refused(self) -> None:
        with pytest.raises(sr.InputError, match="no option 'blinks'"):
            self.solve(blinks=0.1)
        with pytest.raises(sr.InputError, match="unknown setting 'blinks'; known: initial"):
            settings_with({"blinks": 0.1})

    def test_the_command_line_has_them(self) -> None:
        read = parse_options("engine native", native.run, ["blink=0.02", "max_cycles=3", "jobs=2"])
        assert read == {"blink": 0.02, "max_cycles": 3, "jobs": 2}
        with pytest.raises(sr.InputError, match="blink is 'x'; it must be a number"):
            parse_options("engine native", native.run, ["blink=x"])
