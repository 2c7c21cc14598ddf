from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from example_records import record, run_benchmark
from splitroute.bench.figures import motivation, profile, sensitivity
from splitroute.bench.records import Journal
from splitroute.bench.results import Results


def test_figures_are_saved_one_by_one(run: Callable[..., Any], tmp_path: Path) -> None:
    records = run_benchmark(run, tmp_path)
    done = run("bench", "plot", "--records", records, "--out", tmp_path / "figures")
    names = {path.name for path in (tmp_path / "figures").iterdir()}
    figures = ("gaps", "convergence", "profile", "sensitivity", "saving", "motivation")
    assert {f"exact-{name}.svg" for name in figures} <= names
    assert len(done.stdout.splitlines()) == len(names)


def test_figures_without_data_state_what_they_require(
    run: Callable[..., Any], tmp_path: Path
) -> None:
    path = tmp_path / "r.jsonl"
    with Journal(path) as journal:
        journal.append(record("x", "m", 10.0, set="mine"))
    done = run("bench", "plot", "--records", path, "--out", tmp_path / "figures")
    assert "not drawn: Performance profile: requires two methods" in done.stderr


def test_the_methods_of_a_profile_are_distinguishable() -> None:
    methods = [f"m{k}" for k in range(17)]
    results = Results("exact", [record("SD1", method, 230.0) for method in methods])
    figure = profile.draw(results)
    assert figure is not None
    lines = figure.axes[0].get_lines()
    assert len({(str(line.get_color()), str(line.get_marker())) for line in lines}) == 17
    widths = [line.get_linewidth() for line in lines]
    assert widths == sorted(widths, reverse=True), "earlier lines show beside later ones"


def test_small_maps_are_drawn_by_the_route_plots(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[int] = []
    monkeypatch.setattr(
        motivation, "draw_thumbnail", lambda axes, points, solution: drawn.append(len(points))
    )
    stored: dict[str, Any] = {"solution": [[[1, 4], [2, 4]]], "places": [[0, 0], [1, 0], [0, 1]]}
    records = [record("SD6", "m", 9.0, **stored), record("SD6", "n", 9.5)]
    results = Results("exact", records)
    assert motivation.draw(results) is not None
    assert drawn == [3]
    assert motivation.omitted(results) == ["n on SD6 (no routes in the records)"]


def test_a_map_of_levels_does_not_mix_kinds_of_rings() -> None:
    costs = {"pasa:L=2": 230.0, "pasa:L=3": 229.0, "pasa:L=3:rings=count": 240.0}
    records = [record("SD1", f"{rule}+rtr", cost) for rule, cost in costs.items()]
    figure = sensitivity.draw(Results("exact", records, "runs"))
    assert figure is not None
    [axes] = figure.axes
    assert [text.get_text() for text in axes.texts] == ["0.44", "0.00"]
