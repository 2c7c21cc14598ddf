"""Rule pasa with levels="auto": split plans race, and the winner is continued."""

import json
from itertools import pairwise
from typing import Any

import pytest

import splitroute as sr
from splitroute.generate import random_instance, set1
from splitroute.pipeline.plans import MAX_PIECES_RATIO, MAX_PLANS, choose_plans, make_plans
from splitroute.pipeline.race import Race
from splitroute.progress import Listener
from splitroute.rules import pasa
from splitroute.solution import cost, rank
from splitroute.stop import TimeBudget

AUTO: dict[str, Any] = {"rule": "pasa", "levels": "auto"}


def auto_plans(instance: sr.Instance, **options: Any) -> list[sr.SplitPlan]:
    return list(make_plans(instance, "pasa", {"levels": "auto", **options}))


def heats(result: sr.Result) -> list[list[sr.RaceEntry]]:
    last = result.race[-1].heat
    return [[e for e in result.race if e.heat == heat] for heat in range(1, last + 1)]


@pytest.mark.parametrize("instance", [set1(6), random_instance(30, seed=2)])
def test_candidates_have_from_one_to_s_max_and_two_more_levels(instance: sr.Instance) -> None:
    choices = pasa.candidates(instance, levels="auto")
    assert choices[0] == {"base": 2, "levels": 2, "rings": "width"}  # the paper's
    for base in pasa.AUTO_BASES:
        s_max = sr.split(instance, base=base).s_max
        assert s_max is not None
        for rings in ("width", "count"):
            levels = [c["levels"] for c in choices if (c["base"], c["rings"]) == (base, rings)]
            assert sorted(levels) == list(range(1, s_max + 3))


def test_candidates_have_distinct_pieces() -> None:
    plans = auto_plans(random_instance(40, seed=1))
    assert len({plan.pieces for plan in plans}) == len(plans) > 20
    assert len(auto_plans(sr.Instance.create(5, [5, 5], [(0, 0), (1, 0), (2, 0)]))) == 1


def test_a_bounded_number_of_plans_with_the_fewest_pieces_races() -> None:
    plans = auto_plans(random_instance(60, low=0.3, high=0.9, seed=1))
    assert max(p.num_pieces for p in plans) <= MAX_PIECES_RATIO * plans[0].num_pieces
    plans += plans[1:]
    chosen = choose_plans(plans, TimeBudget(sr.Stop(iterations=1)))
    assert len(chosen) == MAX_PLANS
    assert chosen[0] is plans[0]
    left_out = [p.num_pieces for p in plans if all(p is not c for c in chosen)]
    assert max(p.num_pieces for p in chosen[1:]) <= min(left_out)


def test_too_fine_candidates_are_left_out() -> None:
    demands = [10**6 + 1, 10**6 - 3]
    plans = auto_plans(sr.Instance.create(2 * 10**6, demands, [(0, 0), (1, 0), (9, 0)]))
    assert plans
    assert max(plan.num_pieces for plan in plans) < 1000
    with pytest.raises(sr.LimitError, match="pieces"):
        auto_plans(sr.Instance.create(1, [10**12], [(0, 0), (1, 0)]))


@pytest.mark.parametrize("fixed", [{"base": 3}, {"base": 7}, {"rings": "count"}])
def test_options_that_are_given_are_kept(fixed: dict[str, Any]) -> None:
    for choice in pasa.candidates(set1(6), levels="auto", **fixed):
        assert choice.items() >= fixed.items()
    result = sr.solve(set1(6), **AUTO, **fixed, stop=sr.Stop(iterations=400))
    word = {"base": "p", "rings": "rings"}[next(iter(fixed))]
    rules = {entry.rule for entry in result.race}
    assert len(rules) > 1
    assert all(f":{word}={next(iter(fixed.values()))}" in r or ":L=1" in r for r in rules)


def test_the_same_iterations_give_the_same_race() -> None:
    stop = sr.Stop(iterations=3000)
    first, second = (sr.solve(set1(6), **AUTO, stop=stop, seed=4) for _ in range(2))
    assert first.solution == second.solution
    assert [e._replace(seconds=0) for e in first.race] == [
        e._replace(seconds=0) for e in second.race
    ]


