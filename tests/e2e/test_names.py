"""Long names, large numbers and times, on a screen, on a phone and on paper."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

import pytest

from browsing import drawn
from serving import Service

if TYPE_CHECKING:
    from playwright.sync_api import Page

Open = Callable[..., "Page"]

NAME = "Supermarktzentrallagerniederlassungnordostohneleerzeichenundohneeinende"
ROWS = "".join(
    f"{NAME}{k},{53.5 + 0.013 * (7 * k % 11):.3f},{9.9 + 0.02 * (5 * k % 13):.3f},{20 + 3 * k},"
    f"Strasse_{NAME}\n"
    for k in range(1, 13)
)
TABLE = f"# capacity: 100\nid,lat,lon,demand,address\ndepot,53.55,10,0,\n{ROWS}"


@pytest.fixture(scope="module")
def long_names(service: Service) -> str:
    given = {"format": "csv", "text": TABLE, "name": NAME}
    job = service.post(instance=given, metric=None, seconds=0.3, baseline=True)
    service.wait(job)
    return job


def overflowing(page: Page) -> list[str]:
    """Return elements that are wider than the screen or than their container."""
    found: list[str] = page.evaluate(
        """() => {
            const ignored = ".hidden, .u-wrap";
            const isShown = (element) =>
                element.getClientRects().length && !element.closest(ignored);
            const describe = (element) => `${element.tagName}: ${element.textContent.slice(0, 40)}`;
            const limit = document.documentElement.clientWidth + 0.5;
            const all = [...document.querySelectorAll("body *")].filter(isShown);
            return all
                .filter((element) => element.getBoundingClientRect().right > limit
                    || (element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0
                        && getComputedStyle(element).display !== "inline"
                        && !["INPUT", "CANVAS", "SELECT"].includes(element.tagName)))
                .map(describe);
        }"""
    )
    return found


@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.parametrize("view", ["vehicles", "customers", "history", "compare"])
def test_long_names_fit(
    service: Service, open_page: Open, long_names: str, view: str, width: int
) -> None:
    paths = {"history": "#/history", "compare": f"#/compare/{long_names}/{long_names}"}
    page = open_page(service, paths.get(view, f"#/jobs/{long_names}"), width=width, height=844)
    page.get_by_text(NAME).first.wait_for()
    if view in ("vehicles", "customers"):
        page.get_by_role("tab", name=view).click()
        tables = page.get_by_test_id("tables")
        if view == "vehicles":
            tables.get_by_role("button").nth(2).click()
        tables.get_by_text(NAME).first.wait_for()
    assert overflowing(page) == []


@pytest.mark.parametrize("width", [390, 1440])
def test_long_names_fit_into_the_tooltip(
    service: Service, open_page: Open, long_names: str, width: int
) -> None:
    page = open_page(service, f"#/jobs/{long_names}", width=width, height=844)
    page.get_by_test_id("tables").wait_for()
    frame = page.get_by_test_id("map").bounding_box()
    assert frame is not None
    for x, y, _ in drawn(page).discs[:12]:
        page.mouse.move(frame["x"] + x, frame["y"] + y)
        page.locator(".tooltip").wait_for()
        page.wait_for_timeout(50)
        tooltip = page.locator(".tooltip").bounding_box()
        assert tooltip is not None
        assert frame["x"] <= tooltip["x"]
        assert tooltip["x"] + tooltip["width"] <= frame["x"] + frame["width"] + 1
        assert frame["y"] <= tooltip["y"]
        assert tooltip["y"] + tooltip["height"] <= frame["y"] + frame["height"] + 1
    assert overflowing(page) == []


@pytest.mark.parametrize(("width", "media"), [(390, "screen"), (680, "print")])
def test_driver_sheets_fit(
    service: Service,
    open_page: Open,
    long_names: str,
    width: int,
    media: Literal["print", "screen"],
) -> None:
    page = open_page(service, f"api/jobs/{long_names}/files/sheets", width=width, height=844)
    page.emulate_media(media=media)
    assert page.get_by_text(NAME).first.is_visible()
    assert overflowing(page) == []


def test_the_history_is_complete_on_a_phone(
    service: Service, open_page: Open, long_names: str
) -> None:
    page = open_page(service, "#/history", width=390, height=844)
    row = page.get_by_role("row").filter(has=page.locator(f"a[href='#/jobs/{long_names}']"))
    row.wait_for()
    words = row.inner_text()
    assert re.search(r"\d{1,2} \w{3,4}, \d\d:\d\d", words), words
    assert "done" in words
    assert "native" in words
    assert row.get_by_role("button", name=re.compile("^Delete")).is_visible()


def test_jobs_of_one_name_have_numbers_and_are_renamed(service: Service, open_page: Open) -> None:
    given = {"benchmark": "SD3"}
    jobs = [service.post(instance=given, seconds=0.2) for _ in "ab"]
    numbers = [service.wait(job)["number"] for job in jobs]
    page = open_page(service, "#/history")
    for job, number in zip(jobs, numbers, strict=True):
        row = page.get_by_role("row").filter(has=page.locator(f"a[href='#/jobs/{job}']"))
        row.wait_for()
        assert f"SD3 #{number}" in row.inner_text()
        assert re.search(r"\d{1,2} \w{3,4}, \d\d:\d\d", row.inner_text()), "a date and a time"
        assert row.get_by_role("checkbox", name=f"Compare SD3 #{number}").is_visible()
    page.goto(page.url.replace("#/history", f"#/jobs/{jobs[0]}"))
    page.get_by_role("heading", name=f"SD3 #{numbers[0]}").wait_for()
    page.get_by_role("button", name="Rename").click()
    page.get_by_label("Name").fill("nothing")
    page.get_by_label("Name").press("Escape")
    page.get_by_role("heading", name=f"SD3 #{numbers[0]}").wait_for()
    page.get_by_role("button", name="Rename").click()
    page.get_by_label("Name").fill("Monday, north")
    page.get_by_label("Name").press("Enter")
    page.get_by_role("heading", name=f"Monday, north #{numbers[0]}").wait_for()
    page.reload()
    page.get_by_role("heading", name=f"Monday, north #{numbers[0]}").wait_for()
    page.get_by_role("link", name="History").click()
    page.get_by_role("link", name="Monday, north").wait_for()
    assert service.state(jobs[1])["name"] == "SD3"


def test_the_elapsed_time_includes_the_baseline(service: Service, open_page: Open) -> None:
    job = service.post(instance={"customers": 60}, seconds=1, baseline=True)
    state = service.wait(job)
    page = open_page(service, f"#/jobs/{job}")
    took = f"{state['ended'] - state['started']:.1f}"
    page.get_by_test_id("status").filter(has_text=f"Done in {took} s").wait_for()
    assert float(took) >= 2, "the search and the baseline"


def test_thousands_separators(service: Service, open_page: Open) -> None:
    rows = "".join(f"c{k},{k % 35 * 1000},{k // 35 * 1000},4900\n" for k in range(1, 1201))
    text = f"# capacity: 5000\nid,x,y,demand\ndepot,0,0,0\n{rows}"
    job = service.post(instance={"format": "csv", "text": text, "name": "big"}, seconds=0.5)
    state = service.wait(job)
    assert len(state["solution"]["routes"]) > 1000
    plain = re.compile(r"(?<![\w.,#])\d{4,}")
    page = open_page(service, f"#/jobs/{job}", width=1440, height=900)
    page.get_by_test_id("tables").wait_for()
    written = [text for text, _, _ in drawn(page).texts]
    assert "10,000" in written
    assert plain.findall(" ".join(written)) == []
    while (more := page.get_by_role("button", name=re.compile("Show more"))).count():
        more.click()
    assert "1,000" in page.get_by_test_id("tables").locator("tbody").inner_text()
    assert plain.findall(page.locator("main").inner_text()) == []
    page.get_by_role("tab", name="customers").click()
    assert plain.findall(page.locator("main").inner_text()) == []
    page.get_by_role("button", name="Change and solve again").click()
    page.get_by_test_id("summary").wait_for()
    assert plain.findall(page.locator("main").inner_text()) == []
    assert page.get_by_label("Vehicle capacity").get_attribute("placeholder") == "5,000"
    page.goto(f"http://127.0.0.1:{service.port}/api/jobs/{job}/files/sheets")
    assert plain.findall(page.locator("body").inner_text()) == []
