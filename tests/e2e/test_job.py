"""A job on the page: from a file to its solution, downloads and comparisons."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import splitroute as sr
from browsing import CUSTOMERS, drop, wait_for_end
from deliveries import as_job, town, town_with_leftovers
from serving import Service, running
from splitroute.generate import set1

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Open = Callable[..., "Page"]


LONG = {"instance": {"customers": 300, "seed": 3}, "seconds": 60}


def colours(page: Page) -> int:
    """Return the number of colours on the first map."""
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


def test_from_a_dropped_csv_to_visits_and_driver_sheets(service: Service, open_page: Open) -> None:
    page = open_page(service)
    drop(page, "my shops.csv", CUSTOMERS)
    found = page.get_by_test_id("summary").inner_text()
    assert "my shops: 3 customers, total demand 20; vehicle capacity 10" in found
    page.get_by_text("Advanced").click()
    page.get_by_role("spinbutton", name="Seconds").fill("1")
    page.get_by_role("button", name="Solve").click()
    wait_for_end(page)
    assert "#/jobs/" in page.url
    assert page.get_by_test_id("cost").inner_text().startswith("42.10")
    assert "optimal (proven)" in page.locator("dl").inner_text()
    assert colours(page) > 20
    assert "Splitting saves" in page.get_by_test_id("saving").inner_text()
    assert page.get_by_role("row").filter(has_text="10 of 10").count() == 2
    page.get_by_role("tab", name="customers").click()
    split = page.get_by_role("row").filter(has_text="Bert").inner_text()
    assert re.search(r"1: \d\s*2: \d", split), split

    with page.expect_download() as waiting:
        page.get_by_role("link", name="Visits as CSV").click()
    assert waiting.value.suggested_filename == "my-shops.csv"
    text = Path(waiting.value.path()).read_text(encoding="utf-8-sig")
    visits = list(csv.DictReader(io.StringIO(text)))
    assert {visit["id"] for visit in visits} == {"Anna", "Bert", "Cleo"}
    assert sum(float(visit["quantity"]) for visit in visits) == 20
    with page.expect_popup() as opened:
        page.get_by_role("link", name="Print driver sheets").click()
    opened.value.get_by_role("heading", name="vehicle 2 of 2").wait_for()


def test_a_stopped_job_keeps_its_best_solution(service: Service, open_page: Open) -> None:
    page = open_page(service, f"#/jobs/{service.post(**LONG)}")
    page.get_by_test_id("cost").wait_for()
    page.get_by_role("button", name="Stop and keep the best").click()
    wait_for_end(page, "cancelled")
    assert "best solution so far" in page.get_by_test_id("status").inner_text()
    assert page.get_by_role("link", name="Visits as CSV").is_visible()


def test_a_running_job_survives_a_reload(service: Service, open_page: Open) -> None:
    job = service.post(**{**LONG, "seconds": 12})
    page = open_page(service, f"#/jobs/{job}")
    page.get_by_test_id("cost").wait_for()
    page.reload()
    page.get_by_test_id("cost").wait_for()
    assert service.state(job)["status"] == "running"
    wait_for_end(page)
    curve = page.get_by_role("img", name=re.compile("Convergence chart: cost"))
    assert curve.is_visible()


def test_the_cost_is_updated_while_the_job_runs(service: Service, open_page: Open) -> None:
    instance = {"customers": 800, "capacity": 1000, "low": 0.01, "high": 0.3}
    page = open_page(service, f"#/jobs/{service.post(instance=instance, seconds=6)}")
    page.get_by_test_id("cost").wait_for()
    seen = set()
    while page.get_by_test_id("status").get_attribute("data-status") == "running":
        seen.add(page.get_by_test_id("cost").inner_text())
        page.wait_for_timeout(200)
    assert len(seen) > 2, "the cost was not updated"


def test_a_job_is_changed_and_solved_again(service: Service, open_page: Open) -> None:
    job = service.post(instance={"benchmark": "SD4"}, seconds=0.3, rule="pasa", levels=3)
    service.wait(job)
    page = open_page(service, f"#/jobs/{job}")
    page.get_by_label("PASA's rings and pieces").check()
    assert page.get_by_label("L", exact=True).input_value() == "3"
    page.get_by_role("button", name="Change and solve again").click()
    assert "SD4: 24 customers" in page.get_by_test_id("summary").inner_text()
    page.get_by_text("Advanced").click()
    assert page.get_by_label("Rings, L").input_value() == "3"
    page.get_by_label("Rings, L").fill("2")
    page.get_by_role("button", name="Solve").click()
    wait_for_end(page)
    assert "pasa:p=2:L=2+native" in page.locator(".method").inner_text()
    page.go_back()
    assert "SD4: 24 customers" in page.get_by_test_id("summary").inner_text()


def test_copy_link_and_delete(service: Service, open_page: Open) -> None:
    job = service.post()
    service.wait(job)
    page = open_page(service, f"#/jobs/{job}")
    page.get_by_role("button", name="Copy link").click()
    page.get_by_role("button", name="Link copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()").endswith(job)
    page.get_by_role("link", name="History").click()
    remove = page.get_by_role("button", name=re.compile("^Delete")).first
    page.once("dialog", lambda dialog: dialog.dismiss())
    remove.click()
    assert service.state(job)["status"] == "done"
    page.once("dialog", lambda dialog: dialog.accept())
    remove.click()
    page.locator(f"a[href='#/jobs/{job}']").wait_for(state="detached")
    assert service.client.get(f"/api/jobs/{job}").status_code == 404


def test_a_job_cancelled_while_it_waits_has_no_solution(tmp_path: Path, open_page: Open) -> None:
    with running(tmp_path, "--workers", "1") as service:
        service.wait(service.post(**LONG), "running")
        queued = service.post(**LONG)
        page = open_page(service, f"#/jobs/{queued}")
        page.get_by_role("button", name="Cancel").click()
        wait_for_end(page, "cancelled")
        assert page.get_by_test_id("status").inner_text().strip() == "Cancelled"
        page.get_by_text("There is no solution.").wait_for()


def test_compare_two_jobs(service: Service, open_page: Open) -> None:
    instance = {"benchmark": "SD2"}
    jobs = [service.post(instance=instance, rule=rule, seconds=0.5) for rule in ("none", "free")]
    for job in jobs:
        service.wait(job)
    page = open_page(service, "#/history")
    boxes = page.get_by_role("checkbox", name=re.compile("Compare SD2"))
    boxes.nth(0).check()
    boxes.nth(1).check()
    page.get_by_role("button", name="Compare selected").click()
    words = page.get_by_test_id("difference").inner_text()
    assert re.search(r"The (left|right) solution is shorter by 1\d\.\d %", words), words
    assert page.get_by_test_id("map").count() == 2


def test_costs_of_different_deliveries_are_not_compared(service: Service, open_page: Open) -> None:
    instance = town_with_leftovers()
    jobs = []
    for count in (2, 1):
        for vehicle in instance["vehicles"]:
            vehicle["count"] = count
        jobs.append(service.post(**as_job(instance, seconds=0.5)))
    left, right = (service.wait(job)["undelivered"] for job in jobs)
    assert left < right
    page = open_page(service, f"#/compare/{jobs[0]}/{jobs[1]}")
    words = page.get_by_test_id("difference").inner_text()
    more = f"{right - left:g}"
    assert words == f"The left solution delivers {more} more, so the costs cannot be compared."


def test_costs_with_prices_are_cheaper_not_shorter(service: Service, open_page: Open) -> None:
    instances = [town(), town()]
    for vehicle in instances[1]["vehicles"]:
        vehicle["fixed_cost"] = 1000
    jobs = [service.post(**as_job(instance, seconds=0.5)) for instance in instances]
    for job in jobs:
        service.wait(job)
    page = open_page(service, f"#/compare/{jobs[0]}/{jobs[1]}")
    words = page.get_by_test_id("difference").inner_text()
    assert words.startswith("The left solution is cheaper by ")


def test_compare_with_the_baseline(service: Service, open_page: Open) -> None:
    job = service.post(instance={"benchmark": "SD2"}, seconds=0.5, baseline=True)
    service.wait(job)
    page = open_page(service, f"#/jobs/{job}")
    page.get_by_role("button", name="Show both side by side").click()
    assert page.get_by_test_id("map").count() == 2
    assert page.get_by_role("heading", name=re.compile("Without splitting: [89]")).is_visible()


def test_table_and_map_share_the_focus(service: Service, open_page: Open) -> None:
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
    for step in range(400):  # over the map until a customer is hit
        x, y = box["x"] + 20 + 37 * step % (box["width"] - 40), box["y"] + 20 + 1.6 * step
        page.mouse.move(x, y)
        if page.locator(".tooltip").count():
            found = page.locator(".tooltip").inner_text()
            break
    assert found
    assert "demand" in found
    assert page.get_by_test_id("tables").locator("tr.lit").count() >= 1


def test_a_tap_shows_the_tooltip(service: Service, open_page: Open, browser: Browser) -> None:
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
        if page.locator(".tooltip").count():
            break
    page.wait_for_timeout(200)
    assert "demand" in page.locator(".tooltip").inner_text()
    context.close()


def test_rings_and_pieces_of_pasa(service: Service, open_page: Open) -> None:
    job = service.post(instance={"benchmark": "SD6"}, seconds=0.5)
    service.wait(job)
    page = open_page(service, f"#/jobs/{job}")
    page.get_by_label("PASA's rings and pieces").check()
    page.get_by_role("tab", name="customers").click()
    page.get_by_role("columnheader", name="PASA's pieces").wait_for()
    plan = sr.split(set1(6), levels=2)
    first = " + ".join(str(size) for size in plan.pieces[0])
    assert first in page.get_by_test_id("tables").locator("tbody tr").first.inner_text()
