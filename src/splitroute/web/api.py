"""The requests: jobs in, states, events and files out."""

from __future__ import annotations

import json
import re
from importlib.metadata import version
from typing import Annotated, Any

from fastapi import APIRouter, Header, HTTPException, Query, Response
from fastapi.responses import StreamingResponse
from starlette.concurrency import run_in_threadpool

from splitroute import rules
from splitroute.formats.json import InstanceModel
from splitroute.registry import names
from splitroute.web import files, parsing
from splitroute.web.body import JOB_BODY, JsonBody
from splitroute.web.checks import Limits, usable_engines
from splitroute.web.large import LargeResponse
from splitroute.web.models import (
    Accepted,
    Info,
    JobChange,
    JobList,
    JobRequest,
    JobState,
    JobSummary,
    PlanModel,
    Problem,
    ReadInstance,
)
from splitroute.web.service import (
    Client,
    Existing,
    Service,
    Shared,
    State,
    StreamPlace,
    Summary,
    existing,
)
from splitroute.web.store import ENDED

JSON = "application/json"
BAD = {"model": Problem, "description": "The request is invalid."}
UNKNOWN = {"model": Problem, "description": "There is no such job."}
GUARD: dict[int | str, dict[str, Any]] = {401: BAD, 403: BAD}  # to any request
BODY: dict[int | str, dict[str, Any]] = {  # to one with a body
    400: BAD, 408: BAD, 411: BAD, 413: BAD, 415: BAD, 429: BAD,
}  # fmt: skip

UNAVAILABLE = {
    "model": Problem,
    "description": "Busy, or the database is unavailable; retry later.",
}

router = APIRouter(prefix="/api", responses={**GUARD, 422: BAD, 503: UNAVAILABLE})


@router.get("/info", tags=["operation"])
def get_info(service: Shared) -> Info:
    """Engines, rules and limits of this service."""
    settings = service.settings
    return Info(
        version=version("splitroute"),
        engines=usable_engines(),
        rules=names(rules),
        most_customers=settings.most_customers,
        most_seconds=settings.most_seconds,
        tiles=settings.tiles,
        attribution=settings.attribution,
    )


@router.post(
    "/instances", response_model=ReadInstance, responses=BODY, tags=["instances"],
    openapi_extra=JOB_BODY,
)  # fmt: skip
async def read_instance(body: JsonBody, client: Client, service: Shared) -> Response:
    """Reads the instance of a job without carrying it out; no matrix is sent back."""
    parsed = await _parsed(service, client, body, solvable=False)
    doubts = json.dumps(parsed.warnings)
    return LargeResponse(f'{parsed.instance[:-1]}, "warnings": {doubts}}}', media_type=JSON)


@router.post("/jobs", status_code=202, responses=BODY, tags=["jobs"], openapi_extra=JOB_BODY)
async def post_job(body: JsonBody, client: Client, service: Shared) -> Accepted:
    """Submits a job, which is queued."""
    most = service.settings.most_open_jobs
    if await run_in_threadpool(service.store.open_jobs, client) >= most:
        raise HTTPException(429, f"you have {most} jobs open; wait for some")
    parsed = await _parsed(service, client, body, solvable=True)
    about = (client, parsed.name, parsed.customers, parsed.request, parsed.method)
    id = await run_in_threadpool(service.store.add, *about, parsed.instance, parsed.shown_request)
    service.runner.look()
    return Accepted(id=id)


@router.get("/jobs", tags=["jobs"])
def list_jobs(
    service: Shared,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    before: Annotated[int | None, Query(ge=1, le=2**53)] = None,
) -> JobList:
    """The newest jobs first."""
    rows = [JobSummary(**row) for row in service.store.newest(limit, before)]
    return JobList(jobs=rows, next=rows[-1].number if len(rows) == limit else None)


@router.get(
    "/jobs/{id}", response_model=JobState, response_model_exclude_none=True,
    responses={404: UNKNOWN}, tags=["jobs"],
)  # fmt: skip
def get_job(row: State, service: Shared) -> Response:
    """The state of a job and its best solution so far."""
    request = row["shown_request"]
    if request is None:  # a job of an earlier version
        asked = JobRequest.model_validate_json(existing(row["id"], service)["request"])
        request = parsing.shown_request(asked)
    return LargeResponse(_state(row, request), media_type=JSON)


@router.patch("/jobs/{id}", responses={**BODY, 404: UNKNOWN}, tags=["jobs"])
def patch_job(row: Summary, change: JobChange, service: Shared) -> Accepted:
    """Renames a job."""
    service.store.rename(row["id"], parsing.printable(change.name))
    return Accepted(id=row["id"])


