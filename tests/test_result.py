import pickle
from dataclasses import replace

import pytest

import splitroute as sr
from conftest import routes
from splitroute.bounds.bound import MAX_CUSTOMERS
from splitroute.generate import random_instance


@pytest.fixture
def result(square: sr.Instance) -> sr.Result:
    return sr.Result(
        instance=square,
        solution=routes([(1, 6), (4, 4)], [(2, 6), (3, 4)]),
        cost=24.0,
        seconds=1.25,
        rule="free",
        engine="native",
        seed=1,
        stop=sr.Stop(seconds=1),
        pieces=4,
        trace=((0.1, 24.0),),
        bound=18.0,
        versions=(("splitroute", "1"),),
    )


def test_gap_and_saving(result: sr.Result) -> None:
    assert result.gap == 0.25
    assert result.saving is None
    assert replace(result, unsplit_cost=30.0).saving == pytest.approx(0.2)
    assert replace(result, cost=0.0, bound=0.0).gap == 0


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({}, "18 (optimality gap 25.00 %)"),
        ({"bound_seconds": 1.0}, "18 (optimality gap 25.00 %)"),
        ({"bound": 24.0}, "24, optimal (proven)"),
        ({"bound": 24.0 - 1e-6}, "24.00, optimal (proven)"),
        ({"bound": 0.0}, "none"),
    ],
)
def test_the_lower_bound_as_text(result: sr.Result, changes: dict[str, float], text: str) -> None:
    assert replace(result, **changes).bound_text() == text  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, True),
        ({"bound_seconds": 1.0}, False),
        ({"bound": 24.0}, False),
        ({"bound": 0.0}, False),
    ],
)
def test_the_bound_can_improve_if_no_time_was_spent(
    result: sr.Result, changes: dict[str, float], expected: bool
) -> None:
    assert replace(result, **changes).bound_can_improve is expected  # type: ignore[arg-type]


def test_large_instances_only_have_a_weak_bound(result: sr.Result) -> None:
    large = replace(result, instance=random_instance(MAX_CUSTOMERS + 1))
    assert "tighter bounds need at most 1,500 customers" in large.bound_text()
    assert not large.bound_can_improve


def test_the_summary_has_a_line_per_figure(result: sr.Result) -> None:
    lines = [line.strip() for line in result.summary().splitlines()]
    assert "cost: 24 (exact)" in lines
    assert "visits: 4" in lines
    assert "vehicle fill: 100.0 %" in lines
    assert "time: search 1.2 s" in lines
    split = replace(
        result,
        rule="pasa",
        unsplit=result.solution,
        unsplit_cost=30.0,
        baseline_seconds=2.0,
        bound_seconds=3.0,
    )
    lines = [line.strip() for line in split.summary().splitlines()]
    assert "time: search 1.2 s, baseline 2.0 s, lower bound 3.0 s" in lines
    assert "saving: 20.0 % of 30 without splitting" in lines
    assert "pieces: 4" in lines


def test_metadata_can_be_written_as_json(result: sr.Result) -> None:
    metadata = result.metadata()
    assert metadata["stop"] == {"seconds": 1}
    assert (metadata["bound"], metadata["gap"], metadata["optimal"]) == (18, 0.25, False)


def test_a_result_survives_pickling(result: sr.Result) -> None:
    assert pickle.loads(pickle.dumps(result)) == result
    assert repr(result) == "<Result: cost 24, 2 routes, free+native>"


def test_rules_add_figures(result: sr.Result, two_depots: tuple[sr.Instance, sr.Solution]) -> None:
    instance, solution = two_depots
    facts = dict(replace(result, instance=instance, solution=solution).facts())
    assert facts["vehicles"] == "van 1 of 2, truck 1"
    assert facts["vehicle fill"] == "51.4 %"  # 18 of 10 + 10 + 15
    assert facts["cost"] == "24 (haversine)"
    assert facts["distance"].endswith(" km")  # which the cost, with its prices, does not tell
    assert "vehicles" not in dict(result.facts())
