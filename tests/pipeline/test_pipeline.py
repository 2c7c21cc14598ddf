import pickle
from typing import Any

import numpy as np
import pytest

import splitroute as sr
from splitroute.engines import Capabilities
from splitroute.generate import random_instance, set1
from splitroute.pipeline.run import MAX_CUSTOMERS_PROVEN, SolveRun
from splitroute.rules import _change
from splitroute.solution import cost


def test_the_summary_has_the_main_figures() -> None:
    result = sr.solve(set1(1), stop=sr.Stop(iterations=200), baseline=True)
    text = result.summary()
    for words in ("cost", "routes", "visits", "split customers", "vehicle fill", "time", "saving"):
        assert words in text
    assert result.saving is not None
    assert 0 < result.saving < 0.5
    assert f"{100 * result.saving:.1f} % of" in text


def test_a_result_survives_pickling() -> None:
    result = sr.solve(set1(1), stop=sr.Stop(iterations=20))
    assert pickle.loads(pickle.dumps(result)) == result
    assert dict(result.versions)["splitroute"]


def test_sd1_is_solved_to_optimality() -> None:
    assert sr.solve(set1(1), stop=sr.Stop(iterations=500)).cost == pytest.approx(22828.427)


def test_the_trace_only_falls_and_ends_at_the_cost() -> None:
    result = sr.solve(set1(10), stop=sr.Stop(seconds=2))
    costs = [point.cost for point in result.trace]
    assert costs == sorted(costs, reverse=True)
    assert costs[-1] == result.cost


def test_polishing_improves_the_merged_solution() -> None:
    plain = sr.solve(set1(9), stop=sr.Stop(iterations=30))
    better = sr.solve(set1(9), stop=sr.Stop(iterations=30), polish=1.0)
    assert better.cost < plain.cost


def test_unknown_options_are_refused() -> None:
    with pytest.raises(sr.InputError, match="has no option 'program'"):
        sr.solve(set1(1), program="x")


def test_a_seed_may_be_any_whole_number() -> None:
    result = sr.solve(set1(1), seed=np.int64(3), stop=sr.Stop(iterations=10))  # type: ignore[arg-type]
    assert type(result.seed) is int


def test_small_instances_are_proven_optimal_by_default() -> None:
    result = sr.solve(set1(2), stop=sr.Stop(seconds=60))
    assert result.optimal
    assert result.seconds < 60  # the search ends with the proof


@pytest.mark.parametrize(
    ("instance", "limits", "options"),
    [
        (set1(2), {"iterations": 300}, {}),  # the same on any machine
        (set1(2), {"seconds": 0.5}, {"bound": 0}),
        (set1(2), {"seconds": 0.5}, {"rule": "pasa"}),
        (random_instance(MAX_CUSTOMERS_PROVEN + 1), {"seconds": 0.5}, {}),
    ],
)
def test_other_instances_get_no_bound_by_default(
    instance: sr.Instance, limits: dict[str, float], options: dict[str, Any]
) -> None:
    assert sr.solve(instance, stop=sr.Stop(**limits), **options).bound_seconds == 0  # type: ignore[arg-type]


def test_a_proven_optimum_is_reported_before_the_baseline() -> None:
    seen: list[sr.Progress] = []

    def listener(progress: sr.Progress) -> bool:
        seen.append(progress)
        return progress.phase == "baseline"

    result = sr.solve(set1(2), stop=sr.Stop(seconds=60), baseline=True, listener=listener)
    assert result.optimal
    last = [progress for progress in seen if progress.phase == "search"][-1]
    assert last.bound == pytest.approx(last.cost)
    baseline = [progress for progress in seen if progress.phase == "baseline"]
    assert baseline
    assert all(progress.seconds >= result.seconds for progress in baseline)
    assert result.trace[-1][0] <= result.seconds
    assert result.baseline_seconds > 0


def test_a_better_baseline_is_in_the_trace_with_its_own_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    instance = random_instance(10, low=0.1, high=0.3)
    best = sr.solve(instance, rule="none", stop=sr.Stop(iterations=500)).solution
    worse = sr.Solution.unsplit(instance, [[k] for k in range(1, 11)])
    monkeypatch.setattr(SolveRun, "_run", lambda *_: worse)
    monkeypatch.setattr(SolveRun, "search_unsplit", lambda *_: best)
    result = sr.solve(instance, baseline=True, bound=0)
    (first, *_), (second, value, _) = result.trace
    assert first <= result.seconds <= second
    assert value == result.cost == cost(instance, best)


