"""What people do on the page, in a real browser."""

from __future__ import annotations

import csv
import io
import re
import threading
from base64 import b64decode
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import splitroute as sr
from browsing import CUSTOMERS, drop, finished
from serving import Service
from splitroute.generate import set1

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Open = Callable[..., "Page"]

LONG = {"instance": {"customers": 300, "seed": 3}, "seconds": 60}


def colours(page: Page) -> int:
    """How many colours there are on the first map: more than its paper has, if routes are drawn."""
    return int(
        page.evaluate(
            """() => {
                const canvas = document.querySelector("[data-testid=map] > canvas");
                const { width, height } = canvas;
                const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
                const seen = new Set();
                for (let k = 0; k < data.length; k += 4) {
                    const opaque = data[k + 3] === 255;
                    if (opaque) seen.add((data[k] << 16) | (data[k + 1] << 8) | data[k + 2]);
                }
                return seen.size;
            }"""
        )
    )


def test_from_a_dropped_csv_to_stops_and_sheets(service: Service, open_page: Open) -> None:
    page = open_page(service)
    drop(page, "my shops.csv", CUSTOMERS)
    found = page.get_by_test_id("found").inner_text()
    assert "my shops: 3 customers, 20 to deliver in all; a vehicle holds 10" in found
    page.get_by_text("Advanced").click()
    page.get_by_role("spinbutton", name="Seconds").fill("1")
    page.get_by_role("button", name="Solve").click()
    finished(page)
    assert "#/jobs/" in page.url
    assert page.get_by_test_id("cost").inner_text().startswith("42.10")
    assert "proven optimal" in page.locator("dl").inner_text()
    assert colours(page) > 20
    assert "Splitting saves" in page.get_by_test_id("saving").inner_text()
    assert page.get_by_role("row").filter(has_text="10 of 10").count() == 2
    page.get_by_role("tab", name="customers").click()
    split = page.get_by_role("row").filter(has_text="Bert").inner_text()
    assert re.search(r"1: \d\s*2: \d", split), split

    with page.expect_download() as waiting:
        page.get_by_role("link", name="Stops as CSV").click()
    assert waiting.value.suggested_filename == "my-shops.csv"
    text = Path(waiting.value.path()).read_text(encoding="utf-8-sig")
    stops = list(csv.DictReader(io.StringIO(text)))
    assert {stop["id"] for stop in stops} == {"Anna", "Bert", "Cleo"}
    assert sum(float(stop["quantity"]) for stop in stops) == 20
    with page.expect_popup() as opened:
        page.get_by_role("link", name="Print driver sheets").click()
    opened.value.wait_for_load_state()
    assert "vehicle 2 of 2" in opened.value.inner_text("body")


def test_pasted_without_capacity_it_asks_for_it(service: Service, open_page: Open) -> None:
    page = open_page(service)
    page.get_by_role("button", name="Paste a table").click()
    page.get_by_label("Rows from a spreadsheet").fill(
        CUSTOMERS.split("\n", 1)[1].replace(",", "\t")
    )
    page.get_by_role("button", name="Use this").click()
    field = page.get_by_label("A vehicle holds")
    page.locator("#capacity-error", has_text="Fill this in").wait_for()
    assert field.get_attribute("aria-invalid") == "true"
    field.fill("12")
    field.press("Tab")
    page.get_by_test_id("found").wait_for()
    assert "a vehicle holds 12" in page.get_by_test_id("found").inner_text()
    assert page.get_by_role("alert").count() == 0


@pytest.mark.parametrize(
    ("name", "text", "where", "message"),
    [
        ("a.csv", CUSTOMERS.replace("10,0,8", "10,0,lots"), "#instance-error", "Line 5: .*'Bert'"),
        ("a.csv", "", "#instance-error", "a.csv is empty"),
        ("a.xlsx", "PK\0\0", "#instance-error", "save it as CSV"),
        ("a.csv", CUSTOMERS.replace("depot", "Dora"), "#instance-error", "No depot"),
    ],
    ids=["number", "empty", "workbook", "no depot"],
)
def test_what_is_wrong_is_said_where_it_is(
    service: Service, open_page: Open, name: str, text: str, where: str, message: str
) -> None:
    page = open_page(service)
    drop(page, name, text)
    error = page.locator(where)
    error.wait_for()
    words = error.inner_text()
    assert re.search(message, words), words
    assert "--" not in words


