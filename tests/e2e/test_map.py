"""The map: routes, order of visits and labels, on small and large instances."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import TYPE_CHECKING

import pytest

from browsing import Drawing, drawn, focused
from serving import Service

if TYPE_CHECKING:
    from playwright.sync_api import Page

Open = Callable[..., "Page"]

TOWN = {"customers": 200, "capacity": 100, "low": 0.1, "high": 0.9, "seed": 7}
LARGE = {"customers": 3000, "capacity": 1000, "low": 0.01, "high": 0.3, "seed": 7}


@pytest.fixture(scope="module")
def town(service: Service) -> str:
    job = service.post(instance=TOWN, seconds=0.5)
    service.wait(job)
    return job


def open_job(service: Service, open_page: Open, job: str) -> Page:
    page = open_page(service, f"#/jobs/{job}", width=1440, height=900)
    page.get_by_test_id("tables").wait_for()
    return page


def overlapping(labels: list[tuple[str, float, float]]) -> list[tuple[str, str]]:
    return [
        (a[0], b[0])
        for a, b in combinations(labels, 2)
        if abs(a[1] - b[1]) < 8 and abs(a[2] - b[2]) < 9
    ]


def test_every_route_has_a_label(service: Service, open_page: Open, town: str) -> None:
    routes = len(service.state(town)["solution"]["routes"])
    assert routes > 80
    picture = drawn(open_job(service, open_page, town))
    labels = picture.texts[-routes:]
    assert [text for text, _, _ in labels] == [str(k + 1) for k in range(routes)]
    assert overlapping(labels) == []


def test_routes_along_one_line_have_labels(service: Service, open_page: Open) -> None:
    job = service.post(instance={"benchmark": "SD8"}, seconds=0.5)
    service.wait(job)
    routes = len(service.state(job)["solution"]["routes"])
    picture = drawn(open_job(service, open_page, job))
    start = next(k for k, (text, _, _) in enumerate(picture.texts) if text == "D") + 1
    labels = picture.texts[start : start + routes]
    assert [text for text, _, _ in labels] == [str(k + 1) for k in range(routes)]
    assert overlapping(labels) == []


def test_small_maps_show_order_and_direction_of_all_routes(
    service: Service, open_page: Open
) -> None:
    job = service.post(seconds=0.3)
    routes = service.wait(job)["solution"]["routes"]
    page = open_job(service, open_page, job)
    picture = drawn(page)
    legs = sum(len(route["visits"]) + 1 for route in routes)
    assert picture.arrows == legs
    visits = [str(k + 1) for route in routes for k in range(len(route["visits"]))]
    labels = [str(k + 1) for k in range(len(routes))]
    assert sorted(picture.numbers[-len(visits) - len(labels) :]) == sorted(visits + labels)


def test_the_route_in_focus_shows_order_and_direction(
    service: Service, open_page: Open, town: str
) -> None:
    route = service.state(town)["solution"]["routes"][4]
    page = open_job(service, open_page, town)
    assert focused(page).texts == []
    page.get_by_test_id("tables").locator("tbody tr").nth(4).hover()
    above = focused(page)
    assert sorted(above.numbers) == sorted(
        ["5", *(str(k + 1) for k in range(len(route["visits"])))]
    )
    assert above.arrows > 0


def test_large_maps_show_depot_legs_in_focus_only(service: Service, open_page: Open) -> None:
    job = service.post(instance=LARGE, seconds=1)
    service.wait(job)
    page = open_job(service, open_page, job)
    picture = drawn(page)
    assert picture.depot_legs == 0
    assert picture.widest < 1.5
    page.get_by_test_id("tables").locator("tbody tr").nth(4).hover()
    assert focused(page).depot_legs >= 1


def test_large_instances_on_small_maps_have_labels_where_there_is_room(
    service: Service, open_page: Open
) -> None:
    job = service.post(instance=LARGE, seconds=1)
    routes = len(service.wait(job)["solution"]["routes"])
    page = open_page(service, f"#/jobs/{job}", width=390, height=844)
    page.get_by_test_id("tables").wait_for()

    def labels() -> list[tuple[str, float, float]]:
        texts = drawn(page).texts
        return texts[1 + [text for text, _, _ in texts].index("D") :]

    before = labels()
    assert 20 < len(before) < routes / 2
    assert overlapping(before) == []
    for _ in range(5):
        page.get_by_role("button", name="Zoom in").click()
    after = labels()
    assert {text for text, _, _ in after} - {text for text, _, _ in before}
    # Zoomed in, every route gets its label, with or without room for it.
    assert len(overlapping(after)) <= len(after) / 20


def test_a_vehicle_is_focused_in_its_own_solution_only(service: Service, open_page: Open) -> None:
    job = service.post(instance={"benchmark": "SD2"}, seconds=0.5, baseline=True)
    service.wait(job)
    page = open_job(service, open_page, job)
    page.get_by_role("button", name="Show both side by side").click()
    page.get_by_test_id("tables").locator("tbody tr").nth(1).hover()
    assert "2" in focused(page, 0).numbers
    assert focused(page, 1).texts == []
    # Both solutions share the customers.
    page.get_by_role("tab", name="customers").click()
    page.get_by_test_id("tables").locator("tbody tr").nth(1).hover()
    assert focused(page, 0).numbers
    assert focused(page, 1).numbers


def hover_customer(page: Page, picture: Drawing) -> None:
    box = page.get_by_test_id("map").first.bounding_box()
    assert box is not None
    x, y, _ = picture.discs[0]
    page.mouse.move(box["x"] + x + 1, box["y"] + y + 1)
    page.locator(".tooltip").wait_for()


def test_different_instances_do_not_share_the_focus(
    service: Service, open_page: Open, town: str
) -> None:
    other = service.post(instance={"benchmark": "SD2"}, seconds=0.3)
    service.wait(other)
    page = open_page(service, f"#/compare/{town}/{other}", width=1440, height=900)
    page.get_by_test_id("map").nth(1).wait_for()
    hover_customer(page, drawn(page))
    assert focused(page, 0).texts != []
    assert focused(page, 1).texts == []


def test_a_search_zooms_to_the_customer(service: Service, open_page: Open, town: str) -> None:
    page = open_job(service, open_page, town)
    assert len(drawn(page).discs) >= 200
    page.get_by_role("tab", name="customers").click()
    box = page.get_by_test_id("map").bounding_box()
    assert box is not None
    centre = (box["width"] / 2, box["height"] / 2)

    def count_visible() -> int:
        return sum(0 < x < box["width"] and 0 < y < box["height"] for x, y, _ in drawn(page).discs)

    def is_centred() -> bool:
        return any(
            abs(x - centre[0]) < 3 and abs(y - centre[1]) < 3 for x, y, _ in focused(page).discs
        )

    assert not is_centred()
    search = page.get_by_label("Find")
    search.fill("137")
    assert page.locator(".tooltip strong").inner_text() == "137"
    assert is_centred()
    assert count_visible() < 100
    search.fill("12")  # 112 and 120 match as well, but not exactly
    assert page.locator(".tooltip strong").inner_text() == "12"
    search.fill("19")
    search.press("Enter")
    search.fill("")
    page.locator(".tooltip").wait_for(state="detached")
    page.get_by_role("button", name="Show all").click()
    page.get_by_role("button", name="44", exact=True).click()
    assert page.locator(".tooltip strong").inner_text() == "44"
    assert is_centred()