@router.delete("/jobs/{id}", status_code=202, responses={404: UNKNOWN}, tags=["jobs"])
def delete_job(
    row: Summary,
    service: Shared,
    forget: Annotated[bool, Query(description="Forget it, if it has ended.")] = False,
) -> Accepted:
    """Cancels a queued or running job, which keeps its best solution."""
    if row["status"] not in ENDED:
        service.store.ask_to_stop(row["id"])
        service.runner.look()
        service.told(row["id"])
    elif forget:
        service.store.delete(row["id"])
    return Accepted(id=row["id"])


@router.get(
    "/jobs/{id}/events", response_class=StreamingResponse, tags=["jobs"],
    responses={200: {"content": {"text/event-stream": {}}}, 204: {}, 404: UNKNOWN, 429: BAD},
)  # fmt: skip
async def get_events(
    row: Summary,
    service: Shared,
    place: StreamPlace,
    last_event_id: Annotated[str, Header()] = "",
) -> Response:
    """The events of a job as a stream, after `Last-Event-ID`.

    204 if the job has ended and there are no more events, so that clients do not reconnect.
    """
    after = int(last_event_id) if re.fullmatch("[0-9]{1,15}", last_event_id) else 0
    if row["status"] in ENDED and not await run_in_threadpool(
        service.store.events_after, row["id"], after, 1
    ):
        return Response(status_code=204)
    stream = service.events(row["id"], after)
    return StreamingResponse(
        stream, media_type="text/event-stream", headers={"Cache-Control": "no-store"}
    )


@router.get(
    "/jobs/{id}/instance",
    response_model=InstanceModel,
    responses={404: UNKNOWN, 429: BAD},
    tags=["jobs"],
)
async def get_instance(row: Summary, client: Client, service: Shared) -> Response:
    """The instance of a job, as in our JSON files, but without a matrix of distances."""
    kept = await run_in_threadpool(service.store.instance, row["id"])
    if kept is None:  # a job of an earlier version
        whole = await run_in_threadpool(existing, row["id"], service)
        request = whole["request"]
        kept = _accepted(await service.parsers.run(client, parsing.instance_json, request))
    return LargeResponse(kept, media_type=JSON)


@router.get(
    "/jobs/{id}/plan", response_model=PlanModel, responses={400: BAD, 404: UNKNOWN, 429: BAD},
    tags=["jobs"],
)  # fmt: skip
async def get_plan(
    row: Existing,
    client: Client,
    service: Shared,
    levels: Annotated[int, Query(ge=1, le=50)] = 2,
    base: Annotated[int, Query(ge=2, le=100)] = 2,
) -> Response:
    """The split plan of PASA."""
    plan = await service.parsers.run(client, parsing.split_plan, row["request"], levels, base)
    return LargeResponse(_accepted(plan), media_type=JSON)


@router.get(
    "/jobs/{id}/files/{kind}", tags=["files"], response_class=Response,
    responses={200: {"content": files.MEDIA}, 404: UNKNOWN, 409: BAD, 429: BAD},
)  # fmt: skip
async def get_file(row: Existing, kind: files.Kind, client: Client, service: Shared) -> Response:
    """The best solution so far as a file."""
    if row["solution"] is None:
        raise HTTPException(409, "the job has no solution yet")
    given = (row["request"], kind, row["solution"], row["name"])
    made = await service.parsers.run(client, parsing.solution_file, *given)
    if isinstance(made, parsing.Refused):
        raise HTTPException(409, made.detail)
    made = _accepted(made)
    ending = "attachment" if kind != "sheets" else "inline"
    headers = {"Content-Disposition": f'{ending}; filename="routes.{made.suffix}"'}
    return LargeResponse(made.data, media_type=made.media, headers=headers)


async def _parsed(service: Service, client: str, body: bytes, *, solvable: bool) -> parsing.Parsed:
    limits = Limits(service.settings.most_customers, service.settings.most_seconds)
    answer = await service.parsers.run(client, parsing.parse, body, limits, solvable)
    if isinstance(answer, parsing.Bug):  # ours, but there is something odd about the file
        answer = parsing.Refused("the file has something that cannot be read")
    parsed: parsing.Parsed = _accepted(answer)
    return parsed


def _accepted(answer: Any) -> Any:
    if isinstance(answer, parsing.Refused):
        parts = {name: getattr(answer, name) for name in Problem.model_fields}
        raise HTTPException(answer.status, parts)
    if isinstance(answer, parsing.Bug):
        raise HTTPException(500, "the request failed because of a fault of the service")
    return answer


def _state(row: Any, request: str) -> str:
    """The state as JSON; what is kept as JSON is passed on as it is."""
    summary = JobSummary(**{k: row[k] for k in JobSummary.model_fields}).model_dump(
        exclude_none=True
    )
    parts = {"request": request, "solution": row["solution"], "outcome": row["result"]}
    more = "".join(f', "{name}": {text}' for name, text in parts.items() if text is not None)
    return json.dumps(summary)[:-1] + more + "}"
