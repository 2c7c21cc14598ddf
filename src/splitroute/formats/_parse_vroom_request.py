"""Read requests of VROOM, and name everything in them that is not supported.

VROOM ignores fields that it does not know; here a warning names them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from pydantic import BaseModel

from splitroute.formats._errors import ErrorCollector, warn
from splitroute.formats._numbers import excerpt
from splitroute.formats._parse_model import parse_model
from splitroute.formats._vroom_amounts import Amounts
from splitroute.formats._vroom_models import (
    CostsModel,
    JobModel,
    OptionsModel,
    RequestModel,
    VehicleModel,
    VroomModel,
)
from splitroute.formats._vroom_tables import same_profile

MAX_UNKNOWN = 10  # fields named in a warning
# Values of unsupported fields that ask for nothing; 0 equals False, too.
NOTHING: tuple[object, ...] = (None, [], {}, 0)

# What VROOM knows and splitroute does not.
UNSUPPORTED: dict[type[VroomModel], frozenset[str]] = {
    RequestModel: frozenset({"shipments"}),
    JobModel: frozenset({"setup_per_type", "service_per_type"}),
    VehicleModel: frozenset({"breaks", "steps"}),
    CostsModel: frozenset({"per_task_hour"}),
    OptionsModel: frozenset({"c"}),
}
ITEMS: dict[str, type[BaseModel]] = {"jobs": JobModel, "vehicles": VehicleModel}


def parse_request(text: str, name: str) -> RequestModel:
    """Return the request in a text; raise an error that names all its unsupported fields."""
    request = parse_model(RequestModel, text, name, ITEMS)
    errors = ErrorCollector(name)
    for field in ("vehicles", "jobs"):
        if not getattr(request, field) and not (request.model_extra or {}).get("shipments"):
            errors.add(f"{field} is empty; at least one is needed", field=field)
    unknown: list[str] = []
    for path, owner, field, value in _extra_fields(request):
        where = f"{path}.{field}" if path else field
        if field not in UNSUPPORTED.get(type(owner), ()):
            unknown.append(excerpt(where))
        elif value not in NOTHING:
            errors.add(f"{where} is not supported", code="unsupported", field=where)
    _check_jobs(request.jobs, errors)
    with errors:
        Amounts.of(request)
    with errors:
        same_profile(request)
    errors.raise_any()
    if unknown:
        more = f" and {len(unknown) - MAX_UNKNOWN} more" if len(unknown) > MAX_UNKNOWN else ""
        names = ", ".join(islice(unknown, MAX_UNKNOWN))
        warn(f"VROOM has no such fields, and they are ignored: {names}{more}", name)
    return request


def _check_jobs(jobs: list[JobModel], errors: ErrorCollector) -> None:
    first: dict[int, int] = {}
    for k, job in enumerate(jobs):
        if (other := first.setdefault(job.id, k)) != k:
            message = f"jobs[{k}].id is {job.id}, as that of jobs[{other}]"
            errors.add(message, field=f"jobs[{k}].id", value=job.id)
        if job.time_windows == []:
            message = f"jobs[{k}].time_windows is empty; omit it for a job without windows"
            errors.add(message, field=f"jobs[{k}].time_windows")


def _extra_fields(request: RequestModel) -> Iterator[tuple[str, VroomModel, str, Any]]:
    """Path, owner, name and value of each field that a model does not declare."""
    owners: list[tuple[str, VroomModel]] = [("", request), ("options", request.options)]
    owners += [(f"jobs[{k}]", job) for k, job in enumerate(request.jobs)]
    for k, vehicle in enumerate(request.vehicles):
        owners += [(f"vehicles[{k}]", vehicle), (f"vehicles[{k}].costs", vehicle.costs)]
    owners += [(f"matrices.{profile}", tables) for profile, tables in request.matrices.items()]
    for path, owner in owners:
        for field, value in (owner.model_extra or {}).items():
            yield path, owner, field, value
