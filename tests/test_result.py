import json
import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import splitroute as sr
from conftest import ROOT, routes
from splitroute.bounds.bound_progress import MAX_CUSTOMERS
from splitroute.generate import random_instance
from splitroute.plots import svg
from splitroute.solution import explain_undelivered


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
        trace=(sr.TracePoint(0.1, 24.0, 100),),
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


def test_the_saving_has_the_unit_of_the_cost() -> None:
    shops = sr.Instance.create(10, [6, 6], lat=[53.5, 53.6, 53.4], lon=[10.0, 10.1, 9.9])
    result = sr.solve(shops, stop=sr.Stop(iterations=10), baseline=True)
    assert f"of {result.unsplit_cost:.2f} km without splitting" in result.summary()


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


def test_save_writes_how_the_solution_was_found(result: sr.Result, tmp_path: Path) -> None:
    result.save(tmp_path / "solution.json")
    assert json.loads((tmp_path / "solution.json").read_text())["about"]["engine"] == "native"
    read = sr.read_solution(tmp_path / "solution.json", result.instance)
    assert read.solution == result.solution
    result.save(tmp_path / "visits.txt", format="csv")
    assert (tmp_path / "visits.txt").read_text().startswith("route,")


def test_plot_is_a_figure_that_notebooks_show(result: sr.Result) -> None:
    figure: Any = result.plot()
    assert figure._repr_png_().startswith(b"\x89PNG")
    assert "cost 24" in figure.axes[0].get_title(loc="left")


def test_notebooks_show_the_figures_and_the_routes(result: sr.Result) -> None:
    html = result._repr_html_()
    assert "optimality gap 25.00 %" in html
    picture = ElementTree.fromstring(html[html.index("<svg") : html.index("</svg>") + 6])
    lines = [e for e in picture.iter() if e.tag.endswith("polyline")]
    assert len(lines) == len(result.solution.routes)
    numbers = [float(n) for e in lines for n in e.get("points", "").replace(",", " ").split()]
    assert min(numbers) >= 0
    assert max(numbers) <= 420
    assert sum(e.tag.endswith("circle") for e in picture.iter()) == 4


EVIL = "<script>alert(1)</script>"


def test_names_cannot_inject_html(two_depots: tuple[sr.Instance, sr.Solution]) -> None:
    instance, solution = two_depots
    fleet = tuple(replace(kind, type=EVIL + kind.type) for kind in instance.fleet)
    depots = (instance.depots[0], replace(instance.depots[1], id=EVIL))
    fleet = (fleet[0], replace(fleet[1], depot=EVIL))
    customers = tuple(replace(c, id=EVIL + c.id) for c in instance.customers)
    instance = replace(instance, name=EVIL, fleet=fleet, depots=depots, customers=customers)
    result = sr.solve(instance, start=solution, stop=sr.Stop(iterations=1))
    short = sr.Solution(solution.routes[:1])
    undelivered = explain_undelivered(replace(instance, partial=True), short)
    result = replace(result, undelivered=undelivered)
    for html in (instance._repr_html_(), result._repr_html_()):
        assert "<script" not in html
        assert "&lt;script&gt;" in html


def test_pictures_are_left_out_where_they_cannot_be_drawn(
    square: sr.Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = sr.Instance.create(5, [3], matrix=[[0, 1], [1, 0]])
    assert "<svg" in square._repr_html_()
    assert "<svg" not in plain._repr_html_()
    monkeypatch.setattr(svg, "MAX_POINTS", 4)
    assert "<svg" not in square._repr_html_(), "five places"
    assert "any number of capacity 10<" in square._repr_html_()
    with pytest.raises(sr.InputError, match="without coordinates"):
        sr.solve(plain, stop=sr.Stop(iterations=1)).plot()
    same_place = sr.Instance.create(5, [3], [(2, 2), (2, 2)])
    assert "nan" not in same_place._repr_html_()


def test_the_html_of_an_instance_has_its_figures() -> None:
    html = read_drinks()._repr_html_()
    for text in ("drinks", "Munich, Augsburg", "Munich: 12 of capacity 24", "depot_windows"):
        assert text in html


def read_drinks() -> sr.Instance:
    files = [ROOT / "examples" / f"drinks{kind}.csv" for kind in ("", "-fleet", "-depots")]
    return sr.read(files[0], fleet=files[1], depots=files[2])