@pytest.mark.parametrize("engine", ["native", "rtr"])
@pytest.mark.parametrize("iterations", [1, 7, 40, 2000])
def test_each_heat_keeps_the_better_half(engine: str, iterations: int) -> None:
    result = sr.solve(set1(6), **AUTO, engine=engine, stop=sr.Stop(iterations=iterations))
    if not result.race:
        assert iterations == 1
        assert result.rule == "pasa:p=2:L=2"
        return
    rounds = heats(result)
    for entries, survivors in pairwise(rounds):
        best = sorted(entries, key=lambda e: e.cost)[: -(-len(entries) // 2)]
        assert {e.rule for e in survivors} == {e.rule for e in best}
    assert result.cost <= min(entry.cost for entry in result.race) * (1 + 1e-9)
    assert result.rule in {entry.rule for entry in rounds[-1]}
    pieces = {entry.pieces for entry in result.race if entry.rule == result.rule}
    assert pieces == {result.pieces}
    assert len(rounds[-1]) == 2


@pytest.mark.parametrize(
    "stop", [sr.Stop(seconds=0.05), sr.Stop(seconds=0.5), sr.Stop(stall=200, target=1.0)]
)
def test_other_limits_give_a_valid_solution(stop: sr.Stop) -> None:
    result = sr.solve(set1(6), **AUTO, stop=stop)
    assert not sr.validate(result.instance, result.solution)
    assert result.cost <= min([e.cost for e in result.race], default=result.cost) * (1 + 1e-9)


def test_a_target_ends_the_race() -> None:
    result = sr.solve(set1(6), **AUTO, stop=sr.Stop(iterations=10_000, target=1e9))
    assert len(result.race) == 1


def test_a_listener_can_end_the_race() -> None:
    calls: list[sr.Progress] = []

    def listener(progress: sr.Progress) -> bool:
        calls.append(progress)
        return len(calls) >= 5

    result = sr.solve(set1(6), **AUTO, stop=sr.Stop(iterations=10**9), listener=listener)
    assert not sr.validate(result.instance, result.solution)
    assert len(calls) < 20


def test_a_start_is_continued_without_a_race() -> None:
    start = sr.solve(set1(1), stop=sr.Stop(iterations=5)).solution
    result = sr.solve(set1(1), **AUTO, start=start, stop=sr.Stop(iterations=50))
    assert result.race == ()
    assert result.cost <= cost(result.instance, start)


def one_each(instance: sr.Instance, *_: object) -> sr.Solution:
    return sr.Solution.unsplit(instance, [[k] for k in range(1, len(instance.customers) + 1)])


def test_the_first_of_equal_plans_wins() -> None:
    places = [(0, 0), (0, 0), (0, 0)]
    instance = sr.Instance.create(20, [13, 11], places)
    result = sr.solve(instance, **AUTO, engine=one_each, stop=sr.Stop(iterations=1000))
    assert result.rule == result.race[0].rule == "pasa:p=2:L=2"


def test_plans_that_fail_are_left_out() -> None:
    def moody(
        instance: sr.Instance, stop: sr.Stop, seed: int, start: object, listener: Listener
    ) -> sr.Solution:
        if len(instance.customers) > 80:
            raise sr.EngineError("too large for me")
        return one_each(instance)

    result = sr.solve(set1(6), **AUTO, engine=moody, stop=sr.Stop(iterations=1000))
    assert result.pieces <= 80
    assert all(entry.pieces <= 80 for entry in result.race)
    with pytest.raises(sr.EngineError, match="too large for me"):
        sr.solve(set1(21), **AUTO, engine=moody, stop=sr.Stop(iterations=1000))


class SlowEngine:
    """Takes two seconds of a fake clock to start, and then the time it may."""

    def __init__(self, budget: "FakeBudget") -> None:
        self.budget = budget

    def __call__(
        self, plan: sr.SplitPlan, budget: TimeBudget, start: sr.Solution | None
    ) -> tuple[sr.Solution, sr.Solution]:
        assert budget.stop.seconds is not None
        self.budget.now += 2 + budget.stop.seconds
        solution = one_each(plan.to_cvrp())
        return solution, plan.merge(solution)


class FakeBudget(TimeBudget):
    now = 0.0

    @property
    def elapsed(self) -> float:
        return self.now


@pytest.mark.parametrize(("seconds", "runs"), [(10, 0), (30, 2), (1000, 30), (5000, 62)])
def test_fewer_plans_race_if_the_engine_is_slow_to_start(seconds: float, runs: int) -> None:
    instance = random_instance(60, low=0.3, high=0.9, seed=1)
    plans = auto_plans(instance)
    budget = FakeBudget(sr.Stop(seconds=seconds))
    race = Race(budget, SlowEngine(budget), lambda s: rank(instance, s), lambda: False)
    race.run((plans * 2)[:MAX_PLANS])
    assert len(race.entries) == runs
    assert budget.now <= seconds + 3


def test_the_result_reports_the_race() -> None:
    result = sr.solve(set1(6), **AUTO, stop=sr.Stop(iterations=2000))
    about = json.loads(json.dumps(result.metadata()))
    assert [entry["rule"] for entry in about["race"]] == [entry.rule for entry in result.race]
    assert about["race"][0].keys() == {"rule", "pieces", "cost", "seconds", "heat"}
    assert about["rule"] == result.rule
    text = dict(result.facts())["race"]
    first, *_ = heats(result)
    assert text.startswith(f"{len(first)} split plans, {result.rule} wins (")
    assert "; runner-up pasa:" in text
    plain = sr.solve(set1(6), rule="pasa", stop=sr.Stop(iterations=10))
    assert plain.race == ()
    assert "race" not in plain.metadata()
    assert "race" not in dict(plain.facts())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"levels": "x"}, "levels is 'x'; it must be a whole number or 'auto'"),
        ({"levels": 2.5}, "levels is 2.5; it must be a whole number or 'auto'"),
        ({"levels": 101}, "levels is 101; it must be a whole number from 1 to 100, or 'auto'"),
        ({"levels": "auto", "base": 1}, "base is 1; it must be a whole number of at least 2"),
        ({"levels": "auto", "rings": "square"}, "unknown kind of rings 'square'"),
        ({"rings": "auto"}, "unknown kind of rings 'auto'; known: count, width"),
        ({"levels": 3, "rings": "auto"}, "unknown kind of rings 'auto'"),
    ],
)
def test_invalid_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(sr.InputError, match=message):
        sr.solve(set1(1), rule="pasa", **options)


def test_a_split_plan_alone_needs_a_number_of_levels() -> None:
    with pytest.raises(sr.InputError, match="levels 'auto' needs solve") as caught:
        sr.split(set1(1), levels="auto")
    assert (caught.value.field, caught.value.value) == ("levels", "auto")