def test_fields_out_of_range_are_said_where_they_are(service: Service, open_page: Open) -> None:
    page = open_page(service)
    page.get_by_role("button", name="Solve").click()
    assert "First drop a file" in page.get_by_role("alert").inner_text()
    drop(page, "a.csv", CUSTOMERS)
    page.get_by_test_id("found").wait_for()
    page.get_by_text("Advanced").click()
    page.get_by_role("spinbutton", name="Seconds").fill("7200")
    page.get_by_role("button", name="Solve").click()
    assert "at most 3600" in page.locator("label:has-text('Seconds') .error").inner_text()
    page.get_by_role("spinbutton", name="Seconds").fill("1")
    page.get_by_label("Vehicles", exact=True).fill("1")
    page.get_by_role("button", name="Solve").click()
    page.locator("#vehicles-error", has_text="takes 2").wait_for()


def test_a_click_right_after_typing_is_not_lost(service: Service, open_page: Open) -> None:
    page = open_page(service, width=1400, height=1300)
    drop(page, "a.csv", CUSTOMERS.split("\n", 1)[1])
    field = page.get_by_label("A vehicle holds")
    page.locator("#capacity-error", has_text="Fill this in").wait_for()
    field.press_sequentially("10")
    box = page.get_by_role("button", name="Solve").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 20, box["y"] + 10)
    page.mouse.down()
    page.wait_for_timeout(400)  # the answer about the capacity comes in the meantime
    page.mouse.up()
    page.get_by_test_id("cost").wait_for()


def test_files_of_windows_keep_their_umlauts(service: Service, open_page: Open) -> None:
    page = open_page(service)
    page.get_by_role("button", name="Choose a file").wait_for()
    text = CUSTOMERS.replace("Anna", "Änne Müller").encode("windows-1252")
    page.locator("#file").set_input_files(
        [{"name": "a.csv", "mimeType": "text/csv", "buffer": text}]
    )
    page.get_by_test_id("found").wait_for()
    page.get_by_role("button", name="Solve").click()
    page.get_by_test_id("cost").wait_for()
    page.get_by_role("tab", name="customers").click()
    assert page.get_by_role("button", name="Änne Müller").is_visible()


def test_coming_back_finds_what_was_filled_in_and_solves_again(
    service: Service, open_page: Open
) -> None:
    job = service.post(instance={"benchmark": "SD4"}, seconds=0.3, rule="pasa", levels=3)
    service.wait(job)
    page = open_page(service, f"#/jobs/{job}")
    page.get_by_label("PASA's rings and pieces").check()
    assert page.get_by_label("L", exact=True).input_value() == "3"
    page.get_by_role("button", name="Change and solve again").click()
    assert "SD4: 24 customers" in page.get_by_test_id("found").inner_text()
    page.get_by_text("Advanced").click()
    assert page.get_by_label("Rings, L").input_value() == "3"
    page.get_by_label("Rings, L").fill("2")
    page.get_by_role("button", name="Solve").click()
    finished(page)
    assert "pasa:L=2:p=2+native" in page.locator(".method").inner_text()
    page.go_back()
    assert "SD4: 24 customers" in page.get_by_test_id("found").inner_text()


def test_links_are_copied_and_plans_removed_if_one_is_sure(
    service: Service, open_page: Open
) -> None:
    job = service.post()
    service.wait(job)
    page = open_page(service, f"#/jobs/{job}")
    page.get_by_role("button", name="Copy link").click()
    page.get_by_role("button", name="Link copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()").endswith(job)
    page.get_by_role("link", name="History").click()
    remove = page.get_by_role("button", name=re.compile("^Remove")).first
    page.once("dialog", lambda asked: asked.dismiss())
    remove.click()
    assert service.state(job)["status"] == "done"
    page.once("dialog", lambda asked: asked.accept())
    remove.click()
    page.locator(f"a[href='#/jobs/{job}']").wait_for(state="detached")
    assert service.client.get(f"/api/jobs/{job}").status_code == 404


