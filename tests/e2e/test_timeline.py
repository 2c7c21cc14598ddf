"""The timeline of a job: bars of vehicles, linked to the map and the table, also on paper."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from browsing import drawn, focused
from deliveries import as_job, town, town_with_leftovers
from serving import Service

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

Open = Callable[..., "Page"]


@pytest.fixture(scope="module")
def job(service: Service) -> str:
    job = service.post(**as_job(town()))
    service.wait(job)
    return job


@pytest.fixture(scope="module")
def many(service: Service) -> str:
    """A job with dozens of vehicles."""
    instance = town(120, count=60)
    for vehicle in instance["vehicles"]:
        vehicle |= {"max_stops": 2, "max_trips": 1}
    job = service.post(**as_job(instance, seconds=2))
    service.wait(job)
    return job


def open_job(service: Service, open_page: Open, job: str, width: int = 1400) -> Page:
    page = open_page(service, f"#/jobs/{job}", width=width, height=900)
    page.get_by_test_id("timeline").wait_for()
    return page


def vehicles(service: Service, job: str) -> set[tuple[str, int]]:
    routes = service.state(job)["solution"]["routes"]
    return {(route["vehicle_type"], route["vehicle"]) for route in routes}


def bars(page: Page) -> Locator:
    return page.get_by_test_id("bar")


def test_there_is_a_bar_per_vehicle_with_an_axis(
    service: Service, open_page: Open, job: str
) -> None:
    page = open_job(service, open_page, job)
    names = {f"{kind} {number}" for kind, number in vehicles(service, job)}
    assert {name.strip() for name in bars(page).all_inner_texts()} == names
    ticks = page.get_by_test_id("timeline").locator(".tick").all_inner_texts()
    assert len(ticks) > 2
    assert all(re.fullmatch(r"[\d,.]+", tick) for tick in ticks), ticks
    words = page.get_by_test_id("timeline").inner_text()
    assert re.search(r"driving\s+\d", words)
    assert re.search(r"unloading\s+\d", words)


def test_a_bar_focuses_its_route_on_the_map_and_in_the_table(
    service: Service, open_page: Open, job: str
) -> None:
    page = open_job(service, open_page, job)
    assert focused(page).texts == []
    box = bars(page).first.locator(".track").bounding_box()
    assert box is not None
    for step in range(1, 200):  # until something happens
        page.mouse.move(box["x"] + step * box["width"] / 200, box["y"] + box["height"] / 2)
        if "unloading" in page.get_by_test_id("activity").inner_text():
            break
    activity = page.get_by_test_id("activity").inner_text()
    assert re.search(r"^\w+ \d.*: [\d.]+ to [\d.]+ unloading [\d.]+ at Shop \d", activity), activity
    assert focused(page).numbers
    assert page.get_by_test_id("tables").locator("tr.lit").count() >= 1
    page.mouse.down()
    page.mouse.up()
    visits = page.get_by_test_id("tables").locator("tr.visits")
    assert re.search(r"Shop \d+.*\d+ to \d+", visits.inner_text(), re.DOTALL)


def test_the_table_and_the_map_focus_bars(service: Service, open_page: Open, job: str) -> None:
    page = open_job(service, open_page, job)
    assert page.locator("[data-testid=bar].lit").count() == 0
    page.get_by_test_id("tables").locator("tbody tr").first.hover()
    assert page.locator("[data-testid=bar].lit").count() == 1
    map_box = page.get_by_test_id("map").bounding_box()
    assert map_box is not None
    x, y, _ = drawn(page).discs[0]
    page.mouse.move(map_box["x"] + x + 1, map_box["y"] + y + 1)
    page.locator(".tooltip").wait_for()
    assert page.locator("[data-testid=bar].lit").count() >= 1
    marks = page.locator("[data-testid=bar] .mark").evaluate_all(
        "paths => paths.map(path => path.getAttribute('d')).filter(Boolean).length"
    )
    assert marks >= 1


def test_arrow_keys_step_through_the_visits_of_a_vehicle(
    service: Service, open_page: Open, job: str
) -> None:
    page = open_job(service, open_page, job)
    bars(page).first.get_by_role("button").focus()
    page.keyboard.press("ArrowRight")
    first = page.get_by_test_id("activity").inner_text()
    page.keyboard.press("ArrowRight")
    second = page.get_by_test_id("activity").inner_text()
    assert "unloading" in first
    assert first != second
    page.keyboard.press("ArrowLeft")
    assert page.get_by_test_id("activity").inner_text() == first


def test_the_legend_shows_the_vehicles_of_a_type(
    service: Service, open_page: Open, job: str
) -> None:
    page = open_job(service, open_page, job)
    kinds = [kind for kind, _ in vehicles(service, job)]
    page.get_by_test_id("legend").get_by_role("button", name="large").hover()
    assert page.locator("[data-testid=bar].lit").count() == kinds.count("large")
    texts = [text for text, _, _ in drawn(page).texts]
    assert texts.count("D") == 2
    assert {"north", "south"} <= set(texts)


@pytest.mark.parametrize("width", [390, 1400])
def test_many_vehicles_scroll_inside_the_timeline(
    service: Service, open_page: Open, many: str, width: int
) -> None:
    count = len(vehicles(service, many))
    assert count >= 60
    page = open_job(service, open_page, many, width)
    assert bars(page).count() == count
    heights = bars(page).evaluate_all("bars => bars.map(bar => bar.clientHeight)")
    assert min(heights) >= 20
    inside = page.get_by_test_id("timeline").locator(".scroll")
    assert inside.evaluate("box => box.scrollHeight > 2 * box.clientHeight")
    assert inside.evaluate("box => box.clientHeight") < 450
    inside.evaluate("box => box.scrollTo(0, 500)")
    axis, frame = page.locator(".axis").bounding_box(), inside.bounding_box()
    assert axis is not None
    assert frame is not None
    assert abs(axis["y"] - frame["y"]) < 2, "the axis stays in sight"
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_key_figures_and_reasons(service: Service, open_page: Open) -> None:
    job = service.post(**as_job(town_with_leftovers()))
    state = service.wait(job)
    assert state["status"] == "done", state
    page = open_job(service, open_page, job)
    figures = page.locator("dl").inner_text()
    assert re.search(r"cost\s+[\d.,]+\s+fixed \d+ \+ distance [\d.]+ \+ time [\d.]+", figures)
    assert re.search(r"\d+ large, \d+ small", figures)
    assert "3 of" in page.get_by_test_id("undelivered").inner_text().replace("\n", " ")
    reason = page.get_by_test_id("reasons").inner_text()
    assert re.search(r"Far\s+3 of 3: \w+", reason), reason
    page.get_by_role("tab", name="customers").click()
    page.get_by_label("undelivered only").check()
    assert page.get_by_test_id("tables").locator("tbody tr").count() == 1
    assert "3 undelivered: " in page.get_by_test_id("reason").inner_text()
    page.get_by_role("link", name="History").click()
    row = page.get_by_role("row").filter(has=page.locator(f"a[href='#/jobs/{job}']"))
    assert "3 undelivered" in row.inner_text()


def test_the_whole_job_is_printed(service: Service, open_page: Open, many: str) -> None:
    page = open_job(service, open_page, many)
    assert page.get_by_test_id("tables").locator("tr.visits").count() == 0
    page.emulate_media(media="print")
    routes = len(service.state(many)["solution"]["routes"])
    page.get_by_test_id("tables").locator("tr.visits").nth(routes - 1).wait_for()
    inside = page.get_by_test_id("timeline").locator(".scroll")
    assert inside.evaluate("box => box.scrollHeight <= box.clientHeight + 1"), "nothing is cut off"
    assert not page.get_by_role("button", name="Rename").is_visible()
    assert page.get_by_test_id("cost").is_visible()
    page.emulate_media(media="screen")
    page.get_by_role("button", name="Rename").wait_for()
    page.get_by_test_id("tables").locator("tr.visits").first.wait_for(state="detached")


def test_driver_sheets_have_times_and_types(service: Service, open_page: Open, job: str) -> None:
    page = open_page(service, f"api/jobs/{job}/files/sheets")
    words = page.inner_text("body")
    kinds = {kind for kind, _ in vehicles(service, job)}
    assert all(kind in words for kind in kinds)


def test_a_job_without_rules_has_no_timeline(service: Service, open_page: Open) -> None:
    job = service.post(seconds=0.3)
    service.wait(job)
    page = open_page(service, f"#/jobs/{job}")
    page.get_by_test_id("tables").wait_for()
    assert page.get_by_test_id("timeline").count() == 0
    assert page.get_by_test_id("legend").count() == 0
    assert page.locator("dl dt").all_inner_texts() == [
        "distance", "vehicles", "split customers", "optimality gap",
    ]  # fmt: skip
