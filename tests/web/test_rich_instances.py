"""Instances with vehicle types, depots and rules: accepted, limited, solved and described."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from deliveries import as_job, town, town_with_leftovers
from serving import Service, running
from splitroute.web import parsing
from splitroute.web.limits import Limits

CUSTOMERS = """# capacity: 10
id,x,y,demand,open,close,service
depot,0,0,,,,
Anna,10,1,6,0,80,2
Bert,10,0,8,,,
"""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with running(tmp_path_factory.mktemp("rules")) as service:
        yield service


def parse(job: dict[str, Any]) -> Any:
    return parsing.call(parsing.parse_job, json.dumps(job).encode(), Limits(1000, 60.0))


def csv_job(**fields: Any) -> dict[str, Any]:
    return {"instance": {"format": "csv", "text": CUSTOMERS, "name": "day", **fields}}


def test_a_solution_has_times_types_and_cost_parts(service: Service) -> None:
    state = service.wait(service.post(**as_job(town(), seconds=1)))
    assert state["status"] == "done", state
    solution = state["solution"]
    assert solution["cost"] == pytest.approx(sum(solution["cost_parts"].values()))
    for route in solution["routes"]:
        assert route["vehicle_type"] in ("large", "small")
        assert route["vehicle"] >= 1
        assert route["start"] < route["end"]
        for visit in route["visits"]:
            assert visit["arrival"] <= visit["start"] < visit["end"]
    assert "unit" not in state, "costs are no distances"


def test_a_file_that_would_drop_the_vehicles_is_refused(service: Service) -> None:
    job = service.post(**as_job(town(), seconds=0.5))
    service.wait(job)
    answer = service.client.get(f"/api/jobs/{job}/files/txt")
    assert answer.status_code == 409
    assert "cannot hold the rules of the instance: depots, fleet" in answer.json()["detail"]
    assert service.client.get(f"/api/jobs/{job}/files/csv").status_code == 200


def test_undelivered_demand_has_a_reason(service: Service) -> None:
    state = service.wait(service.post(**as_job(town_with_leftovers(), seconds=1)))
    assert (state["status"], state["undelivered"]) == ("done", 3)
    (missing,) = state["solution"]["undelivered"]
    assert (missing["id"], missing["quantity"]) == ("Far", 3)
    assert missing["reason"]


def test_partial_of_the_request_overrides_the_file() -> None:
    instance = {**town_with_leftovers(), "partial": False}
    refused = parse(as_job(instance))
    assert (refused.status, refused.code) == (400, "infeasible")
    assert refused.path.startswith("customers[8].")
    assert isinstance(parse(as_job(instance, partial=True)), parsing.ParsedJob)


def test_the_speed_of_the_request_overrides_the_file() -> None:
    parsed = parse(as_job({**town(), "speed": 3}, speed=2))
    assert json.loads(parsed.instance)["speed"] == 2


def test_tables_of_vehicles_and_depots() -> None:
    fleet = "type,capacity,count\nlorry,12,2\nbike,2,\n"
    depots = "id,x,y\nnorth,0,5\nsouth,0,-5\n"
    text = CUSTOMERS.replace("depot,0,0,,,,\n", "")
    parsed = parse(csv_job(text=text, fleet=fleet, depots=depots))
    assert isinstance(parsed, parsing.ParsedJob), parsed
    instance = json.loads(parsed.instance)
    assert [vehicle["type"] for vehicle in instance["vehicles"]] == ["lorry", "bike"]
    assert [depot["id"] for depot in instance["depots"]] == ["north", "south"]
    assert instance["customers"][0]["windows"] == [[0, 80]]
    assert "lorry" not in parsed.request_summary


def test_errors_of_a_table_name_it() -> None:
    refused = parse(csv_job(fleet="type,capacity\nlorry,many\n"))
    assert (refused.field, refused.line, refused.value) == ("instance.fleet", 2, "many")


@pytest.mark.parametrize(
    ("change", "path"),
    [
        (("customers", 2, {"windows": [[50, 20]]}), "customers[2].windows[0]"),
        (("customers", 2, {"min_drop": 100}), "customers[2].min_drop"),
        (("customers", 1, {"vehicle_types": ["bike"]}), "customers[1].vehicle_types"),
        (("vehicles", 1, {"depot": "west"}), "vehicles[1].depot"),
        (("vehicles", 0, {"fixed_cost": -1}), "vehicles[0].fixed_cost"),
        (("vehicles", 1, {"capacity": -1}), "vehicles[1].capacity"),
        (("customers", 2, {"demand": -1}), "customers[2].demand"),
        (("customers", 2, {"x": None}), "customers[2].x"),
        (("depots", 1, {"y": None}), "depots[1].y"),
    ],
)
def test_errors_have_their_path(change: tuple[str, int, dict[str, Any]], path: str) -> None:
    instance = town()
    name, index, fields = change
    instance[name][index] |= fields
    refused = parse(as_job(instance))
    assert (refused.status, refused.field, refused.path) == (400, "instance", path)


def test_several_errors_are_listed() -> None:
    instance = town()
    for customer in instance["customers"][:2]:
        customer["windows"] = [[50, 20]]
    refused = parse(as_job(instance))
    assert [error.path for error in refused.errors] == [
        "customers[0].windows[0]",
        "customers[1].windows[0]",
    ]


def test_a_number_of_vehicles_contradicts_vehicle_types() -> None:
    refused = parse(as_job(town(), vehicles=3))
    assert (refused.field, refused.status) == ("vehicles", 400)
    assert "`count`" in refused.detail


def test_too_many_depots_are_refused() -> None:
    instance = town()
    instance["depots"] += [{"id": f"depot {k}", "x": k, "y": 0} for k in range(999)]
    refused = parse(as_job(instance))
    assert (refused.code, refused.detail) == (
        "too_large",
        "1,001 depots; at most 1,000 are allowed here",
    )


def test_a_small_unlimited_type_cannot_ask_for_millions_of_routes() -> None:
    instance = town()
    instance["vehicles"].append({"type": "cart", "capacity": 1})
    instance["customers"][0]["demand"] = 10**6
    refused = parse(as_job(instance))
    assert refused.code == "too_large"


def test_generated_instances_keep_the_name_of_the_request() -> None:
    for source in ({"benchmark": "SD8"}, {"customers": 5}):
        assert parse({"instance": {**source, "name": "Star"}}).name == "Star"
