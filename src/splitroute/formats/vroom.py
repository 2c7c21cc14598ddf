"""VROOM's JSON: requests as instances, and responses as solutions."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

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

KEYS = re.compile(r'"(jobs|shipments|unassigned)"\s*:')  # of requests and of responses


def parse_instance(text: str, options: ReadOptions) -> Instance:
    """Return the instance of a request; without matrices, distances are straight lines."""
    for field in ("metric", "unit", "capacity"):
        if (value := getattr(options, field)) is not None:
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
    return '"customer' not in text and KEYS.search(text) is not None


CAPABILITIES = Capabilities(
    instance_suffixes=(".json",),
    solution_suffixes=(".json",),
    needs_origin=True,
    holds_vehicles=True,
    recognizes=_recognizes,
    min_customers=lambda text: text.count('"location'),
)
