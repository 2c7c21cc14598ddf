"""The form for a new job: fields belong to one file, and errors appear beside them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from browsing import CUSTOMERS, drop
from serving import Service

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

Open = Callable[..., "Page"]

WITHOUT_CAPACITY = CUSTOMERS.split("\n", 1)[1]


def field(page: Page, label: str) -> Locator:
    return page.get_by_label(label, exact=True)


def wait_for_summary(page: Page, words: str) -> None:
    page.get_by_test_id("summary").filter(has_text=words).wait_for()


def bottom(where: Locator) -> float:
    box = where.bounding_box()
    assert box is not None
    return float(box["y"] + box["height"])


def test_fields_are_cleared_for_the_next_file(service: Service, open_page: Open) -> None:
    page = open_page(service)
    drop(page, "a.csv", WITHOUT_CAPACITY)
    field(page, "Vehicle capacity").fill("12")
    wait_for_summary(page, "vehicle capacity 12")
    field(page, "Vehicles").fill("9")
    field(page, "Smallest quantity").fill("0.5")
    page.get_by_text("Advanced").click()
    page.get_by_role("combobox", name="Distances").select_option("dimacs")
    drop(page, "b.csv", CUSTOMERS)
    wait_for_summary(page, "b: 3 customers, total demand 20; vehicle capacity 10")
    for label in ("Vehicle capacity", "Vehicles", "Smallest quantity"):
        assert field(page, label).input_value() == "", label
    with page.expect_request("**/api/jobs") as posted:
        page.get_by_role("button", name="Solve").click()
    sent = posted.value.post_data_json
    assert (sent["vehicles"], sent["metric"]) == (None, None)
    assert not {"capacity", "unit"} & set(sent["instance"])


def test_fields_filled_in_before_the_first_file_are_kept(service: Service, open_page: Open) -> None:
    page = open_page(service)
    field(page, "Vehicle capacity").fill("12")
    drop(page, "a.csv", WITHOUT_CAPACITY)
    wait_for_summary(page, "vehicle capacity 12")


def test_the_error_about_fractions_is_visible_until_the_unit_is_filled_in(
    service: Service, open_page: Open
) -> None:
    page = open_page(service, width=1440, height=900)
    drop(page, "a.csv", "# unit: 1\n" + CUSTOMERS.replace("10,0,8", "10,0,2.5"))
    error = page.locator("#unit-error, #instance-error")
    unit = field(page, "Smallest quantity")
    error.filter(has_text="2.5").wait_for()
    assert max(bottom(error), bottom(unit)) <= 900
    assert abs(bottom(error) - bottom(unit)) < 200
    unit.fill("0.5")
    wait_for_summary(page, "total demand 14.5")
    assert page.get_by_role("alert").count() == 0
    unit.fill("0.4")  # wrong again
    error.filter(has_text="2.5").wait_for()
    unit.fill("0")
    page.locator("#unit-error").wait_for()
    assert unit.get_attribute("aria-invalid") == "true"
    unit.fill("0.25")
    wait_for_summary(page, "total demand 14.5")
    assert page.get_by_role("alert").count() == 0


def test_an_error_disappears_when_its_field_is_edited(service: Service, open_page: Open) -> None:
    page = open_page(service)
    drop(page, "a.csv", CUSTOMERS)
    wait_for_summary(page, "3 customers")
    page.get_by_text("Advanced").click()
    seconds = page.get_by_role("spinbutton", name="Seconds")
    seconds.fill("7200")
    page.get_by_role("button", name="Solve").click()
    page.get_by_role("alert").wait_for()
    seconds.fill("1")
    page.get_by_role("alert").wait_for(state="detached")


def test_solve_is_visible_without_scrolling(service: Service, open_page: Open) -> None:
    page = open_page(service, width=1440, height=900)
    solve = page.get_by_role("button", name="Solve")
    page.get_by_role("button", name="Choose a file").wait_for()
    assert bottom(solve) <= 900
    drop(page, "a.csv", WITHOUT_CAPACITY)
    page.locator("#capacity-error").wait_for()
    assert bottom(solve) <= 900
    # All of the form fits as long as nothing is opened.
    assert page.evaluate("document.querySelector('form').getBoundingClientRect().bottom") <= 900
    page.get_by_text("Advanced").click()
    assert bottom(solve) <= 900
    assert solve.evaluate(
        """(button) => {
            const { left, top, width, height } = button.getBoundingClientRect();
            return document.elementFromPoint(left + width / 2, top + height / 2) === button;
        }"""
    )


def test_likely_mistakes_are_warned_about(service: Service, open_page: Open) -> None:
    page = open_page(service)
    drop(page, "a.csv", "# capacity: 80\nid,x,y,demand\ndepot,0,0,\nA,1,1,10000000\n")
    page.get_by_text("needs 125,000 full vehicles").wait_for()
    drop(page, "b.csv", CUSTOMERS)
    wait_for_summary(page, "b: 3 customers")
    assert page.get_by_text("full vehicles").count() == 0


def test_a_missing_capacity_is_requested(service: Service, open_page: Open) -> None:
    page = open_page(service)
    page.get_by_role("button", name="Paste a table").click()
    page.get_by_label("Rows from a spreadsheet").fill(
        CUSTOMERS.split("\n", 1)[1].replace(",", "\t")
    )
    page.get_by_role("button", name="Use this table").click()
    field = page.get_by_label("Vehicle capacity")
    page.locator("#capacity-error", has_text="Enter the capacity").wait_for()
    assert field.get_attribute("aria-invalid") == "true"
    field.fill("12")
    field.press("Tab")
    page.get_by_test_id("summary").wait_for()
    assert "vehicle capacity 12" in page.get_by_test_id("summary").inner_text()
    assert page.get_by_role("alert").count() == 0


@pytest.mark.parametrize(
    ("name", "text", "where", "message"),
    [
        ("a.csv", CUSTOMERS.replace("10,0,8", "10,0,lots"), "#instance-error", "Line 5: .*'Bert'"),
        ("a.csv", "", "#instance-error", "a.csv is empty"),
        ("a.xlsx", "PK\0\0", "#instance-error", "Not a workbook, or a damaged one"),
        ("a.csv", CUSTOMERS.replace("depot", "Dora"), "#depots-error", "no depot"),
    ],
    ids=["number", "empty", "workbook", "no depot"],
)
def test_errors_of_a_file(
    service: Service, open_page: Open, name: str, text: str, where: str, message: str
) -> None:
    page = open_page(service)
    drop(page, name, text)
    error = page.locator(where)
    error.wait_for()
    words = error.inner_text()
    assert re.search(message, words), words
    assert "--" not in words


def test_errors_appear_beside_their_fields(service: Service, open_page: Open) -> None:
    page = open_page(service)
    page.get_by_role("button", name="Solve").click()
    assert "Drop a file, paste a table" in page.get_by_role("alert").inner_text()
    drop(page, "a.csv", CUSTOMERS)
    page.get_by_test_id("summary").wait_for()
    page.get_by_text("Advanced").click()
    page.get_by_role("spinbutton", name="Seconds").fill("7200")
    page.get_by_role("button", name="Solve").click()
    assert "at most 3600" in page.locator("label:has-text('Seconds') .error").inner_text()
    page.get_by_role("spinbutton", name="Seconds").fill("1")
    page.get_by_label("Vehicles", exact=True).fill("1")
    page.get_by_role("button", name="Solve").click()
    page.locator("#vehicles-error", has_text="at least 2").wait_for()


def test_a_click_right_after_typing_works(service: Service, open_page: Open) -> None:
    page = open_page(service, width=1400, height=1300)
    drop(page, "a.csv", CUSTOMERS.split("\n", 1)[1])
    field = page.get_by_label("Vehicle capacity")
    page.locator("#capacity-error", has_text="Enter the capacity").wait_for()
    field.press_sequentially("10")
    box = page.get_by_role("button", name="Solve").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 20, box["y"] + 10)
    page.mouse.down()
    page.wait_for_timeout(400)  # the response about the capacity arrives meanwhile
    page.mouse.up()
    page.get_by_test_id("cost").wait_for()


def test_windows_1252_files(service: Service, open_page: Open) -> None:
    page = open_page(service)
    page.get_by_role("button", name="Choose a file").wait_for()
    text = CUSTOMERS.replace("Anna", "Änne Müller").encode("windows-1252")
    page.locator("#file").set_input_files(
        [{"name": "a.csv", "mimeType": "text/csv", "buffer": text}]
    )
    page.get_by_test_id("summary").wait_for()
    page.get_by_role("button", name="Solve").click()
    page.get_by_test_id("cost").wait_for()
    page.get_by_role("tab", name="customers").click()
    assert page.get_by_role("button", name="Änne Müller").is_visible()
