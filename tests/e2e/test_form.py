"""The form: what is typed is about one file, and what is wrong is said where one looks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from browsing import CUSTOMERS, drop
from serving import Service

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

Open = Callable[..., "Page"]

WITHOUT_CAPACITY = CUSTOMERS.split("\n", 1)[1]


def field(page: Page, label: str) -> Locator:
    return page.get_by_label(label, exact=True)


def found(page: Page, words: str) -> None:
    page.get_by_test_id("found").filter(has_text=words).wait_for()


def bottom(where: Locator) -> float:
    box = where.bounding_box()
    assert box is not None
    return float(box["y"] + box["height"])


def test_what_is_typed_for_one_file_is_not_kept_for_the_next(
    service: Service, open_page: Open
) -> None:
    page = open_page(service)
    drop(page, "a.csv", WITHOUT_CAPACITY)
    field(page, "A vehicle holds").fill("12")
    found(page, "a vehicle holds 12")
    field(page, "Vehicles").fill("9")
    field(page, "Smallest quantity").fill("0.5")
    page.get_by_text("Advanced").click()
    page.get_by_role("combobox", name="Distances").select_option("dimacs")
    drop(page, "b.csv", CUSTOMERS)
    found(page, "b: 3 customers, 20 to deliver in all; a vehicle holds 10")
    for label in ("A vehicle holds", "Vehicles", "Smallest quantity"):
        assert field(page, label).input_value() == "", label
    with page.expect_request("**/api/jobs") as posted:
        page.get_by_role("button", name="Solve").click()
    sent = posted.value.post_data_json
    assert (sent["vehicles"], sent["metric"]) == (None, None)
    assert not {"capacity", "unit"} & set(sent["instance"])


def test_what_is_typed_before_the_first_file_is_kept(service: Service, open_page: Open) -> None:
    page = open_page(service)
    field(page, "A vehicle holds").fill("12")
    drop(page, "a.csv", WITHOUT_CAPACITY)
    found(page, "a vehicle holds 12")


def test_fractions_are_said_in_sight_until_the_unit_is_typed(
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
    found(page, "14.5 to deliver in all")
    assert page.get_by_role("alert").count() == 0
    unit.fill("0.4")  # wrong again, and said without being asked
    error.filter(has_text="2.5").wait_for()
    unit.fill("0")
    page.locator("#unit-error").wait_for()
    assert unit.get_attribute("aria-invalid") == "true"
    unit.fill("0.25")
    found(page, "14.5 to deliver in all")
    assert page.get_by_role("alert").count() == 0


def test_an_error_goes_away_when_its_field_is_changed(service: Service, open_page: Open) -> None:
    page = open_page(service)
    drop(page, "a.csv", CUSTOMERS)
    found(page, "3 customers")
    page.get_by_text("Advanced").click()
    seconds = page.get_by_role("spinbutton", name="Seconds")
    seconds.fill("7200")
    page.get_by_role("button", name="Solve").click()
    page.get_by_role("alert").wait_for()
    seconds.fill("1")
    page.get_by_role("alert").wait_for(state="detached")


def test_solve_is_seen_without_scrolling(service: Service, open_page: Open) -> None:
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


def test_what_is_probably_not_meant_is_said(service: Service, open_page: Open) -> None:
    page = open_page(service)
    drop(page, "a.csv", "# capacity: 80\nid,x,y,demand\ndepot,0,0,\nA,1,1,10000000\n")
    page.get_by_text("needs 125,000 full vehicles").wait_for()
    drop(page, "b.csv", CUSTOMERS)
    found(page, "b: 3 customers")
    assert page.get_by_text("full vehicles").count() == 0
