"""The HTTP side: jobs in, states, events and files out."""

from __future__ import annotations

import asyncio
import hmac
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Annotated, Any

from fastapi import Depends, FastAPI, Header, HTTPException, Path, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, PlainTextResponse, StreamingResponse
from sqlalchemy import RowMapping
from starlette.concurrency import run_in_threadpool

from splitroute import engines
from splitroute.catalogue import load, names
from splitroute.errors import SplitRouteError
from splitroute.web import files
from splitroute.web.models import Accepted, JobList, JobRequest, JobState, JobSummary, Problem
from splitroute.web.runner import Runner
from splitroute.web.settings import LOOPBACK, Settings
from splitroute.web.store import ENDED, Store
from splitroute.web.work import instance_of

NEVER = ("vrph",)  # engines that run a program of the operator's machine
HEARTBEAT = 10.0  # seconds after which a silent stream says that it is there
ELSEWHERE = 2.0  # seconds after which a stream looks for news of other services

JobId = Annotated[str, Path(pattern="^[0-9a-f]{32}$", description="As answered by POST.")]
BAD = {"model": Problem, "description": "Something about the request is wrong."}
UNKNOWN = {"model": Problem, "description": "There is no such job."}

SAFE_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data: blob:; connect-src 'self'; worker-src 'self' blob:; "
        "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Service:
    """What the handlers share."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.store = Store(settings.store)
        self.runner = Runner(self.store, settings.workers, settings.memory, self._told)
        self.streams = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._waiting: dict[str, set[asyncio.Event]] = {}

    def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.runner.start()

    def _told(self, job: str) -> None:
        """From a thread of the runner: something happened to a job."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self.wake, job)

    def wake(self, job: str) -> None:
        for waiting in self._waiting.get(job, ()):
            waiting.set()

    @asynccontextmanager
    async def news(self, job: str) -> AsyncIterator[asyncio.Event]:
        """Set when something happens to the job."""
        waiting = asyncio.Event()
        self._waiting.setdefault(job, set()).add(waiting)
        self.streams += 1
        try:
            yield waiting
        finally:
            self.streams -= 1
            self._waiting[job].discard(waiting)
            if not self._waiting[job]:
                del self._waiting[job]


def _existing(id: JobId, request: Request) -> RowMapping:
    service: Service = request.app.state.service
    row = service.store.get(id)
    if row is None:
        raise HTTPException(404, f"there is no job {id}")
    return row


Existing = Annotated[RowMapping, Depends(_existing)]


def create_app(settings: Settings) -> FastAPI:
    """The service as an ASGI application."""
    service = Service(settings)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        service.start()
        yield
        await run_in_threadpool(service.runner.close)
        service.store.close()

    app = FastAPI(
        title="splitroute",
        version=version("splitroute"),
        description="Split delivery vehicle routing as a service.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        responses={403: BAD, 422: BAD},
    )
    app.state.service = service
    _guard(app, service)
    _routes(app, service)
    return app


def _guard(app: FastAPI, service: Service) -> None:
    settings = service.settings

    @app.middleware("http")
    async def guard(request: Request, handle: Callable[[Request], Awaitable[Response]]) -> Response:
        response = await _refused(request, settings) or await handle(request)
        for name, value in SAFE_HEADERS.items():
            response.headers.setdefault(name, value)
        return response

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"][1:])
        detail = f"{where}: {first['msg']}" if where else str(first["msg"])
        return _problem(422, detail, where or None)

    @app.exception_handler(HTTPException)
    async def refused(request: Request, error: HTTPException) -> JSONResponse:
        detail = error.detail
        if isinstance(detail, dict):
            return _problem(error.status_code, detail["detail"], detail["field"])
        return _problem(error.status_code, str(detail))


async def _refused(request: Request, settings: Settings) -> Response | None:
    """Who may not come in, and what is too large to be read."""
    if settings.token is None:
        # Without a token only this machine's own pages may ask: not a page of somebody else's that
        # had its name pointed here.
        host = request.headers.get("host", "").rpartition(":")[0] or request.headers.get("host", "")
        if host.strip("[]") not in LOOPBACK:
            return _problem(403, f"this service is for this machine only, not for {host!r}")
    elif request.url.path.startswith(("/api", "/metrics")):
        given = request.headers.get("authorization", "").removeprefix("Bearer ")
        if not hmac.compare_digest(given.encode(), settings.token.encode()):
            return _problem(401, "a token is needed: Authorization: Bearer TOKEN")
    if request.method == "POST":
        length = request.headers.get("content-length", "")
        if not length.isdigit():
            return _problem(411, "the length of the request must be stated")
        if int(length) > settings.most_bytes:
            return _problem(413, f"the request is too large; at most {settings.most_bytes} bytes")
    return None


def _problem(status: int, detail: str, field: str | None = None) -> JSONResponse:
    return JSONResponse(Problem(detail=detail, field=field).model_dump(), status)


