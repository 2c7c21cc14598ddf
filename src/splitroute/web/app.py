"""The ASGI application: API, middleware and page."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Any

from fastapi import FastAPI
from fastapi.middleware.gzip import GZipMiddleware
from fastapi.responses import JSONResponse, PlainTextResponse, Response
from sqlalchemy.exc import SQLAlchemyError

from splitroute.web.api import ANY_REQUEST_ERRORS, router
from splitroute.web.body import describe_bodies
from splitroute.web.database import reason
from splitroute.web.dependencies import SharedService
from splitroute.web.middleware import add_middleware
from splitroute.web.models import Health
from splitroute.web.page import add_page
from splitroute.web.service import Service
from splitroute.web.settings import Settings
from splitroute.web.vroom import router as vroom_router

UNAVAILABLE: dict[int | str, dict[str, Any]] = {
    503: {"model": Health, "description": "The database is unavailable."}
}


def create_app(settings: Settings) -> FastAPI:
    """Create the ASGI application of a service."""
    service = Service(settings)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        service.start()
        yield
        await service.close()

    app = FastAPI(
        title="splitroute",
        version=version("splitroute"),
        description="Split delivery vehicle routing as a service.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        responses=ANY_REQUEST_ERRORS,
    )
    app.state.service = service
    app.add_middleware(GZipMiddleware, minimum_size=2_000, compresslevel=4)  # skips event streams
    add_middleware(app, service)
    describe_bodies(app)
    app.include_router(router)
    app.include_router(vroom_router)
    app.get("/health", response_model=Health, responses=UNAVAILABLE, tags=["operation"])(health)
    app.get("/metrics", response_class=PlainTextResponse, tags=["operation"])(metrics)
    add_page(app)
    return app


async def health(service: SharedService) -> Response | Health:
    """Return the state of the service; 503 if the database is unavailable."""
    try:
        return Health(status="ok", version=version("splitroute"), jobs=await service.counts())
    except (SQLAlchemyError, TimeoutError) as error:
        service.outage.report(error)
        cause = "timeout" if isinstance(error, TimeoutError) else reason(error)
        unavailable = Health(
            status="unavailable", version=version("splitroute"),
            reason=f"database unavailable: {cause}",
        )  # fmt: skip
        return JSONResponse(unavailable.model_dump(), 503)


def metrics(service: SharedService) -> str:
    """Return metrics for Prometheus."""
    lines = ["# TYPE splitroute_jobs gauge"]
    lines += [f'splitroute_jobs{{status="{s}"}} {n}' for s, n in service.store.counts().items()]
    lines += ["# TYPE splitroute_streams gauge", f"splitroute_streams {service.streams.count}"]
    lines += [
        "# TYPE splitroute_workers gauge",
        f"splitroute_workers {service.settings.workers}",
        "",
    ]
    return "\n".join(lines)