def test_a_tap_shows_who_brings_what(service: Service, open_page: Open, browser: Browser) -> None:
    job = service.post()
    service.wait(job)
    context = browser.new_context(viewport={"width": 375, "height": 700}, has_touch=True)
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{service.port}/#/jobs/{job}")
    page.get_by_test_id("cost").wait_for()
    box = page.get_by_test_id("map").bounding_box()
    assert box is not None
    for step in range(300):
        x, y = box["x"] + 20 + 23 * step % (box["width"] - 40), box["y"] + 20 + 1.2 * step
        page.touchscreen.tap(x, y)
        if page.locator(".tip").count():
            break
    page.wait_for_timeout(200)
    assert "wants" in page.locator(".tip").inner_text()
    context.close()


def test_stopped_early_it_keeps_the_best(service: Service, open_page: Open) -> None:
    page = open_page(service, f"#/jobs/{service.post(**LONG)}")
    page.get_by_test_id("cost").wait_for()
    page.get_by_role("button", name="Stop and keep the best").click()
    finished(page, "cancelled")
    assert "best plan so far" in page.get_by_test_id("status").inner_text()
    assert page.get_by_role("link", name="Stops as CSV").is_visible()


def test_reloaded_in_the_middle_it_goes_on(service: Service, open_page: Open) -> None:
    job = service.post(**{**LONG, "seconds": 12})
    page = open_page(service, f"#/jobs/{job}")
    page.get_by_test_id("cost").wait_for()
    page.reload()
    page.get_by_test_id("cost").wait_for()
    assert service.state(job)["status"] == "running"
    finished(page)
    curve = page.get_by_role("img", name=re.compile("Chart over time: cost"))
    assert curve.is_visible()


def test_the_routes_are_watched_as_they_improve(service: Service, open_page: Open) -> None:
    instance = {"customers": 800, "capacity": 1000, "low": 0.01, "high": 0.3}
    page = open_page(service, f"#/jobs/{service.post(instance=instance, seconds=6)}")
    page.get_by_test_id("cost").wait_for()
    seen = set()
    while page.get_by_test_id("status").get_attribute("data-status") == "running":
        seen.add(page.get_by_test_id("cost").inner_text())
        page.wait_for_timeout(200)
    assert len(seen) > 2, "the cost did not change before everyone's eyes"


def test_two_runs_are_compared(service: Service, open_page: Open) -> None:
    instance = {"benchmark": "SD2"}
    jobs = [service.post(instance=instance, rule=rule, seconds=0.5) for rule in ("none", "free")]
    for job in jobs:
        service.wait(job)
    page = open_page(service, "#/history")
    boxes = page.get_by_role("checkbox", name=re.compile("Compare SD2"))
    boxes.nth(0).check()
    boxes.nth(1).check()
    page.get_by_role("button", name="Compare the two chosen").click()
    words = page.get_by_test_id("difference").inner_text()
    assert re.search(r"The (left|right) plan is shorter by 1\d\.\d %", words), words
    assert page.get_by_test_id("map").count() == 2


def test_splitting_beside_not_splitting(service: Service, open_page: Open) -> None:
    job = service.post(instance={"benchmark": "SD2"}, seconds=0.5, baseline=True)
    service.wait(job)
    page = open_page(service, f"#/jobs/{job}")
    page.get_by_role("button", name="Show both side by side").click()
    assert page.get_by_test_id("map").count() == 2
    assert page.get_by_role("heading", name=re.compile("Without: [89]")).is_visible()


def test_table_and_map_light_up_together(service: Service, open_page: Open) -> None:
    job = service.post(seconds=0.3)
    service.wait(job)
    page = open_page(service, f"#/jobs/{job}")
    page.get_by_test_id("cost").wait_for()
    overlay = "[data-testid=map] [role=application] canvas"
    blank = page.locator(overlay).screenshot()
    page.get_by_test_id("tables").locator("tbody tr").nth(1).hover()
    page.wait_for_timeout(300)
    assert page.locator(overlay).screenshot() != blank
    box = page.get_by_test_id("map").bounding_box()
    assert box is not None
    found = None
    for step in range(400):  # over the map until a customer answers
        x, y = box["x"] + 20 + 37 * step % (box["width"] - 40), box["y"] + 20 + 1.6 * step
        page.mouse.move(x, y)
        if page.locator(".tip").count():
            found = page.locator(".tip").inner_text()
            break
    assert found
    assert "wants" in found
    assert page.get_by_test_id("tables").locator("tr.lit").count() >= 1


