"""`POST /vroom` answers as vroom-express does: a request of VROOM in, its routes out.

See https://github.com/VROOM-Project/vroom-express. Each request is a job like any other.
"""

from __future__ import annotations

import json
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from sqlalchemy import RowMapping
from starlette.concurrency import run_in_threadpool

from splitroute.errors import InputError, LimitError
from splitroute.formats import vroom
from splitroute.formats.json import parse_solution
from splitroute.web import parsing
from splitroute.web.dependencies import Client, SharedService
from splitroute.web.errors import RequestError
from splitroute.web.limits import Limits
from splitroute.web.models import JobRequest, Problem
from splitroute.web.parser_pool import Deferred, accept
from splitroute.web.responses import LargeResponse
from splitroute.web.roads import RoadServers
from splitroute.web.service import Service
from splitroute.web.store import ENDED
from splitroute.web.worker import stored_instance

NAME = "VROOM request"  # of the job
MIN_SECONDS, MAX_SECONDS, JOBS_PER_SECOND = 1.0, 10.0, 20  # of a search without a time limit
INTERNAL, INVALID, ROUTING, TOO_LARGE = 1, 2, 3, 4  # codes of VROOM and of vroom-express
NOT_A_REQUEST = (
    "Invalid JSON object in request, please add vehicles and jobs or shipments to the object body"
)


class VroomError(BaseModel):
    """An error as VROOM reports it."""

    code: int = Field(description="1: internal, 2: invalid request, 3: routing, 4: too large.")
    error: str


class VroomResponse(BaseModel):
    """A response as VROOM writes it, see its documentation."""

    code: int = 0
    summary: dict[str, Any]
    unassigned: list[dict[str, Any]]
    routes: list[dict[str, Any]]


BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "description": "A request of VROOM, see its documentation.",
        "content": {
            "application/json": {
                "schema": {
                    "type": "object",
                    "required": ["vehicles", "jobs"],
                    "properties": {
                        name: {"type": "array", "minItems": 1, "items": {"type": "object"}}
                        for name in ("vehicles", "jobs")
                    },
                }
            }
        },
    }
}
ERROR: dict[str, Any] = {"model": VroomError, "description": "An error as VROOM reports it."}
REFUSED: dict[str, Any] = {"model": Problem, "description": "The service is not for this request."}
ERRORS: dict[int | str, dict[str, Any]] = {
    **dict.fromkeys((400, 429, 500, 503), ERROR),
    413: {"model": VroomError | Problem, "description": "The request is too large."},
    **dict.fromkeys((401, 403, 408, 411), REFUSED),
}

router = APIRouter(tags=["vroom"])


@router.post("/vroom", response_model=VroomResponse, responses=ERRORS, openapi_extra=BODY)
async def post_vroom(request: Request, client: Client, service: SharedService) -> Response:
    """Solve a request of VROOM; jobs that are larger than a vehicle are split."""
    try:
        return await _solve(request, client, service)
    except RequestError as error:
        is_too_large = error.problem.code == LimitError.code
        code = TOO_LARGE if is_too_large else INVALID if error.status_code in (400, 422) else None
        status = {TOO_LARGE: 413, INVALID: 400}.get(code or 0, error.status_code)
        return _error(status, code or INTERNAL, str(error.detail), dict(error.headers or {}))


def _error(status: int, code: int, message: str, headers: dict[str, str]) -> Response:
    return JSONResponse({"code": code, "error": message}, status, headers)


async def _solve(request: Request, client: str, service: Service) -> Response:
    body = await request.body()
    with service.streams.open(client):  # limits how many requests wait at once
        id, parsed = await service.submit(client, parse_job, body)
        job = await _wait(request, service, id)
    if job is None or job["solution"] is None:
        error = (job and job["error"]) or "the job was cancelled"
        has_roads = json.loads(parsed.request)["roads"] is not None
        return _error(500, ROUTING if has_roads else INTERNAL, error, {})
    text = await service.parsers.run(
        client, respond, job["request"], job["solution"], job["outcome"], parsed.warnings,
        Deferred(lambda: service.store.road_tables(id)),
    )  # fmt: skip
    return LargeResponse(accept(text), media_type="application/json")


async def _wait(request: Request, service: Service, id: str) -> RowMapping | None:
    """Return the job when it has ended; cancel it if nobody waits for it any more."""
    while True:
        async for _ in service.events(id, 0):
            if await request.is_disconnected():
                await run_in_threadpool(service.store.queue.cancel, id)
                service.runner.wake()
        job = await run_in_threadpool(service.store.get, id)
        if job is None or job["status"] in ENDED:
            return job


def parse_job(body: bytes, limits: Limits) -> parsing.ParsedJob | parsing.Refused:
    """Parse a request of VROOM as a job; runs in a parser process."""
    try:
        text = body.decode()
        data = json.loads(text)
    except ValueError:
        raise InputError(NOT_A_REQUEST, field="instance") from None
    has_tasks = isinstance(data, dict) and ("jobs" in data or "shipments" in data)
    if not has_tasks or "vehicles" not in data:
        raise InputError(NOT_A_REQUEST, field="instance")
    job = JobRequest.model_validate(
        {
            "instance": {"format": "vroom", "text": text, "name": NAME},
            "seconds": _seconds(data, limits.max_seconds),
            "roads": _roads(data, limits.roads),
        }
    )
    return parsing.parse_job(job.model_dump_json().encode(), limits)


def _seconds(data: dict[str, Any], max_seconds: float) -> float:
    """The time limit, which is option `l` of vroom-express; otherwise it depends on the size."""
    options = data.get("options")
    limit = options.get("l") if isinstance(options, dict) else None
    if limit is not None:
        is_valid = isinstance(limit, int | float) and not isinstance(limit, bool) and limit > 0
        if not is_valid or limit > max_seconds:
            message = f"options.l is {limit!r}; it must be a number of seconds above 0"
            raise InputError(f"{message}, at most {max_seconds:g}", field="options.l")
        return float(limit)
    jobs = data.get("jobs")
    wanted = len(jobs) / JOBS_PER_SECOND if isinstance(jobs, list) else 0.0
    return min(max_seconds, MAX_SECONDS, max(MIN_SECONDS, wanted))


def _roads(data: dict[str, Any], roads: RoadServers) -> str | None:
    """The road server for a request without matrices: that of its profile, or else the first."""
    if data.get("matrices") or data.get("matrix") or not roads.names:
        return None
    vehicles = data["vehicles"] if isinstance(data["vehicles"], list) else []
    profiles = [v.get("profile") for v in vehicles[:1] if isinstance(v, dict)]
    profile = profiles[0] if profiles else None
    if profile is None or profile in roads.names:
        return profile or roads.names[0]
    message = f"vehicles[0].profile is {profile!r}; the road servers are {', '.join(roads.names)}"
    raise InputError(message, field="profile")


def respond(
    request: str,
    solution: str,
    outcome: str | None,
    warnings: tuple[str, ...],
    tables: bytes | None,
) -> str:
    """Return the response for a solution; runs in a parser process."""
    instance = stored_instance(request, tables)
    about = json.loads(outcome) if outcome else {}
    found = parse_solution(solution, instance, "the solution").solution
    text = vroom.dump_solution(instance, found, about)
    return json.dumps({**json.loads(text), "warnings": list(warnings)}) if warnings else text
