"""VROOM's JSON: requests as instances, and responses as solutions."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from pydantic_core import from_json

from splitroute.errors import InputError
from splitroute.formats import Capabilities, ReadOptions
from splitroute.formats._parse_vroom_request import parse_request
from splitroute.formats._parse_vroom_response import parse_solution
from splitroute.formats._vroom_instance import VroomOrigin, build_instance
from splitroute.formats._vroom_response import response
from splitroute.formats._vroom_tables import Locations, find_tables
from splitroute.instance import Instance
from splitroute.solution import Solution

__all__ = ["CAPABILITIES", "dump_solution", "parse_instance", "parse_solution"]

NAMES = frozenset({"jobs", "shipments", "unassigned"})  # in requests and in responses
KEYS = re.compile(rf'"({"|".join(sorted(NAMES))})"\s*:')


def parse_instance(text: str, options: ReadOptions) -> Instance:
    """Return the instance of a request; without matrices, distances are straight lines."""
    for field, default in (("metric", None), ("unit", None), ("capacity", None), ("scale", 1)):
        if (value := getattr(options, field)) != default:
            message = f"{field} is {value}, but requests of VROOM state it; omit it"
            raise InputError(message, field=field, value=value)
    request = parse_request(text, options.name)
    locations = Locations.find(request)
    tables = find_tables(request, locations, options.speed)
    return build_instance(request, locations, tables, options.stem)


def dump_solution(
    instance: Instance, solution: Solution, about: Mapping[str, object] | None = None
) -> str:
    """Return the response to the request that the instance was read from."""
    origin = instance.origin
    if not isinstance(origin, VroomOrigin):
        raise InputError("the instance was not read from a request of VROOM", field="format")
    data = response(instance, solution, origin, about or {})
    return json.dumps(data, ensure_ascii=False) + "\n"


def _recognizes(text: str) -> bool:
    """Whether a text is a request or a response of VROOM rather than JSON of ours."""
    if KEYS.search(text) is None:  # which is cheap
        return False
    try:
        data = from_json(text.removeprefix("\ufeff"))
    except ValueError:
        return False
    is_named = isinstance(data, dict) and "customers" not in data
    return is_named and not NAMES.isdisjoint(data)


def _min_customers(text: str) -> int:
    """Number of locations of jobs, each of which may state coordinates, an index or both."""
    return max(len(re.findall(rf'"{name}"\s*:', text)) for name in ("location", "location_index"))


CAPABILITIES = Capabilities(
    instance_suffixes=(".json",),
    solution_suffixes=(".json",),
    needs_origin=True,
    holds_vehicles=True,
    recognizes=_recognizes,
    min_customers=_min_customers,
)
