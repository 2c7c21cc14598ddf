"""Who may come in, what is too large to be read, and what every answer says about safety."""

from __future__ import annotations

import asyncio
import hmac
import logging
from urllib.parse import urlsplit

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from sqlalchemy.exc import SQLAlchemyError
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.routing import Match
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from splitroute.web.invalid import INVALID, explain
from splitroute.web.models import Problem
from splitroute.web.service import Service, client_of
from splitroute.web.settings import LOOPBACK, Settings
from splitroute.web.shares import NoShareError, Shares

log = logging.getLogger(__name__)

METHODS = ("DELETE", "GET", "HEAD", "PATCH", "POST", "PUT")
MAX_PATCH_BYTES = 2**14  # it is parsed by this process
# Of the largest requests, that are received or handled at once.
MAX_HELD = 8
MAX_HELD_PER_CLIENT = 2


def guard(app: FastAPI, service: Service) -> None:
    """Looks at every request before it is handled, and makes every error one kind of answer."""
    app.add_middleware(_Guard, settings=service.settings)

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        return problem(422, *explain(first, first["loc"][1:]), code=INVALID)

    @app.exception_handler(HTTPException)
    async def refused(request: Request, error: HTTPException) -> JSONResponse:
        detail: object = error.detail
        if isinstance(detail, dict):
            return problem(error.status_code, **detail)
        response = problem(error.status_code, str(detail))
        response.headers.update(error.headers or {})
        if error.status_code == 405:
            response.headers["Allow"] = _allowed(request)
        return response

    @app.exception_handler(SQLAlchemyError)
    async def away(request: Request, error: SQLAlchemyError) -> JSONResponse:
        service.outage.noticed(error)
        response = problem(503, "the database cannot be used at the moment; try again later")
        response.headers["Retry-After"] = "10"
        return response


class _Guard:
    """Before everything else; by hand, because the framework's way costs streams a lot."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app, self._settings = app, settings
        self._headers = _safe_headers(settings.tiles)
        size = settings.most_bytes
        self._held = Shares(MAX_HELD * size, MAX_HELD_PER_CLIENT * size)  # bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = False

        async def send_safely(message: Message) -> None:
            nonlocal began
            if message["type"] == "http.response.start":
                began = True
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            await self._answer(scope, receive, send_safely)
        except Exception:
            log.exception("a request failed: %s %s", scope["method"], scope["path"])
            if not began:
                fault = problem(500, "the request failed because of a fault of the service")
                await fault(scope, receive, send_safely)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = _refused(Request(scope), self._settings)
        if refusal is not None:
            await refusal(scope, receive, send)
        elif scope["method"] == "HEAD":
            await self._app({**scope, "method": "GET"}, receive, _head_only(send))
        elif _max_bytes(scope["method"], self._settings) is not None:
            await self._answer_with_body(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _answer_with_body(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Receives the body within a time limit, and no more bodies at once than there is room."""
        body = bytearray()
        client = client_of(Request(scope))
        try:
            refusal = await self._receive(body, client, receive)
            if refusal is not None:
                refusal.headers["Connection"] = "close"
                await refusal(scope, receive, send)
            else:
                await self._app(scope, _replayed(bytes(body), receive), send)
        finally:
            self._held.release(client, len(body))

    async def _receive(self, body: bytearray, client: str, receive: Receive) -> Response | None:
        seconds = self._settings.max_request_seconds
        try:
            async with asyncio.timeout(seconds):
                while True:
                    message = await receive()
                    part = message.get("body", b"")
                    self._held.take(client, len(part))
                    body += part
                    if not message.get("more_body", False):  # or the client is gone
                        return None
        except NoShareError as none:
            refusal = problem(503, "too many requests are being read; try again soon")
            if none.is_own:
                refusal = problem(429, "too many of your requests are being read; try again soon")
            refusal.headers["Retry-After"] = "5"
            return refusal
        except TimeoutError:
            return problem(408, f"the request was not complete after {seconds:g} s")


def _replayed(body: bytes, receive: Receive) -> Receive:
    """The body at once, then whatever comes."""
    messages = iter([{"type": "http.request", "body": body, "more_body": False}])

    async def replay() -> Message:
        return next(messages, None) or await receive()

    return replay


def _head_only(send: Send) -> Send:
    """Passes on the head of an answer; it is over where its body would begin."""
    over = False

    async def send_head(message: Message) -> None:
        nonlocal over
        if over:
            return
        if message["type"] == "http.response.body":
            over = True
            message = {"type": "http.response.body", "body": b"", "more_body": False}
        await send(message)

    return send_head


def _allowed(request: Request) -> str:
    """All methods of an address; the framework by itself names those of one handler only."""

    def fits(method: str) -> bool:
        scope = {**request.scope, "method": "GET" if method == "HEAD" else method}
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
            return problem(403, f"this service is for this machine only, not for {host!r}")
        if _is_of_another_site(request):
            return problem(403, "a page of another site may not ask for this")
    elif path.startswith(("/api", "/metrics")):
        given = request.headers.get("authorization", "")
        if not hmac.compare_digest(given.encode(), f"Bearer {settings.token}".encode()):
            response = problem(401, "a token is needed: Authorization: Bearer TOKEN")
            response.headers["WWW-Authenticate"] = "Bearer"
            return response
    max_bytes = _max_bytes(request.method, settings)
    if max_bytes is not None:
        length = request.headers.get("content-length", "")
        if not length.isdigit():
            return problem(411, "the length of the request must be stated")
        if int(length) > max_bytes:
            return problem(413, f"the request is too large; at most {max_bytes} bytes")
    return None


def _max_bytes(method: str, settings: Settings) -> int | None:
    """How large the body of a request may be; None if such requests have none."""
    return {"POST": settings.most_bytes, "PATCH": MAX_PATCH_BYTES}.get(method)


def _is_of_another_site(request: Request) -> bool:
    """Whether a browser says that somebody else's page is behind a request that changes things."""
    if request.method in ("GET", "HEAD"):
        return False
    origin = urlsplit(request.headers.get("origin", ""))
    foreign = origin.netloc not in ("", request.headers.get("host"))
    return foreign or request.headers.get("sec-fetch-site") in ("cross-site", "same-site")


def problem(
    status: int,
    detail: str,
    field: str | None = None,
    *,
    code: str | None = None,
    line: int | None = None,
    value: str | None = None,
) -> JSONResponse:
    """An error as the service answers it."""
    parts = Problem(detail=detail, field=field, code=code, line=line, value=value)
    return JSONResponse(parts.model_dump(), status)