def _routes(app: FastAPI, service: Service) -> None:
    store, settings = service.store, service.settings

    @app.post(
        "/api/jobs", status_code=202, response_model=Accepted, tags=["jobs"],
        responses={400: BAD, 413: BAD, 422: BAD, 429: BAD},
    )  # fmt: skip
    def post_job(job: JobRequest, request: Request) -> Accepted:
        """Hands in a job; it is queued, and carried out when its turn comes."""
        client = request.client.host if request.client else "unknown"
        if store.open_jobs(client) >= settings.most_open_jobs:
            raise HTTPException(429, f"you have {settings.most_open_jobs} jobs open; wait for some")
        customers, name = _checked(job, settings)
        id = store.add(client, name, customers, job.model_dump(mode="json"))
        service.runner.look()
        return Accepted(id=id)

    @app.get("/api/jobs", response_model=JobList, tags=["jobs"])
    def list_jobs(
        limit: Annotated[int, Query(ge=1, le=200)] = 50,
        before: Annotated[int | None, Query(ge=1)] = None,
    ) -> JobList:
        """The newest jobs first."""
        rows = [JobSummary(**row) for row in store.newest(limit, before)]
        return JobList(jobs=rows, next=rows[-1].number if len(rows) == limit else None)

    @app.get(
        "/api/jobs/{id}", response_model=JobState, response_model_exclude_none=True,
        responses={404: UNKNOWN}, tags=["jobs"],
    )  # fmt: skip
    def get_job(row: Existing) -> Response:
        """How a job stands, and its best solution so far."""
        return Response(_state(row), media_type="application/json")

    @app.delete("/api/jobs/{id}", status_code=202, responses={404: UNKNOWN}, tags=["jobs"])
    def delete_job(row: Existing) -> Accepted:
        """Cancels a job that waits or runs, keeping its best solution; forgets an ended one."""
        if row["status"] in ENDED:
            store.delete(row["id"])
        else:
            store.ask_to_stop(row["id"])
            service.runner.look()
            service._told(row["id"])
        return Accepted(id=row["id"])

    @app.get(
        "/api/jobs/{id}/events", response_class=StreamingResponse, tags=["jobs"],
        responses={200: {"content": {"text/event-stream": {}}}, 404: UNKNOWN},
    )  # fmt: skip
    async def get_events(
        row: Existing, last_event_id: Annotated[str | None, Header()] = None
    ) -> StreamingResponse:
        """What happens to a job, as it happens; goes on after `Last-Event-ID`."""
        after = int(last_event_id) if last_event_id and last_event_id.isdecimal() else 0
        stream = _events(service, row["id"], min(after, 2**53))
        return StreamingResponse(
            stream, media_type="text/event-stream", headers={"Cache-Control": "no-store"}
        )

    @app.get(
        "/api/jobs/{id}/files/{kind}", tags=["files"], response_class=Response,
        responses={200: {"content": files.MEDIA}, 404: UNKNOWN, 409: BAD},
    )  # fmt: skip
    def get_file(row: Existing, kind: files.Kind) -> Response:
        """The best solution so far as a file."""
        if row["solution"] is None:
            raise HTTPException(409, "the job has no solution yet")
        request = JobRequest.model_validate_json(row["request"])
        try:
            made = files.make(kind, instance_of(request), json.loads(row["solution"]))
        except SplitRouteError as error:
            raise HTTPException(422, str(error)) from None
        ending = "attachment" if kind != "sheets" else "inline"
        headers = {"Content-Disposition": f'{ending}; filename="routes.{made.suffix}"'}
        return Response(made.data, media_type=made.media, headers=headers)

    @app.get("/health", tags=["operation"])
    def health() -> dict[str, Any]:
        """Whether the service is well."""
        return {"status": "ok", "version": version("splitroute"), "jobs": store.counts()}

    @app.get("/metrics", response_class=PlainTextResponse, tags=["operation"])
    def metrics() -> str:
        """For Prometheus."""
        lines = ["# TYPE splitroute_jobs gauge"]
        lines += [f'splitroute_jobs{{status="{s}"}} {n}' for s, n in store.counts().items()]
        lines += ["# TYPE splitroute_streams gauge", f"splitroute_streams {service.streams}"]
        lines += ["# TYPE splitroute_workers gauge", f"splitroute_workers {settings.workers}", ""]
        return "\n".join(lines)


def _checked(job: JobRequest, settings: Settings) -> tuple[int, str]:
    """The number of customers and the name of the instance, if all of it can be carried out."""

    def refuse(field: str, detail: str) -> HTTPException:
        return HTTPException(400, {"detail": detail, "field": field})

    longest = max(job.seconds, job.bound)
    if longest > settings.most_seconds:
        raise refuse("seconds", f"{longest:g} s; at most {settings.most_seconds:g} s are allowed")
    if job.engine in NEVER or job.engine not in names(engines):
        known = ", ".join(name for name in names(engines) if name not in NEVER)
        raise refuse("engine", f"unknown engine {job.engine!r}; known: {known}")
    try:
        module = load(engines, job.engine)
        if hasattr(module, "check"):
            module.check()
    except SplitRouteError as error:
        raise refuse("engine", str(error)) from None
    try:
        instance = instance_of(job)
    except SplitRouteError as error:
        raise refuse("instance", str(error)) from None
    if len(instance.customers) > settings.most_customers:
        raise refuse(
            "instance",
            f"{len(instance.customers)} customers; at most {settings.most_customers} are allowed",
        )
    return len(instance.customers), instance.name


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


async def _events(service: Service, job: str, after: int) -> AsyncIterator[str]:
    silent = 0.0
    async with service.news(job) as news:
        while True:
            news.clear()
            rows = await run_in_threadpool(service.store.events_after, job, after)
            for row in rows:
                after = row["number"]
                yield f"id: {after}\nevent: {row['kind']}\ndata: {row['data']}\n\n"
                if row["kind"] == "status" and json.loads(row["data"])["status"] in ENDED:
                    return
            if rows:
                silent = 0.0
                continue
            try:
                await asyncio.wait_for(news.wait(), ELSEWHERE)
            except TimeoutError:
                silent += ELSEWHERE
                if silent >= HEARTBEAT:
                    silent = 0.0
                    yield ": still here\n\n"
                    if await run_in_threadpool(service.store.get, job) is None:
                        return
