"""Vehicle types, opening hours and other rules, entered without a file."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from browsing import CUSTOMERS, drop, wait_for_end
from deliveries import as_job, town
from serving import Service

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

Open = Callable[..., "Page"]


def open_rules(page: Page) -> Locator:
    rules = page.get_by_test_id("rules")
    rules.locator("> summary").click()
    return rules


def start(service: Service, open_page: Open, **options: Any) -> tuple[Page, Locator]:
    page = open_page(service, **options)
    drop(page, "a.csv", CUSTOMERS)
    page.get_by_test_id("summary").wait_for()
    return page, open_rules(page)


def submitted(page: Page) -> Any:
    with page.expect_request("**/api/jobs") as posted:
        page.get_by_role("button", name="Solve").click()
    return posted.value.post_data_json


def test_rules_are_closed_and_unused_by_default(service: Service, open_page: Open) -> None:
    page = open_page(service)
    drop(page, "a.csv", CUSTOMERS)
    page.get_by_test_id("summary").wait_for()
    assert not page.get_by_role("button", name="Add a vehicle type").is_visible()
    assert submitted(page)["instance"] == {"format": "csv", "text": CUSTOMERS, "name": "a"}


def test_a_fleet_and_windows_are_entered(service: Service, open_page: Open) -> None:
    page, rules = start(service, open_page)
    page.get_by_role("button", name="Add a vehicle type").click()
    first = rules.get_by_test_id("vehicle-type").nth(0)
    first.get_by_label("Type", exact=True).fill("truck")
    assert first.get_by_label("Capacity").input_value() == "10"
    first.get_by_label("Count").fill("1")
    page.get_by_role("button", name="Add a vehicle type").click()
    second = rules.get_by_test_id("vehicle-type").nth(1)
    second.get_by_label("Type", exact=True).fill("van")
    second.get_by_label("Capacity").fill("7")
    second.locator("summary").click()
    second.get_by_label("Shift").fill("0-90")
    second.get_by_label("Trips, at most").fill("2")
    second.get_by_label("Cost per vehicle used").fill("3")
    everyone = rules.get_by_role("region", name="All customers")
    everyone.get_by_label("Open", exact=True).fill("0-80")
    everyone.get_by_label("Unloading per visit").fill("2")
    rules.get_by_label("Customer with other rules").fill("Bert")
    rules.get_by_role("button", name="Add", exact=True).click()
    own = rules.get_by_test_id("own-rules")
    own.get_by_label("Open", exact=True).fill("5-20, 40-60")
    own.get_by_label("van").uncheck()
    page.get_by_test_id("summary").filter(
        has_text="2 vehicle types: 1 truck of 10, any number of van of 7"
    ).wait_for()
    assert page.get_by_role("alert").count() == 0
    page.get_by_text("Advanced").click()
    page.get_by_role("spinbutton", name="Seconds").fill("1")
    sent = json.loads(submitted(page)["instance"]["text"])
    assert sent["vehicles"] == [
        {"type": "truck", "count": 1, "capacity": 10},
        {
            "type": "van", "capacity": 7, "fixed_cost": 3, "max_trips": 2, "shift": [0, 90],
        },
    ]  # fmt: skip
    anna, bert, _ = sent["customers"]
    assert (anna["windows"], anna["service"]) == ([[0, 80]], 2)
    assert (bert["windows"], bert["vehicle_types"]) == ([[5, 20], [40, 60]], ["truck"])
    wait_for_end(page)
    page.get_by_test_id("timeline").wait_for()


def test_depots_speed_and_leftovers_are_entered(service: Service, open_page: Open) -> None:
    page, rules = start(service, open_page)
    page.get_by_role("button", name="Add a depot").click()
    second = rules.get_by_role("group", name="depot2")
    second.get_by_label("Name").fill("south")
    rules.get_by_label("x", exact=True).nth(1).fill("3")
    rules.get_by_label("y", exact=True).nth(1).fill("-4")
    rules.get_by_label("Speed").fill("2")
    rules.get_by_label("deliver as much as possible").check()
    page.get_by_role("button", name="Add a vehicle type").click()
    kind = rules.get_by_test_id("vehicle-type")
    kind.locator("summary").click()
    kind.get_by_label("Depot", exact=True).select_option("south")
    sent = json.loads(submitted(page)["instance"]["text"])
    assert sent["depots"][1] == {"id": "south", "x": 3, "y": -4}
    assert (sent["speed"], sent["partial"]) == (2, True)
    assert sent["vehicles"][0]["depot"] == "south"


@pytest.mark.parametrize(
    ("label", "value"),
    [("Open", "50-20"), ("Open", "soon"), ("Smallest delivery", "100"), ("Visits, at most", "0")],
)
def test_errors_appear_beside_their_rules(
    service: Service, open_page: Open, label: str, value: str
) -> None:
    page, rules = start(service, open_page)
    field = rules.get_by_role("region", name="All customers").get_by_label(label, exact=True)
    field.fill(value)
    error = page.get_by_role("alert")
    error.wait_for()
    assert field.get_attribute("aria-invalid") == "true", error.inner_text()
    assert error.get_attribute("id") == field.get_attribute("aria-describedby")
    field.fill("")
    error.wait_for(state="detached")


def test_errors_of_a_vehicle_type_appear_beside_it(service: Service, open_page: Open) -> None:
    page, rules = start(service, open_page)
    page.get_by_role("button", name="Add a vehicle type").click()
    kind = rules.get_by_test_id("vehicle-type")
    kind.get_by_label("Capacity").fill("-1")
    page.get_by_role("alert").wait_for()
    assert kind.get_by_label("Capacity").get_attribute("aria-invalid") == "true"
    page.get_by_role("button", name="Solve").click()
    assert "#/jobs" not in page.url
    kind.get_by_label("Capacity").fill("12")
    page.get_by_role("alert").wait_for(state="detached")


def test_the_rules_of_a_file_are_shown_and_changed(service: Service, open_page: Open) -> None:
    page = open_page(service)
    instance = town()
    drop(page, "town.json", json.dumps(instance))
    page.get_by_test_id("summary").filter(has_text="2 vehicle types").wait_for()
    rules = open_rules(page)
    assert "in use" in rules.locator("> summary").inner_text()
    types = rules.get_by_test_id("vehicle-type")
    assert [types.nth(k).get_by_label("Type", exact=True).input_value() for k in range(2)] == [
        "large",
        "small",
    ]
    for k, depot in enumerate(["north", "south"]):
        types.nth(k).locator("summary").click()
        chosen = types.nth(k).get_by_label("Depot", exact=True).locator("option:checked")
        assert chosen.inner_text() == depot
    assert types.nth(1).get_by_label("Shift").input_value() == "0-400"
    everyone = rules.get_by_role("region", name="All customers")
    assert everyone.get_by_label("Unloading per visit").input_value() == "4"
    assert rules.get_by_test_id("own-rules").first.inner_text().startswith("Shop 1")
    everyone.get_by_label("Visits, at most").fill("2")
    sent = json.loads(submitted(page)["instance"]["text"])
    assert sent["customers"][0] == {**instance["customers"][0], "max_visits": 2}
    assert sent["vehicles"] == instance["vehicles"]


@pytest.mark.parametrize("names", [{"durations"}, {"matrix", "durations"}])
def test_tables_of_a_file_are_kept_with_new_rules(
    service: Service, open_page: Open, names: set[str]
) -> None:
    places = [{"x": 3, "y": 0, "demand": 6}, {"x": 0, "y": 4, "demand": 8}]
    instance = {"capacity": 10, "depot": {"x": 0, "y": 0}, "customers": places}
    tables = {name: [[0, 3, 4], [3, 0, 5], [4, 5, 0]] for name in sorted(names)}
    page = open_page(service)
    drop(page, "town.json", json.dumps({**instance, **tables}))
    page.get_by_test_id("summary").filter(has_text="2 customers").wait_for()
    open_rules(page).get_by_label("deliver as much as possible").check()
    sent = json.loads(submitted(page)["instance"]["text"])
    assert sent["partial"]
    assert {name: sent[name] for name in names} == tables


def test_the_rules_of_a_job_can_be_changed(service: Service, open_page: Open) -> None:
    job = service.post(**as_job(town(), seconds=0.5))
    service.wait(job)
    page = open_page(service, f"#/jobs/{job}")
    page.get_by_role("button", name="Change and solve again").click()
    rules = open_rules(page)
    types = rules.get_by_test_id("vehicle-type")
    types.first.get_by_label("Count").fill("5")
    sent = json.loads(submitted(page)["instance"]["text"])
    assert [vehicle["count"] for vehicle in sent["vehicles"]] == [5, 2]
    assert len(sent["depots"]) == 2


def test_a_table_of_vehicles_is_loaded(service: Service, open_page: Open) -> None:
    page, rules = start(service, open_page)
    table = "type,capacity,count,shift_from,shift_to\nlorry,12,2,0,100\nbike,2,,,\n"
    page.locator("#fleet-file").set_input_files(
        [{"name": "vehicles.csv", "mimeType": "text/csv", "buffer": table.encode()}]
    )
    page.get_by_test_id("summary").filter(has_text="2 vehicle types: 2 lorry of 12").wait_for()
    assert (
        rules.get_by_test_id("vehicle-type").nth(1).get_by_label("Type", exact=True).input_value()
        == "bike"
    )


def test_rules_fit_a_phone(service: Service, open_page: Open) -> None:
    page, rules = start(service, open_page, width=390, height=844)
    page.get_by_role("button", name="Add a vehicle type").click()
    rules.get_by_test_id("vehicle-type").locator("summary").click()
    page.get_by_role("button", name="Add a depot").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_an_example_has_opening_hours(service: Service, open_page: Open) -> None:
    page = open_page(service)
    page.get_by_role("button", name="Flour").click()
    page.get_by_test_id("summary").filter(has_text="24 customers").wait_for()
    assert "in use" in page.get_by_test_id("rules").locator("> summary").inner_text()