@pytest.mark.parametrize(
    ("rule", "engine"),
    [("free", "native"), ("pasa", "rtr"), ("none", "native"), ("free", "hybrid")],
)
def test_a_customer_may_need_100000_vehicles(rule: str, engine: str) -> None:
    instance = sr.Instance.create(40, [4_000_000, 5], [(0, 0), (1, 1), (2, 2)])
    with pytest.warns(sr.InputWarning, match="needs 100,000 full vehicles; are demand and capa"):
        result = sr.solve(instance, rule=rule, engine=engine, stop=sr.Stop(iterations=50))
    assert len(result.solution.routes) == 100_001
    assert result.cost == pytest.approx(100_000 * 2 * 2**0.5 + 4 * 2**0.5)


def test_a_fleet_limit_holds_with_direct_loads() -> None:
    instance = sr.Instance.create(40, [400_010, 30], [(0, 0), (1, 1), (2, 2)], vehicles=10_001)
    with pytest.warns(sr.InputWarning, match="10,000 full vehicles"):
        result = sr.solve(instance, stop=sr.Stop(iterations=50))
    assert len(result.solution.routes) == 10_001


def test_more_vehicles_than_can_be_routed_are_refused() -> None:
    instance = sr.Instance.create(1, [2_000_000], [(0, 0), (1, 1)])
    with (
        pytest.warns(sr.InputWarning),
        pytest.raises(
            sr.LimitError, match="the demands fill 2,000,000 vehicles; at most 1,000,000"
        ),
    ):
        sr.solve(instance)


def test_representations_fit_on_one_line() -> None:
    instance = random_instance(5000)
    result = sr.solve(instance, rule="none", stop=sr.Stop(iterations=1))
    for value in (instance, result, result.solution, sr.split(instance)):
        assert len(repr(value)) < 1000


def test_progress_and_target_count_direct_loads() -> None:
    instance = sr.Instance.create(
        40, [40_000, 30, 20, 30], [(0, 0), (1, 1), (2, 3), (3, 1), (4, 4)]
    )
    seen: list[sr.Progress] = []
    result = sr.solve(instance, stop=sr.Stop(iterations=200), listener=seen.append)
    for progress in seen:
        assert progress.bound <= progress.cost
        if progress.solution is not None:
            assert progress.cost == pytest.approx(cost(instance, progress.solution))
    assert seen[-1].cost == pytest.approx(result.cost)
    target = sr.solve(instance, stop=sr.Stop(iterations=200, target=result.cost - 1))
    assert target.cost == pytest.approx(result.cost)  # it went on to the end


@pytest.mark.parametrize("rule", ["free", "none"])
def test_an_engine_has_to_return_a_solution(rule: str) -> None:
    def forgetful(*_: object) -> Any:
        return None

    forgetful.CAPABILITIES = Capabilities(splits=True)  # type: ignore[attr-defined]
    message = "the engine forgetful returned NoneType, not a Solution"
    with pytest.raises(sr.EngineError, match=message):
        sr.solve(set1(1), rule=rule, engine=forgetful)


def test_a_baseline_that_cannot_be_split_does_not_cost_the_result(
    square: sr.Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_change, "MAX_PIECES", 3)
    with pytest.raises(sr.LimitError):
        sr.split(square, "none")
    result = sr.solve(square, stop=sr.Stop(iterations=50), baseline=True)
    assert sr.validate(square, result.solution) == []
    assert result.unsplit is None


def test_a_rule_has_to_return_a_split_plan() -> None:
    def forgetful(instance: sr.Instance) -> Any:
        return None

    for act in (sr.split, sr.solve):
        with pytest.raises(sr.InputError, match="rule forgetful returned NoneType, not a Split"):
            act(set1(1), rule=forgetful)


def test_an_engine_that_requires_splitting_needs_the_rule_free() -> None:
    with pytest.raises(sr.InputError, match="the engine hybrid splits by itself") as caught:
        sr.solve(set1(1), rule="pasa", engine="hybrid")
    assert caught.value.field == "rule"
