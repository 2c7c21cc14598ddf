"""Tables of vehicle types and depots, and files that cannot do without them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from browsing import CUSTOMERS, drop, wait_for_end
from serving import Service

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page, Route

Open = Callable[..., "Page"]

FLEET = "type,count,capacity,depot\nlorry,2,12,North\nbike,3,4,South\n"
DEPOTS = "id,x,y,open,close\nNorth,0,0,0,100\nSouth,3,-4,0,90\n"
# Neither a depot nor a capacity; Anna wants a bike.
ONLY_CUSTOMERS = "id,x,y,demand,vehicle_types\nAnna,10,1,6,bike\nBert,10,0,8,\nCleo,10,-1,6,\n"


def choose(page: Page, where: str, **files: str) -> None:
    page.get_by_role("button", name="Choose a file").wait_for()
    page.locator(where).set_input_files(
        [
            {"name": f"{name}.csv", "mimeType": "text/csv", "buffer": text.encode()}
            for name, text in files.items()
        ]
    )


def wait_for_summary(page: Page, words: str) -> None:
    page.get_by_test_id("summary").filter(has_text=words).wait_for()


def start(service: Service, open_page: Open) -> tuple[Page, Locator]:
    page = open_page(service)
    drop(page, "a.csv", CUSTOMERS)
    wait_for_summary(page, "3 customers")
    rules = page.get_by_test_id("rules")
    rules.locator("> summary").click()
    return page, rules


def test_a_refused_table_changes_nothing_else(service: Service, open_page: Open) -> None:
    page, rules = start(service, open_page)
    everyone = rules.get_by_role("region", name="All customers")
    everyone.get_by_label("Unloading per visit").fill("2")
    choose(page, "#fleet-file", vehicles=FLEET)
    error = rules.get_by_role("region", name="Vehicle types").get_by_role("alert")
    error.filter(has_text="'North'; the depots are 'depot'").wait_for()
    wait_for_summary(page, "3 customers, total demand 20; vehicle capacity 10")
    assert everyone.get_by_label("Unloading per visit").input_value() == "2"
    # The depots make the refused table valid.
    choose(page, "#depots-file", depots=DEPOTS)
    wait_for_summary(page, "2 vehicle types: 2 lorry of 12, 3 bike of 4")
    assert page.get_by_role("alert").count() == 0
    assert everyone.get_by_label("Unloading per visit").input_value() == "2"
    assert rules.get_by_role("group", name="South").get_by_label("Open").input_value() == "0-90"


def test_a_table_refers_to_the_depots_of_the_form(service: Service, open_page: Open) -> None:
    page, rules = start(service, open_page)
    rules.get_by_role("group", name="depot").get_by_label("Name").fill("North")
    page.get_by_role("button", name="Add a depot").click()
    for label, value in (("Name", "South"), ("x", "3"), ("y", "-4")):
        rules.get_by_label(label, exact=True).nth(1).fill(value)
    choose(page, "#fleet-file", vehicles=FLEET)
    wait_for_summary(page, "2 vehicle types")
    assert rules.get_by_label("Name").nth(1).input_value() == "South"


def test_another_table_is_accepted_without_a_refused_one(service: Service, open_page: Open) -> None:
    page, rules = start(service, open_page)
    choose(page, "#fleet-file", vehicles=FLEET.replace("12", "-12"))
    page.locator("#fleet-error", has_text="-12").wait_for()
    choose(page, "#depots-file", depots=DEPOTS)
    rules.get_by_role("group", name="South").first.wait_for()
    assert page.locator("#fleet-error").is_visible()
    choose(page, "#fleet-file", vehicles=FLEET)
    wait_for_summary(page, "2 vehicle types")
    page.get_by_role("alert").wait_for(state="detached")


def test_files_are_chosen_at_once(service: Service, open_page: Open) -> None:
    page = open_page(service)
    choose(page, "#file", fleet=FLEET, customers=ONLY_CUSTOMERS, places=DEPOTS)
    wait_for_summary(page, "customers: 3 customers, total demand 20; 2 vehicle types")
    page.get_by_role("button", name="Solve").click()
    page.get_by_test_id("cost").wait_for()


def test_a_table_without_customers_says_so(service: Service, open_page: Open) -> None:
    page = open_page(service)
    choose(page, "#file", fleet=FLEET)
    page.locator("#instance-error", has_text="Choose the file with customers").wait_for()
    choose(page, "#file", a=CUSTOMERS, b=CUSTOMERS)
    page.locator("#instance-error", has_text="a.csv and b.csv both hold customers").wait_for()


def test_tables_are_loaded_one_by_one(service: Service, open_page: Open) -> None:
    page = open_page(service)
    drop(page, "a.csv", ONLY_CUSTOMERS)
    page.locator("#depots-error", has_text="The file has no depot").wait_for()
    page.locator("#capacity-error").wait_for()
    choose(page, "#fleet-file", vehicles=FLEET)
    page.locator("#capacity-error").wait_for(state="detached")
    choose(page, "#depots-file", depots=DEPOTS)
    wait_for_summary(page, "2 vehicle types")
    assert page.get_by_role("alert").count() == 0


def test_what_a_file_lacks_is_entered(service: Service, open_page: Open) -> None:
    page = open_page(service)
    drop(page, "a.csv", ONLY_CUSTOMERS)
    rules = page.get_by_test_id("rules")
    page.locator("#depots-error").wait_for()
    assert "`" not in page.locator("form").inner_text()
    rules.get_by_label("x", exact=True).fill("0")
    page.locator("#depots-0-y-error").wait_for()
    rules.get_by_label("y", exact=True).fill("1.125")
    rules.get_by_label("Open", exact=True).first.fill("0-100, 120-200")
    page.locator("#depots-error").wait_for(state="detached")
    page.get_by_label("Vehicle capacity").fill("9")
    page.locator("#fleet-error", has_text="'bike' is unknown").wait_for()
    for k, kind in enumerate(["bike", "van"]):
        page.get_by_role("button", name="Add a vehicle type").click()
        row = rules.get_by_test_id("vehicle-type").nth(k)
        row.get_by_label("Type", exact=True).fill(kind)
        row.get_by_label("Capacity").fill("10")
    wait_for_summary(page, "2 vehicle types: any number of bike of 10, any number of van of 10")
    assert page.get_by_role("alert").count() == 0
    assert rules.get_by_label("y", exact=True).input_value() == "1.125"
    assert rules.get_by_test_id("own-rules").count() == 1  # Anna's
    page.get_by_role("button", name="Solve").click()
    page.get_by_test_id("cost").wait_for()


def test_several_errors_have_a_line_each(service: Service, open_page: Open) -> None:
    page = open_page(service)
    drop(page, "a.csv", CUSTOMERS.replace("10,1,6", "ten,1,6").replace("10,0,8", "10,0,lots"))
    error = page.locator("#instance-error")
    error.wait_for()
    lines = error.inner_text().splitlines()
    assert [line.split(":")[0] for line in lines] == ["2 errors", "Line 4", "Line 5"]


def test_only_formats_that_hold_the_vehicles_are_offered(service: Service, open_page: Open) -> None:
    page = open_page(service)
    choose(page, "#file", customers=ONLY_CUSTOMERS, fleet=FLEET, depots=DEPOTS)
    wait_for_summary(page, "3 customers")
    page.get_by_role("button", name="Solve").click()
    page.get_by_role("link", name="Visits as CSV").wait_for()
    assert page.get_by_role("link", name="DIMACS text").count() == 0


def test_no_solution_without_splitting_is_said(service: Service, open_page: Open) -> None:
    page = open_page(service)
    choose(page, "#file", a=CUSTOMERS, fleet="type,count,capacity\nvan,2,10\n")
    wait_for_summary(page, "2 van of 10")
    page.get_by_text("Advanced").click()
    page.get_by_role("spinbutton", name="Seconds").fill("1")
    page.get_by_role("button", name="Solve").click()
    wait_for_end(page)
    words = "Without splitting: no solution found with this fleet."
    assert page.get_by_test_id("saving").inner_text() == words


def test_a_late_refusal_does_not_return(service: Service, open_page: Open) -> None:
    page, rules = start(service, open_page)
    late: list[Route] = []

    def hold(
        route: Route,
    ) -> None:  # Playwright marks handlers, which built-in methods do not allow
        late.append(route)

    page.route("**/api/instances", hold, times=1)
    field = rules.get_by_role("region", name="All customers").get_by_label("Open", exact=True)
    with page.expect_request("**/api/instances"):
        field.fill("50-20")
    field.fill("20-50")
    with page.expect_response("**/api/instances"):
        late[0].continue_()
    page.wait_for_timeout(100)  # less than until the next request
    assert page.get_by_role("alert").count() == 0


@pytest.mark.parametrize("width", [1400, 390])
def test_fields_with_errors_stay_in_line(service: Service, open_page: Open, width: int) -> None:
    page = open_page(service, width=width)
    drop(page, "a.csv", CUSTOMERS)
    wait_for_summary(page, "3 customers")
    page.get_by_test_id("rules").locator("> summary").click()
    page.get_by_role("button", name="Add a vehicle type").click()
    kind = page.get_by_test_id("vehicle-type")
    kind.get_by_label("Capacity").fill("-1")
    page.get_by_role("alert").wait_for()
    tops = {
        kind.get_by_label(name, exact=True).evaluate("(input) => input.getBoundingClientRect().top")
        for name in ("Type", "Count", "Capacity")
    }
    assert len(tops) == 1
