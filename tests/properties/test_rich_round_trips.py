"""Instances with any combination of rules, and their solutions, are read as they were written."""

import csv as csv_
import io
import json
from dataclasses import fields, replace
from typing import Any

import pytest

import splitroute as sr
from rich_instances import rich_instance
from splitroute.formats import NamedText, csv, parse
from splitroute.formats import json as json_format
from splitroute.instance.vehicles import VehicleType
from splitroute.report import user_quantity
from splitroute.solution import Route, Solution, Visit, cost, with_departures

SEEDS = range(150)
QUANTITIES = {"capacity", "min_load"}


def instances() -> list[sr.Instance]:
    """Instances with times of day, with numbers, and of whatever can be partial."""
    found = [rich_instance(seed) for seed in SEEDS]
    return [replace(instance, clock=seed % 3 == 0) for seed, instance in enumerate(found)]


INSTANCES = instances()


def table(rows: list[dict[str, Any]]) -> str:
    columns = list(dict.fromkeys(name for row in rows for name in row))
    out = io.StringIO()
    writer = csv_.DictWriter(out, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def fleet_table(instance: sr.Instance) -> NamedText:
    rows = []
    for kind in instance.fleet:
        row: dict[str, Any] = {}
        for field in fields(VehicleType):
            value = getattr(kind, field.name)
            if value == field.default:
                continue
            if field.name == "shift":
                row["shift_start"], row["shift_end"] = value
            else:
                is_quantity = field.name in QUANTITIES
                row[field.name] = user_quantity(instance, value) if is_quantity else value
        rows.append(row)
    return NamedText("fleet.csv", table(rows))


def depot_table(instance: sr.Instance) -> NamedText:
    axes = ("lon", "lat") if instance.metric == "haversine" else ("x", "y")
    rows = []
    for depot in instance.depots:
        row: dict[str, Any] = {"id": depot.id}
        row |= dict(zip(axes, instance.places[depot.place], strict=True))
        for k, (opens, closes) in enumerate(depot.windows, 1):
            suffix = "" if k == 1 else k
            row |= {f"open{suffix}": opens, f"close{suffix}": closes}
        rows.append(row)
    return NamedText("depots.csv", table(rows))


@pytest.mark.parametrize("instance", INSTANCES, ids=lambda i: i.name)
def test_json(instance: sr.Instance) -> None:
    text = json_format.dump_instance(instance)
    assert parse(text, "it.json") == instance


@pytest.mark.parametrize("instance", INSTANCES, ids=lambda i: i.name)
def test_csv_holds_the_instance_or_refuses_it(instance: sr.Instance) -> None:
    is_table = instance.places and instance.matrix is None and instance.durations is None
    if is_table and not instance.fleet and len(instance.depots) == 1:
        assert parse(csv.dump_instance(instance), "it.csv") == instance
    else:
        with pytest.raises(sr.InputError, match=r"write \.json"):
            csv.dump_instance(instance)


@pytest.mark.filterwarnings("ignore:.*ignoring the row 'depot'")
@pytest.mark.filterwarnings("ignore:.*read as minutes after midnight")
def test_tables_of_customers_vehicle_types_and_depots() -> None:
    tried = 0
    for instance in INSTANCES:
        if not instance.places or instance.matrix is not None or not instance.fleet:
            continue
        # Only vehicle types give names to the types of customers.
        customers = tuple(replace(c, vehicle_types=None) for c in instance.customers)
        whole = replace(instance, customers=customers, durations=None, partial=True)
        first = replace(whole.depots[0], id="depot")
        alone = replace(whole, fleet=(), depots=(first,), capacity=1)
        read = parse(
            csv.dump_instance(alone),
            "it.csv",
            unit=whole.unit,
            fleet=fleet_table(whole),
            depots=depot_table(whole),
        )
        places = [*(d.place for d in whole.depots), *(c.place for c in whole.customers)]
        assert read.places == tuple(whole.places[place] for place in places)
        assert (read.fleet, read.depots, read.speed) == (whole.fleet, whole.depots, whole.speed)
        assert read.customers == whole.customers
        tried += 1
    assert tried > 20


@pytest.mark.parametrize("instance", INSTANCES, ids=lambda i: i.name)
def test_solutions(instance: sr.Instance) -> None:
    types = len(instance.vehicle_types)
    routes = [
        Route((Visit(k, customer.demand),), k % types if instance.fleet else 0)
        for k, customer in enumerate(instance.customers, 1)
    ]
    if instance.fleet:
        routes = [replace(route, vehicle=k) for k, route in enumerate(routes, 1)]
    solution = with_departures(instance, Solution(tuple(routes)))
    text = json_format.dump_solution(instance, solution)
    parsed = json_format.parse_solution(text, instance, "it.json")
    assert parsed.solution == solution
    kinds = {violation.kind for violation in parsed.violations(instance)}
    assert kinds.isdisjoint({"load", "cost", "time", "undelivered", "metric"}), kinds
    assert json.loads(text)["cost"] == pytest.approx(cost(instance, solution))
    visits = csv.parse_solution(csv.dump_solution(instance, solution), instance, "it.csv")
    assert visits.solution.routes == tuple(replace(r, start=None) for r in solution.routes)
