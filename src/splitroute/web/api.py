"""The requests: jobs in, states, events and files out."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from importlib.metadata import version
from typing import Annotated, Any

from fastapi import APIRouter, Header, HTTPException, Query, Request, Response
from fastapi.responses import StreamingResponse
from starlette.concurrency import run_in_threadpool

from splitroute import rules
from splitroute.catalogue import names
from splitroute.errors import LimitError, SplitRouteError
from splitroute.formats.json import InstanceModel, instance_model
from splitroute.instance import Instance
from splitroute.pipeline import split
from splitroute.report import number, quantity
from splitroute.web import files
from splitroute.web.checks import checked, checked_instance, refusal, usable_engines
from splitroute.web.models import (
    Accepted,
    Info,
    JobChange,
    JobList,
    JobRequest,
    JobState,
    JobSummary,
    LevelModel,
    PlanModel,
    Problem,
)
from splitroute.web.service import Existing, Shared
from splitroute.web.store import ENDED
from splitroute.web.work import instance_of

BAD = {"model": Problem, "description": "Something about the request is wrong."}
UNKNOWN = {"model": Problem, "description": "There is no such job."}
GUARD: dict[int | str, dict[str, Any]] = {401: BAD, 403: BAD}  # to any request
BODY: dict[int | str, dict[str, Any]] = {400: BAD, 411: BAD, 413: BAD}  # to one with a body

router = APIRouter(prefix="/api", responses={**GUARD, 422: BAD})


@router.get("/info", tags=["operation"])
def get_info(service: Shared) -> Info:
    """What can be asked for, and within which limits."""
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


@router.post("/instances", response_model=InstanceModel, responses=BODY, tags=["instances"])
def read_instance(job: JobRequest, service: Shared) -> Response:
    """Reads the instance of a job without carrying it out; no matrix is sent back."""
    return _shown(checked_instance(job, service.settings))


@router.post("/jobs", status_code=202, responses={**BODY, 429: BAD}, tags=["jobs"])
def post_job(job: JobRequest, request: Request, service: Shared) -> Accepted:
    """Hands in a job; it is queued, and carried out when its turn comes."""
    store, most = service.store, service.settings.most_open_jobs
    client = request.client.host if request.client else "unknown"
    if store.open_jobs(client) >= most:
        raise HTTPException(429, f"you have {most} jobs open; wait for some")
    instance = checked(job, service.settings)
    request_ = job.model_dump(mode="json")
    name = _printable(instance.name)
    id = store.add(client[:64], name, len(instance.customers), request_, _method(job))
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
def get_job(row: Existing) -> Response:
    """How a job stands, and its best solution so far."""
    return Response(_state(row), media_type="application/json")


@router.patch("/jobs/{id}", responses={**BODY, 404: UNKNOWN}, tags=["jobs"])
def patch_job(row: Existing, change: JobChange, service: Shared) -> Accepted:
    """Renames a job."""
    service.store.rename(row["id"], _printable(change.name))
    return Accepted(id=row["id"])


@router.delete("/jobs/{id}", status_code=202, responses={404: UNKNOWN}, tags=["jobs"])
def delete_job(
    row: Existing,
    service: Shared,
    forget: Annotated[bool, Query(description="Forget it, if it has ended.")] = False,
) -> Accepted:
    """Cancels a job that waits or runs, keeping its best solution; an ended one stays as it is."""
    if row["status"] not in ENDED:
        service.store.ask_to_stop(row["id"])
        service.runner.look()
        service.told(row["id"])
    elif forget:
        service.store.delete(row["id"])
    return Accepted(id=row["id"])


@router.get(
    "/jobs/{id}/events", response_class=StreamingResponse, tags=["jobs"],
    responses={200: {"content": {"text/event-stream": {}}}, 204: {}, 404: UNKNOWN},
)  # fmt: skip
async def get_events(
    row: Existing, service: Shared, last_event_id: Annotated[str, Header()] = ""
) -> Response:
    """What happens to a job, as it happens; goes on after `Last-Event-ID`.

    204 says that it has ended and nothing is left to tell, so that clients stop asking again.
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
    "/jobs/{id}/instance", response_model=InstanceModel, responses={404: UNKNOWN}, tags=["jobs"]
)
def get_instance(row: Existing) -> Response:
    """The instance of a job, as in our JSON files, but without a matrix of distances."""
    return _shown(instance_of(JobRequest.model_validate_json(row["request"])))


@router.get("/jobs/{id}/plan", responses={400: BAD, 404: UNKNOWN}, tags=["jobs"])
def get_plan(
    row: Existing,
    levels: Annotated[int, Query(ge=1, le=50)] = 2,
    base: Annotated[int, Query(ge=2, le=100)] = 2,
) -> PlanModel:
    """How PASA would split the demands in advance."""
    instance = instance_of(JobRequest.model_validate_json(row["request"]))
    try:
        plan = split(instance, "pasa", levels=levels, base=base)
    except SplitRouteError as error:
        raise refusal("levels", str(error)) from None

    def amounts(sizes: tuple[int, ...]) -> list[float]:
        return [number(quantity(instance, size) / plan.scale) for size in sizes]

    return PlanModel(
        rule=plan.rule,
        levels=[
            LevelModel(
                reach=level.reach,
                denominations=amounts(level.denominations),
                customers=level.customers,
            )
            for level in plan.levels
        ],
        pieces=[amounts(sizes) for sizes in plan.pieces],
    )


@router.get(
    "/jobs/{id}/files/{kind}", tags=["files"], response_class=Response,
    responses={200: {"content": files.MEDIA}, 404: UNKNOWN, 409: BAD, 503: BAD},
)  # fmt: skip
def get_file(row: Existing, kind: files.Kind) -> Response:
    """The best solution so far as a file."""
    if row["solution"] is None:
        raise HTTPException(409, "the job has no solution yet")
    request = JobRequest.model_validate_json(row["request"])
    try:
        instance = instance_of(request)
        if kind in ("png", "sheets"):  # for people, who may have renamed the job
            instance = replace(instance, name=row["name"])
        made = files.make(kind, instance, json.loads(row["solution"]))
    except LimitError as error:
        raise HTTPException(503, str(error)) from None
    except SplitRouteError as error:
        raise HTTPException(409, str(error)) from None
    ending = "attachment" if kind != "sheets" else "inline"
    headers = {"Content-Disposition": f'{ending}; filename="routes.{made.suffix}"'}
    return Response(made.data, media_type=made.media, headers=headers)


def _printable(name: str) -> str:
    return "".join(letter for letter in name if letter.isprintable())


def _method(job: JobRequest) -> str:
    rings = [f"L={job.levels}"] * bool(job.levels) + [f"p={job.base}"] * bool(job.base)
    rule = ":".join([job.rule or ("pasa" if rings else ""), *rings])
    return f"{rule}{'+' if rule else ''}{job.engine}, {job.seconds:g} s, seed {job.seed}"


def _shown(instance: Instance) -> Response:
    model = instance_model(instance, matrix=False)
    return Response(model.model_dump_json(exclude_none=True), media_type="application/json")


def _state(row: Any) -> str:
    """The state as JSON; what is kept as JSON is passed on as it is."""
    request = json.loads(row["request"])
    request["instance"].pop("text", None)
    summary = JobSummary(**{k: row[k] for k in JobSummary.model_fields}).model_dump(
        exclude_none=True
    )
    parts = {"request": json.dumps(request), "solution": row["solution"], "outcome": row["result"]}
    more = "".join(f', "{name}": {text}' for name, text in parts.items() if text is not None)
    return json.dumps(summary)[:-1] + more + "}"