def test_rings_of_pasa(service: Service, open_page: Open) -> None:
    job = service.post(instance={"benchmark": "SD6"}, seconds=0.5)
    service.wait(job)
    page = open_page(service, f"#/jobs/{job}")
    page.get_by_label("PASA's rings and pieces").check()
    page.get_by_role("tab", name="customers").click()
    page.get_by_role("columnheader", name="PASA's pieces").wait_for()
    plan = sr.split(set1(6), levels=2)
    first = " + ".join(str(size) for size in plan.pieces[0])
    assert first in page.get_by_test_id("tables").locator("tbody tr").first.inner_text()


def test_keyboard_alone(service: Service, open_page: Open) -> None:
    page = open_page(service)
    page.get_by_role("button", name="Random town").wait_for()
    page.get_by_role("button", name="Random town").focus()
    page.keyboard.press("Enter")
    page.get_by_test_id("found").wait_for()
    page.get_by_role("radio", name="quick").focus()
    page.keyboard.press("ArrowDown")  # to good, which leaves time to press more keys
    page.keyboard.press("Enter")  # sends the form, as in any form
    page.get_by_test_id("cost").wait_for()
    chart = page.get_by_role("application")
    chart.focus()
    before = page.locator("[data-testid=map] > canvas").screenshot()
    page.keyboard.press("+")
    page.wait_for_timeout(300)
    assert page.locator("[data-testid=map] > canvas").screenshot() != before
    page.get_by_role("button", name="Stop and keep the best").focus()
    page.keyboard.press("Enter")
    finished(page, "cancelled")


def test_on_a_phone_nothing_is_wider_than_the_screen(service: Service, open_page: Open) -> None:
    job = service.post(instance={"benchmark": "SD4"}, seconds=0.5, baseline=True)
    service.wait(job)
    for path in ("", f"#/jobs/{job}", "#/history", f"#/compare/{job}/{job}"):
        page = open_page(service, path, width=375, height=700)
        page.wait_for_load_state("networkidle")
        page.wait_for_timeout(300)
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= 375, f"{path or 'start'} is {wide} wide"


def test_an_unknown_job_is_no_blank_page(service: Service, open_page: Open) -> None:
    page = open_page(service, "#/jobs/" + "0" * 32)
    assert "there is no job" in page.get_by_role("alert").inner_text()
    assert page.get_by_role("link", name="Make a new plan").is_visible()


def test_a_token_is_asked_for_once(tmp_path: Path, open_page: Open) -> None:
    service = Service(tmp_path, "--token", "open sesame")
    try:
        page = open_page(service)
        page.get_by_label("Token").fill("wrong")
        page.get_by_role("button", name="Enter").click()
        assert "not the token" in page.get_by_role("alert").inner_text()
        page.get_by_label("Token").fill("open sesame")
        page.get_by_role("button", name="Enter").click()
        page.get_by_role("button", name="Star").click()
        page.get_by_text("Advanced").click()
        page.get_by_role("spinbutton", name="Seconds").fill("1")
        page.get_by_role("button", name="Solve").click()
        finished(page)
        with page.expect_download() as waiting:
            page.get_by_role("link", name="JSON", exact=True).click()
        assert waiting.value.suggested_filename == "SD8.json"
    finally:
        service.close()


TILE = b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


class Tiles(BaseHTTPRequestHandler):
    """The same tile everywhere."""

    asked: list[str]

    def do_GET(self) -> None:
        type(self).asked.append(self.path)
        self.send_response(200)
        self.send_header("Content-Type", "image/png")
        self.send_header("Access-Control-Allow-Origin", "*")
        self.end_headers()
        self.wfile.write(TILE)

    def log_message(self, format: str, *args: Any) -> None:
        pass


def test_tiles_are_shown_where_the_operator_has_some(tmp_path: Path, open_page: Open) -> None:
    Tiles.asked = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Tiles)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_address[1]}/{{z}}/{{x}}/{{y}}.png"
    service = Service(tmp_path, "--tiles", address, "--attribution", "tiles of the test")
    try:
        page = open_page(service)
        page.get_by_role("button", name="Bakery", exact=True).click()
        page.get_by_text("tiles of the test").wait_for()
        for _ in range(100):
            if Tiles.asked:
                break
            page.wait_for_timeout(100)
        assert re.fullmatch(r"/\d+/\d+/\d+\.png", Tiles.asked[0])
    finally:
        service.close()
        server.shutdown()
        server.server_close()
