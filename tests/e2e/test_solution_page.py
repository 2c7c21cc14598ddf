"""The interactive page of a solution and the benchmark report, opened as files."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import splitroute as sr
from example_records import run_benchmark

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

Open = Callable[..., "Page"]
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def result() -> sr.Result:
    """A bakery chain, with a speed so that there is a timeline."""
    instance = sr.read(ROOT / "examples" / "bakery.csv", speed=40)
    return sr.solve(instance, stop=sr.Stop(iterations=3000), seed=1)


@pytest.fixture
def solution_page(result: sr.Result, open_page: Open, tmp_path: Path) -> Page:
    result.save(tmp_path / "solution.html")
    return open_page(tmp_path / "solution.html")


def rows(page: Page, table: str) -> Locator:
    """The rows that are shown."""
    return page.locator(f"#{table} tbody tr:visible")


def column(page: Page, table: str, number: int) -> list[str]:
    cells = rows(page, table).locator(f"td:nth-child({number})")
    return [text.strip() for text in cells.all_inner_texts()]


def zoom(page: Page) -> float:
    """The width of what the map shows."""
    box = page.locator("svg.map").get_attribute("viewBox")
    assert box is not None
    return float(box.split()[2])


def test_a_route_is_selected_by_keyboard_and_lights_up_everywhere(
    solution_page: Page, result: sr.Result
) -> None:
    page, route = solution_page, result.solution.routes[1]
    page.locator("#routes tbody button").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert f"Route 2 · {len(route.visits)} visits" in page.locator(".selection").inner_text()
    ids = [result.instance.customers[visit.customer - 1].id for visit in route.visits]
    assert column(page, "visits", 3) == ids
    numbers = page.locator(".map .order").all_text_contents()
    assert sorted(map(int, numbers)) == list(range(1, len(ids) + 1))
    assert page.locator(".lines .lit").count() == 2  # the tour, and the legs to the depot
    assert page.locator(".bars .lit").count() == 1
    page.keyboard.press("Escape")
    assert rows(page, "visits").count() == result.solution.num_visits


def test_a_split_customer_is_selected_on_the_map(solution_page: Page, result: sr.Result) -> None:
    page, customer = solution_page, result.solution.split_customers()[0]
    mark = page.locator(f'g[data-customer="{customer}"]')
    mark.locator(".rim").hover(force=True)
    name = result.instance.customers[customer - 1].id
    tip = page.locator(".tip").inner_text()
    assert tip.startswith(f"{name}\ndemand ")
    mark.locator(".rim").click(force=True)
    visits = [v for r in result.solution.routes for v in r.visits if v.customer == customer]
    assert len(visits) > 1
    assert tip.count("route ") == len(visits)
    assert column(page, "visits", 3) == [name] * len(visits)
    assert sorted(column(page, "visits", 4)) == sorted(str(visit.quantity) for visit in visits)
    page.get_by_role("button", name="Show all", exact=True).click()
    assert rows(page, "visits").count() == result.solution.num_visits


def test_tables_sort_and_filter(solution_page: Page, result: sr.Result) -> None:
    page = solution_page
    title = page.get_by_role("columnheader", name="cost")
    title.get_by_role("button").click()
    title.get_by_role("button").click()
    costs = [float(text.replace(",", "")) for text in column(page, "routes", 6)]
    assert costs == sorted(costs, reverse=True)
    assert title.get_attribute("aria-sort") == "descending"
    name = result.instance.customers[0].id
    page.get_by_label("filter rows: Visits").fill(name.lower())
    assert {*column(page, "visits", 3)} == {name}
    assert f"of {result.solution.num_visits} rows" in page.locator(".filter").last.inner_text()


def test_the_map_zooms_and_moves(solution_page: Page) -> None:
    page = solution_page
    whole = zoom(page)
    page.locator("svg.map").focus()
    page.keyboard.press("+")
    assert zoom(page) < whole
    page.keyboard.press("0")
    assert zoom(page) == whole
    page.locator("svg.map").hover()
    page.mouse.wheel(0, -200)
    page.wait_for_function("document.querySelector('svg.map').viewBox.baseVal.width < 900")
    before = page.locator("svg.map").get_attribute("viewBox")
    page.mouse.down()
    page.mouse.move(500, 500)
    page.mouse.up()
    assert page.locator("svg.map").get_attribute("viewBox") != before
    assert page.locator("body.focused").count() == 0, "a drag selects nothing"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_a_phone(result: sr.Result, open_page: Open, tmp_path: Path, scheme: Any) -> None:
    result.save(tmp_path / "solution.html")
    page = open_page(tmp_path / "solution.html", width=360, height=740)
    page.emulate_media(color_scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    red = int(re.findall(r"\d+", paper)[0])
    assert (red > 200) == (scheme == "light")


def test_the_report_sorts_names_values_and_hides_methods(
    run: Callable[..., Any], open_page: Open, tmp_path: Path
) -> None:
    records, out = run_benchmark(run, tmp_path), tmp_path / "report.html"
    assert run("bench", "report", "--records", records, "--out", out).exit_code == 0
    page = open_page(out)
    table = page.locator("table").last
    table.get_by_role("button", name="best known").click()
    values = [float(t.strip("†")) for t in table.locator("tbody td:nth-child(2)").all_inner_texts()]
    assert values == sorted(values)
    assert table.locator("tr").last.inner_text().startswith("average")
    figure = page.locator("figure[data-series]").first
    figure.scroll_into_view_if_needed()
    x, y, name = page.evaluate(
        """() => {
            const figure = document.querySelector("figure[data-series]");
            const one = JSON.parse(figure.dataset.series)[0];
            const [x, y] = one.points.at(-1);
            const screen = figure.querySelector("svg").getScreenCTM();
            const at = new DOMPoint(x, y).matrixTransform(screen);
            return [at.x, at.y, one.name];
        }"""
    )
    page.mouse.move(x, y)
    assert page.locator(".tip").inner_text().startswith(name)
    page.get_by_role("button", name=name, exact=True).first.click()
    assert figure.locator('[data-method="0"]:visible').count() == 0
    assert figure.locator('[data-method="1"]:visible').count() > 0
