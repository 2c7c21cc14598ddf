"""The interactive page: one small file that loads nothing and runs nothing from its data."""

import re
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest

import splitroute as sr
from conftest import routes
from splitroute.formats import html, sheets
from splitroute.formats._dump_workbook import _summary_rows
from splitroute.interactive import read_assets, security_policy
from splitroute.solution import route_places

HOSTILE = "</script><script>alert(1)</script>\"'<img src=x onerror=alert(2)>&"
TOUR = sr.Instance.create(10, [6, 8], [(0, 0), (1, 2), (3000, 1)], ids=["Anna", "Bert"], name="two")
PLAN = routes([(1, 6), (2, 4)], [(2, 4)])


class Page(HTMLParser):
    """Elements, attributes that load something, and the cells of the tables."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.links: list[str] = []
        self.handlers: list[str] = []
        self.tables: dict[str, list[list[str]]] = {}
        self._table: list[list[str]] = []
        self._is_cell = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        for name, value in attrs:
            if name in ("src", "href", "xlink:href", "action", "srcset", "data", "poster"):
                self.links.append(value or "")
            if name.startswith("on"):
                self.handlers.append(name)
        if tag == "table":
            self._table = self.tables[dict(attrs)["id"] or ""] = []
        elif tag == "tr":
            self._table.append([])
        elif tag in ("td", "th"):
            self._table[-1].append("")
            self._is_cell = True

    def handle_endtag(self, tag: str) -> None:
        self._is_cell = self._is_cell and tag not in ("thead", "table")

    def handle_data(self, data: str) -> None:
        if self._is_cell:
            self._table[-1][-1] += data.strip()


def test_the_tables_state_the_solution() -> None:
    tables = Page(html.dump_solution(TOUR, PLAN)).tables
    assert tables["routes"][0] == ["route", "visits", "load", "cost"]
    assert [row[:3] for row in tables["routes"][1:]] == [
        ["1", "2", "10 of 10"],
        ["2", "1", "4 of 10"],
    ]
    head, *visits = tables["visits"]
    assert head == ["route", "visit", "customer", "quantity", "demand", "left on board"]
    assert visits == [
        ["1", "1", "Anna", "6", "6", "4"],
        ["1", "2", "Bert", "4", "8", "0"],
        ["2", "1", "Bert", "4", "8", "0"],
    ]
    assert "undelivered" not in tables


def test_vehicles_and_times(two_depots: tuple[sr.Instance, sr.Solution]) -> None:
    text = html.dump_solution(*two_depots)
    tables = Page(text).tables
    first = dict(zip(*tables["routes"][:2], strict=True))
    assert first["vehicle"] == "van 1, trip 1"
    assert (first["departure"], first["return"], first["load"]) == ("07:50", "09:10", "9 of 10")
    visit = dict(zip(*tables["visits"][:2], strict=True))
    assert (visit["arrival"], visit["end"]) == ("08:00", "08:10")
    assert "<h2>Timeline</h2>" in text
    assert '<li><i class="loading"></i>loading</li>' in text
    assert "north</text>" in text, "several depots have names on the map"


def test_without_times_there_are_loads() -> None:
    text = html.dump_solution(TOUR, PLAN)
    assert "<h2>Loads</h2>" in text
    second = text.index('class="row" data-route="2"')
    shares = re.findall(r'<rect x="([\d.]+)%" width="([\d.]+)%"', text[second:])
    assert shares == [("0.00", "40.00"), ("40.00", "60.00")]  # the visit, and the room left


def test_the_map_has_pies_of_split_customers() -> None:
    text = html.dump_solution(TOUR, PLAN)
    whole, split = re.findall(r'<g data-customer="\d".*?</g>', text)
    assert re.findall(r'data-route="(\d)"', whole) == ["1"]
    assert re.findall(r'<path data-route="(\d)"', split) == ["1", "2"]


def test_undelivered_demand_has_a_reason_and_is_grey() -> None:
    plane = replace(TOUR, vehicles=1, partial=True)
    text = html.dump_solution(plane, routes([(1, 6), (2, 4)]))
    (row,) = Page(text).tables["undelivered"][1:]
    assert row[:3] == ["Bert", "4", "8"]
    assert row[3].startswith("the fleet is too small by 4: it carries 10")
    assert '<path class="none"' in text
    assert "<dd>at 1 customer</dd>" in text


def test_figures_come_from_how_the_solution_was_found() -> None:
    result = sr.solve(TOUR, stop=sr.Stop(iterations=100), baseline=True)
    text = html.dump_solution(TOUR, result.solution, result.metadata())
    for name in ("cost", "lower bound", "saving", "undelivered"):
        assert (f"<dt>{name}</dt>" in text) == (name != "undelivered")
    assert f"{result.rule}+{result.engine}, seed 1" in text
    assert "Tuesday, 17 November 2026" in html.dump_solution(TOUR, PLAN, {"date": "2026-11-17"})


@pytest.mark.parametrize("bound", ["<b>", float("nan"), 10**400, True, None, [1]])
def test_what_a_file_says_about_itself_may_be_anything(bound: object) -> None:
    about: dict[str, Any] = {
        "bound": bound, "optimal": "yes", "seconds": bound, "rule": HOSTILE, "engine": [],
        "versions": {HOSTILE: HOSTILE}, "unsplit_cost": bound,
    }  # fmt: skip
    rows = list(_summary_rows(TOUR, PLAN, about))
    assert [value for name, value in rows if name == "lower bound"] in ([], ["<b>"])
    text = html.dump_solution(TOUR, PLAN, about)
    assert "lower bound" not in text
    assert "optimal (proven)" not in text
    assert Page(text).tags["script"] == 1


def test_everything_from_files_is_escaped() -> None:
    vans = [sr.VehicleType(HOSTILE, 4, 1), sr.VehicleType("van", 4, 8)]
    plane = sr.Instance.create(
        None, [6, 8], [(0, 0), (1, 2), (3, 1)], vehicles=vans, partial=True,
        ids=[HOSTILE, "b"], notes=[HOSTILE, ""], name=HOSTILE,
    )  # fmt: skip
    page = Page(html.dump_solution(plane, routes([(1, 4)]), {"engine": HOSTILE, "rule": "free"}))
    assert page.tags["script"] == 1
    assert page.tags["img"] == 0
    assert page.handlers == []
    assert page.tables["visits"][1][2] == HOSTILE
    assert any(HOSTILE in row for row in page.tables["undelivered"])


def test_nothing_is_loaded_and_only_its_own_script_runs() -> None:
    text = html.dump_solution(TOUR, PLAN)
    assert all(link.startswith("#") for link in Page(text).links)
    assert not re.search(r"url\(|@import|https?://(?!www\.w3\.org)", text)
    (script,) = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    assert f'content="{security_policy(script)}"' in text
    assert "default-src 'none'" in security_policy(script)
    assert script == read_assets(*html.SCRIPTS)


@pytest.mark.parametrize("has_roads", [False, True])
def test_a_large_plan_is_below_a_megabyte(has_roads: bool) -> None:
    size, random = 1200, np.random.default_rng(1)
    places = random.random((size + 1, 2))
    instance = sr.Instance.create(
        100, [40] * size, lat=(53 + places[:, 0]).tolist(), lon=(9 + places[:, 1]).tolist(),
        ids=[f"Customer number {k} & Sons" for k in range(size)], windows=[((420, 1080),)] * size,
        service=[5.0] * size,
    )  # fmt: skip
    # Every third customer is split between two routes.
    visits = [(k, 20 if k % 3 == 0 else 40) for k in range(1, size + 1)]
    visits += [(k, 20) for k in range(3, size + 1, 3)]
    plan = routes(*(visits[k : k + 3] for k in range(0, len(visits), 3)))
    if has_roads:
        lines = [instance.xy[route_places(instance, route)] for route in plan.routes]
        plan = replace(plan, geometry=tuple(detailed(line, random) for line in lines))
        assert sum(map(len, plan.geometry)) > 200_000
    text = html.dump_solution(instance, plan)
    assert len(Page(text).tables["visits"]) == len(visits) + 1
    assert len(text.encode()) < 1_000_000


def detailed(line: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """A line with a hundred points per leg."""
    steps = np.linspace(0, len(line) - 1, 100 * (len(line) - 1))
    points = [np.interp(steps, range(len(line)), line[:, axis]) for axis in (0, 1)]
    return np.array(points).T + random.normal(0, 0.002, (len(steps), 2))


def test_the_map_follows_the_roads() -> None:
    globe = sr.Instance.create(9, [1], lat=[53.5, 53.5], lon=[10.0, 10.1])
    detour = np.array([[10.0, 53.5], [10.05, 53.7], [10.1, 53.5], [10.0, 53.5]])
    text = html.dump_solution(globe, sr.Solution(routes([(1, 1)]).routes, (detour,)))
    (steps,) = re.findall(r'id="line1".*? d="M\d+ \d+l(.*?)"', text)
    assert len(re.findall(r"-?\d+", steps)) == 2 * 3
    assert 'class="leg"' not in text


def test_without_coordinates_there_is_no_map() -> None:
    matrix = sr.Instance.create(9, [5, 3], matrix=[[0, 1, 2.5], [1.5, 0, 1], [2, 1, 0]])
    text = html.dump_solution(matrix, routes([(1, 5), (2, 3)]))
    assert 'class="map"' not in text
    assert len(Page(text).tables["visits"]) == 3


def test_a_single_place_and_an_empty_solution() -> None:
    point = sr.Instance.create(9, [1], [(3, 3), (3, 3)])
    assert "nan" not in html.dump_solution(point, routes([(1, 1)]))
    empty = sr.Instance.create(9, [1], [(0, 0), (3, 3)], vehicles=1, partial=True)
    assert Page(html.dump_solution(empty, sr.Solution(()))).tables["visits"][1:] == []


def test_html_is_the_page_and_sheets_are_asked_for_by_name(tmp_path: Any) -> None:
    result = sr.solve(TOUR, stop=sr.Stop(iterations=100))
    result.save(tmp_path / "plan.html")
    result.save(tmp_path / "sheets.html", format="sheets")
    assert "<h2>Visits</h2>" in (tmp_path / "plan.html").read_text()
    assert (tmp_path / "sheets.html").read_text() == sheets.dump_solution(
        TOUR, result.solution, result.metadata()
    )
