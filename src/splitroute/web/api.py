"""Request handlers of the API."""

from __future__ import annotations

import json
import re
from importlib.metadata import version
from typing import Annotated, Any

from fastapi import APIRouter, Header, Query, Response
from fastapi.responses import StreamingResponse
from starlette.concurrency import run_in_threadpool

from splitroute import rules
from splitroute.formats.json import InstanceModel
from splitroute.registry import names
from splitroute.web import files, parsing
from splitroute.web.body import JOB_BODY, JsonBody
from splitroute.web.dependencies import (
    Client,
    Job,
    JobWithoutRequest,
    SharedService,
    SmallJob,
    StreamSlot,
    job_not_found,
)
from splitroute.web.errors import INVALID_REQUEST, RequestError
from splitroute.web.limits import usable_engines
from splitroute.web.models import (
    Accepted,
    ColumnsModel,
    Info,
    JobChange,
    JobList,
    JobState,
    JobSummary,
    Problem,
    ReadInstance,
    SplitPlanModel,
)
from splitroute.web.parser_pool import Deferred, accept, accept_input
from splitroute.web.preview import preview
from splitroute.web.responses import LargeResponse
from splitroute.web.store import ENDED

JSON = "application/json"
INVALID = {"model": Problem, "description": "The request is invalid."}
NOT_FOUND = {"model": Problem, "description": "There is no such job."}
UNAVAILABLE = {
    "model": Problem,
    "description": "Busy, or the database is unavailable; retry later.",
}
ANY_REQUEST_ERRORS: dict[int | str, dict[str, Any]] = {401: INVALID, 403: INVALID}
BODY_ERRORS: dict[int | str, dict[str, Any]] = dict.fromkeys(
    (400, 408, 411, 413, 415, 429), INVALID
)

router = APIRouter(prefix="/api", responses={**ANY_REQUEST_ERRORS, 422: INVALID, 503: UNAVAILABLE})


@router.get("/info", tags=["operation"])
def get_info(service: SharedService) -> Info:
    """Return the engines, rules and limits of this service."""
    settings = service.settings
    return Info(
        version=version("splitroute"),
        engines=usable_engines(),
        rules=names(rules),
        max_customers=settings.max_customers,
        max_seconds=settings.max_seconds,
        roads=settings.roads.names,
        tiles=settings.tiles,
        attribution=settings.attribution,
    )


@router.post(
    "/instances", response_model=ReadInstance, responses=BODY_ERRORS, tags=["instances"],
    openapi_extra=JOB_BODY,
)  # fmt: skip
async def read_instance(body: JsonBody, client: Client, service: SharedService) -> Response:
    """Parse the instance of a job without running it; the response has no distance matrix."""
    result = await service.parsers.run(client, parsing.parse_instance, body, service.limits)
    parsed: parsing.Parsed = accept_input(result)
    warnings = json.dumps(parsed.warnings)
    return LargeResponse(f'{parsed.instance[:-1]}, "warnings": {warnings}}}', media_type=JSON)


@router.post(
    "/columns", response_model=ColumnsModel, responses=BODY_ERRORS, tags=["instances"],
    openapi_extra=JOB_BODY,
)  # fmt: skip
async def read_columns(body: JsonBody, client: Client, service: SharedService) -> Response:
    """Return the columns of the table of a job, which ones are missing, and the first rows."""
    found = await service.parsers.run(client, preview, body)
    return LargeResponse(accept_input(found), media_type=JSON)


@router.post("/jobs", status_code=202, responses=BODY_ERRORS, tags=["jobs"], openapi_extra=JOB_BODY)
async def post_job(body: JsonBody, client: Client, service: SharedService) -> Accepted:
    """Queue a job."""
    id, _ = await service.submit(client, parsing.parse_job, body)
    return Accepted(id=id)


@router.get("/jobs", tags=["jobs"])
def list_jobs(
    service: SharedService,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    before: Annotated[int | None, Query(ge=1, le=2**53)] = None,
) -> JobList:
    """List jobs, newest first."""
    rows = [JobSummary(**row) for row in service.store.newest(limit, before)]
    return JobList(jobs=rows, next=rows[-1].number if len(rows) == limit else None)


@router.get(
    "/jobs/{id}", response_model=JobState, response_model_exclude_none=True,
    responses={404: NOT_FOUND}, tags=["jobs"],
)  # fmt: skip
def get_job(job: JobWithoutRequest) -> Response:
    """Return the state of a job and its best solution so far."""
    summary = JobSummary(**{name: job[name] for name in JobSummary.model_fields})
    # Stored JSON is passed on as it is.
    fields = {
        "request": job["request_summary"],
        "warnings": job["warnings"],
        "solution": job["solution"],
        "outcome": job["outcome"],
    }
    more = "".join(f', "{name}": {text}' for name, text in fields.items() if text is not None)
    text = json.dumps(summary.model_dump(exclude_none=True))[:-1] + more + "}"
    return LargeResponse(text, media_type=JSON)


