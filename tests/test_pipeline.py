import pickle

import pytest

import splitroute as sr
from splitroute.generate import set1
from splitroute.solution import cost
from splitroute.told import Told


def test_the_summary_says_what_people_ask_for() -> None:
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


def test_sd1_is_solved_to_its_known_optimum() -> None:
    assert sr.solve(set1(1), stop=sr.Stop(iterations=500)).cost == pytest.approx(22828.427)


def test_the_trace_only_falls_and_ends_at_the_cost() -> None:
    result = sr.solve(set1(10), stop=sr.Stop(seconds=2))
    costs = [cost for _, cost in result.trace]
    assert costs == sorted(costs, reverse=True)
    assert costs[-1] == result.cost


def test_improving_continues_from_the_merged_answer() -> None:
    plain = sr.solve(set1(9), stop=sr.Stop(iterations=30))
    better = sr.solve(set1(9), stop=sr.Stop(iterations=30), improve=1.0)
    assert better.cost < plain.cost


def test_unknown_options_are_refused() -> None:
    with pytest.raises(sr.InputError, match="has no option 'program'"):
        sr.solve(set1(1), program="x")


def test_what_was_cheaper_when_merged_is_kept_and_the_trace_ends_at_the_answer() -> None:
    instance = set1(2)
    worse, better = (
        sr.solve(instance, rule=rule, stop=sr.Stop(iterations=300)).solution
        for rule in ("none", "free")
    )
    told = Told(instance, lambda solution: solution, None, None, 0.0)
    listen = told.through(sr.split(instance, "free"))
    for seconds, solution in enumerate((worse, better)):
        listen(sr.Progress(seconds, 1, cost(instance, solution), solution))
    assert told.better(worse) == better
    assert [value for _, value in told.trace(2.0, cost(instance, worse))] == [cost(instance, worse)]
