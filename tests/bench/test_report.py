import io
import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from example_records import record, run_benchmark
from splitroute.bench.figures import new_figure
from splitroute.bench.records import Journal, read_records
from splitroute.bench.series import series_of
from splitroute.interactive import security_policy


class Page(HTMLParser):
    """Collects elements, links and descriptions of pictures."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.tags: list[str] = []
        self.descriptions: list[str] = []
        self.series: list[list[dict[str, Any]]] = []  # of each figure

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag == "svg":
            self.descriptions.append(dict(attrs).get("aria-label") or "")
        if tag == "figure" and (data := dict(attrs).get("data-series")):
            self.series.append(json.loads(data))
        self.links += [v or "" for k, v in attrs if k in ("src", "href", "xlink:href")]


def test_the_report_is_one_self_contained_page(run: Callable[..., Any], tmp_path: Path) -> None:
    records = run_benchmark(run, tmp_path)
    assert len(list(read_records([records]))) == 3 * 4 * 2
    out = tmp_path / "report.html"
    assert run("bench", "report", "--records", records, "--out", out).exit_code == 0
    text = out.read_text()
    page = Page()
    page.feed(text)
    assert page.tags.count("table") == 2
    assert page.tags.count("svg") >= 3 + 5  # routes of three instances, and figures
    assert all(page.descriptions), "every picture has a description"
    assert re.search(r"SD1: \S+, cost 2\d\d\.\d\d; \d+ routes", " ".join(page.descriptions))
    assert all(link.startswith("#") for link in page.links), "nothing is loaded from elsewhere"
    assert not re.search(r"url\((?!#)", text)
    assert "the smallest mean gap to best known of 4 methods on 3 instances" in text
    for title in ("best known over time", "Performance profile", "Saving by", "rings L"):
        assert title in text
    assert "prefers-color-scheme: dark" in text
    assert "currentColor" in text, "ink follows the colour scheme"
    assert text.count('<div class="scroll"') == 2, "each table scrolls by itself"
    assert "--columns: 5" in text, "sets the font size in print"
    (script,) = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    assert f'content="{security_policy(script).replace(chr(39), "&#39;")}"' in text
    assert text.count("<tfoot>") == 1, "averages stay below what is sorted"


def test_figures_name_their_values_and_know_their_methods(
    run: Callable[..., Any], tmp_path: Path
) -> None:
    records, out = run_benchmark(run, tmp_path), tmp_path / "report.html"
    assert run("bench", "report", "--records", records, "--out", out).exit_code == 0
    text = out.read_text()
    methods = re.findall(r'data-toggle="\d" aria-pressed="true">(.*?)<', text)
    assert len(methods) == 4
    page = Page()
    page.feed(text)
    drawn = [series for series in page.series if series]
    assert len(drawn) >= 3
    named = {(one["name"], one["method"]) for series in drawn for one in series}
    assert {(name, k) for k, name in enumerate(methods)} <= named
    for k in range(4):
        assert text.count(f'data-method="{k}"') >= 3, "marks, handles and texts can be hidden"
    values = {(p[2], one["label"]) for series in drawn for one in series for p in one["points"]}
    assert ("SD1", "gap to best known, %") in values
    assert 'id="method-' not in text


def test_points_are_where_they_are_drawn() -> None:
    figure, (axes,) = new_figure()
    axes.plot([1, 2, 3], [5.0, float("nan"), 7.0], marker="o", label="a")
    axes.scatter([2], [6], label="b")
    axes.axhline(6)
    data = io.BytesIO()
    figure.savefig(data, format="svg")
    line, cloud = series_of(figure, ["b"])
    assert (line["name"], line["method"], cloud["method"]) == ("a", None, 0)
    assert [values for _, _, *values in line["points"]] == [[": 1", "5"], [": 3", "7"]]
    svg = data.getvalue().decode()
    drawn = [
        tuple(map(float, xy)) for xy in re.findall(r'<use [^>]*x="([\d.]+)" y="([\d.]+)"', svg)
    ]
    for x, y, *_ in (*line["points"], *cloud["points"]):
        assert any(abs(x - u) < 0.2 and abs(y - v) < 0.2 for u, v in drawn), (x, y)


def test_names_from_records_are_escaped(run: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    with Journal(path) as journal:
        journal.append(record("<script>alert(1)</script>", "<b>m</b>", 10.0, set="<i>"))
    assert run("bench", "report", "--records", path, "--out", tmp_path / "r.html").exit_code == 0
    text = (tmp_path / "r.html").read_text()
    assert text.count("<script>") == 1  # its own
    assert "<script>alert" not in text
    assert "<b>m</b>" not in text


def test_no_report_without_records(run: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").touch()
    done = run("bench", "report", "--records", tmp_path / "r.jsonl", "--out", tmp_path / "r.html")
    assert done.exit_code == 2
    assert done.stderr == "error: no records; run `splitroute bench run` first (--records)\n"
    assert not (tmp_path / "r.html").exists()