@router.patch("/jobs/{id}", responses={**BODY_ERRORS, 404: NOT_FOUND}, tags=["jobs"])
def patch_job(job: SmallJob, change: JobChange, service: SharedService) -> Accepted:
    """Rename a job."""
    name = parsing.printable(change.name)
    if not name:
        raise RequestError(422, "it has no visible characters", INVALID_REQUEST, field="name")
    service.store.rename(job["id"], name)
    return Accepted(id=job["id"])


@router.delete("/jobs/{id}", status_code=202, responses={404: NOT_FOUND}, tags=["jobs"])
def delete_job(
    job: SmallJob,
    service: SharedService,
    forget: Annotated[bool, Query(description="Delete the job if it has ended.")] = False,
) -> Accepted:
    """Cancel a queued or running job, which keeps its best solution."""
    if job["status"] not in ENDED:
        service.store.queue.cancel(job["id"])
        service.runner.wake()
        service.notify(job["id"])
    elif forget:
        service.store.delete(job["id"])
    return Accepted(id=job["id"])


@router.get(
    "/jobs/{id}/events", response_class=StreamingResponse, tags=["jobs"],
    responses={200: {"content": {"text/event-stream": {}}}, 204: {}, 404: NOT_FOUND, 429: INVALID},
)  # fmt: skip
async def get_events(
    job: SmallJob,
    service: SharedService,
    slot: StreamSlot,
    last_event_id: Annotated[str, Header()] = "",
) -> Response:
    """Stream the events of a job after `Last-Event-ID`.

    204 if the job has ended and there are no more events, so that clients do not reconnect.
    """
    after = int(last_event_id) if re.fullmatch("[0-9]{1,15}", last_event_id) else 0
    if job["status"] in ENDED and not await run_in_threadpool(
        service.store.events_after, job["id"], after, 1
    ):
        return Response(status_code=204)
    stream = service.events(job["id"], after)
    return StreamingResponse(
        stream, media_type="text/event-stream", headers={"Cache-Control": "no-store"}
    )


@router.get(
    "/jobs/{id}/instance", response_model=InstanceModel, responses={404: NOT_FOUND},
    tags=["jobs"],
)  # fmt: skip
def get_instance(job: SmallJob, service: SharedService) -> Response:
    """Return the instance of a job as in our JSON files, but without a distance matrix."""
    instance = service.store.instance(job["id"])
    if instance is None:
        raise job_not_found(job["id"])  # it was deleted meanwhile
    return LargeResponse(instance, media_type=JSON)


@router.get(
    "/jobs/{id}/split-plan", response_model=SplitPlanModel,
    responses={400: INVALID, 404: NOT_FOUND, 429: INVALID}, tags=["jobs"],
)  # fmt: skip
async def get_split_plan(
    job: Job,
    client: Client,
    service: SharedService,
    levels: Annotated[int, Query(ge=1, le=50)] = 2,
    base: Annotated[int, Query(ge=2, le=100)] = 2,
) -> Response:
    """Return PASA's split plan for the instance of a job."""
    plan = await service.parsers.run(
        client, parsing.split_plan, job["request"], levels, base, _road_tables(service, job)
    )
    return LargeResponse(accept(plan), media_type=JSON)


@router.get(
    "/jobs/{id}/files/{kind}", tags=["files"], response_class=Response,
    responses={200: {"content": files.CONTENT}, 404: NOT_FOUND, 409: INVALID, 429: INVALID},
)  # fmt: skip
async def get_file(job: Job, kind: files.Kind, client: Client, service: SharedService) -> Response:
    """Return the best solution so far as a file."""
    if job["solution"] is None:
        raise RequestError(409, "the job has no solution yet", "no_solution")
    content = await service.parsers.run(
        client,
        parsing.solution_file,
        job["request"],
        kind,
        job["solution"],
        job["name"],
        _road_tables(service, job),
    )
    if isinstance(content, parsing.Refused):
        raise RequestError(409, content.detail, content.code)
    file_type = files.TYPES[kind]
    disposition = "inline" if kind == "sheets" else "attachment"
    headers = {"Content-Disposition": f'{disposition}; filename="routes.{file_type.suffix}"'}
    return LargeResponse(accept(content), media_type=file_type.media_type, headers=headers)


def _road_tables(service: SharedService, job: Job) -> Deferred:
    return Deferred(lambda: service.store.road_tables(job["id"]))
