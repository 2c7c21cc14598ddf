"""Who may come in, what is too large to be read, and what every answer says about safety."""

from __future__ import annotations

import hmac
from urllib.parse import urlsplit

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.routing import Match
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from splitroute.web.models import Problem
from splitroute.web.settings import LOOPBACK, Settings

METHODS = ("DELETE", "GET", "HEAD", "PATCH", "POST", "PUT")


def guard(app: FastAPI, settings: Settings) -> None:
    """Looks at every request before it is handled, and makes every error one kind of answer."""
    app.add_middleware(_Guard, settings=settings)

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        if first["type"] == "json_invalid":
            return _problem(422, f"the request is no JSON: {first['ctx']['error']}")
        where = ".".join(str(part) for part in first["loc"][1:])
        detail = f"{where}: {first['msg']}" if where else str(first["msg"])
        return _problem(422, detail, where or None)

    @app.exception_handler(HTTPException)
    async def refused(request: Request, error: HTTPException) -> JSONResponse:
        detail: object = error.detail
        if isinstance(detail, dict):
            return _problem(error.status_code, detail["detail"], detail["field"])
        response = _problem(error.status_code, str(detail))
        if error.status_code == 405:
            response.headers["Allow"] = _allowed(request)
        return response


class _Guard:
    """Before everything else; by hand, because the framework's way costs streams a lot."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app, self._settings = app, settings
        self._headers = _safe_headers(settings.tiles)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
            await send(message)

        answer: ASGIApp = _refused(Request(scope), self._settings) or self._app
        await answer(scope, receive, send_safely)


def _allowed(request: Request) -> str:
    """All methods of an address; the framework by itself names those of one handler only."""

    def fits(method: str) -> bool:
        scope = {**request.scope, "method": method}
        return any(route.matches(scope)[0] is Match.FULL for route in request.app.routes)

    return ", ".join(method for method in METHODS if fits(method))


def _safe_headers(tiles: str | None) -> dict[str, str]:
    """Nothing is loaded from elsewhere, except map tiles from where the operator says."""
    elsewhere = ""
    if tiles is not None:
        address = urlsplit(tiles)
        elsewhere = f" {address.scheme}://{address.netloc}"
    policy = (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
        f"img-src 'self' data: blob:{elsewhere}; connect-src 'self'{elsewhere}; "
        "worker-src 'self' blob:; font-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    )
    return {
        "Content-Security-Policy": policy,
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Resource-Policy": "same-origin",
    }


def _refused(request: Request, settings: Settings) -> Response | None:
    path = request.scope["path"]  # not of request.url, which a host header has a say in
    if settings.token is None:
        # Without a token only this machine's own pages may ask: not a page of somebody else's that
        # had its name pointed here.
        host = request.headers.get("host", "").rpartition(":")[0] or request.headers.get("host", "")
        if host.strip("[]") not in LOOPBACK:
            return _problem(403, f"this service is for this machine only, not for {host!r}")
        if _is_of_another_site(request):
            return _problem(403, "a page of another site may not ask for this")
    elif path.startswith(("/api", "/metrics")):
        given = request.headers.get("authorization", "")
        if not hmac.compare_digest(given.encode(), f"Bearer {settings.token}".encode()):
            response = _problem(401, "a token is needed: Authorization: Bearer TOKEN")
            response.headers["WWW-Authenticate"] = "Bearer"
            return response
    if request.method in ("PATCH", "POST"):
        length = request.headers.get("content-length", "")
        if not length.isdigit():
            return _problem(411, "the length of the request must be stated")
        if int(length) > settings.most_bytes:
            return _problem(413, f"the request is too large; at most {settings.most_bytes} bytes")
    return None


def _is_of_another_site(request: Request) -> bool:
    """Whether a browser says that somebody else's page is behind a request that changes things."""
    if request.method in ("GET", "HEAD"):
        return False
    origin = urlsplit(request.headers.get("origin", ""))
    foreign = origin.netloc not in ("", request.headers.get("host"))
    return foreign or request.headers.get("sec-fetch-site") in ("cross-site", "same-site")


def _problem(status: int, detail: str, field: str | None = None) -> JSONResponse:
    return JSONResponse(Problem(detail=detail, field=field).model_dump(), status)
