"""Checks before every request, security headers, and errors as JSON."""

from __future__ import annotations

import asyncio
import hmac
import logging
import re
from urllib.parse import urlsplit

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from sqlalchemy.exc import SQLAlchemyError
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.routing import Match
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from splitroute.errors import LimitError
from splitroute.web.dependencies import client_address
from splitroute.web.errors import INVALID_REQUEST, explain, to_problem
from splitroute.web.quotas import Quota, QuotaExceededError
from splitroute.web.responses import INTERNAL_ERROR, problem
from splitroute.web.service import Service
from splitroute.web.settings import LOOPBACK_HOSTS, Settings

log = logging.getLogger(__name__)

METHODS = ("DELETE", "GET", "HEAD", "PATCH", "POST", "PUT")
MAX_PATCH_BYTES = 2**14  # PATCH bodies are parsed in this process
# Bodies in memory at once, in multiples of the largest request.
MAX_BODIES = 8
MAX_BODIES_PER_CLIENT = 2


def add_middleware(app: FastAPI, service: Service) -> None:
    """Check every request before it is handled, and return every error as JSON."""
    app.add_middleware(_Middleware, settings=service.settings)

    @app.exception_handler(RequestValidationError)
    async def invalid_request(request: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        return problem(422, *explain(first, first["loc"][1:]), code=INVALID_REQUEST)

    @app.exception_handler(HTTPException)
    async def http_error(request: Request, error: HTTPException) -> JSONResponse:
        response = problem(error.status_code, **to_problem(error).model_dump())
        response.headers.update(error.headers or {})
        if error.status_code == 405:
            response.headers["Allow"] = _allowed_methods(request)
        return response

    @app.exception_handler(SQLAlchemyError)
    async def database_error(request: Request, error: SQLAlchemyError) -> JSONResponse:
        service.outage.report(error)
        detail = "the database is unavailable; try again later"
        response = problem(503, detail, code="database_unavailable")
        response.headers["Retry-After"] = "10"
        return response


class _Middleware:
    """Plain ASGI: Starlette's BaseHTTPMiddleware slows down event streams."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app, self._settings = app, settings
        self._headers = _security_headers(settings.tiles)
        size = settings.max_bytes
        self._body_bytes = Quota(MAX_BODIES * size, MAX_BODIES_PER_CLIENT * size)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        has_started = False

        async def send_with_headers(message: Message) -> None:
            nonlocal has_started
            if message["type"] == "http.response.start":
                has_started = True
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            await self._handle(scope, receive, send_with_headers)
        except Exception:
            log.exception("request failed: %s %s", scope["method"], scope["path"])
            if not has_started:
                response = problem(500, INTERNAL_ERROR, code="internal_error")
                await response(scope, receive, send_with_headers)

    async def _handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = _refusal(Request(scope), self._settings)
        if refusal is not None:
            await refusal(scope, receive, send)
        elif scope["method"] == "HEAD":
            await self._app({**scope, "method": "GET"}, receive, _head_only(send))
        elif _max_bytes(scope["method"], self._settings) is not None:
            await self._handle_body(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _handle_body(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Receive the body within the limits on time and memory, then handle the request."""
        body = bytearray()
        client = client_address(Request(scope))
        try:
            refusal = await self._receive(body, client, receive)
            if refusal is not None:
                refusal.headers["Connection"] = "close"
                await refusal(scope, receive, send)
            else:
                await self._app(scope, _replay(bytes(body), receive), send)
        finally:
            self._body_bytes.release(client, len(body))

    async def _receive(self, body: bytearray, client: str, receive: Receive) -> Response | None:
        seconds = self._settings.max_request_seconds
        try:
            async with asyncio.timeout(seconds):
                while True:
                    message = await receive()
                    chunk = message.get("body", b"")
                    self._body_bytes.acquire(client, len(chunk))
                    body += chunk
                    if not message.get("more_body", False):  # or the client has disconnected
                        return None
        except QuotaExceededError as error:
            detail = "too many requests are being received; try again soon"
            refusal = problem(503, detail, code="busy")
            if error.by_client:
                detail = "you are sending too many requests at once; try again soon"
                refusal = problem(429, detail, code="too_many_requests")
            refusal.headers["Retry-After"] = "5"
            return refusal
        except TimeoutError:
            detail = f"the request was not complete after {seconds:g} s"
            return problem(408, detail, code="request_timeout")


def _replay(body: bytes, receive: Receive) -> Receive:
    """Return the received body first, then what follows."""
    messages = iter([{"type": "http.request", "body": body, "more_body": False}])

    async def replay() -> Message:
        return next(messages, None) or await receive()

    return replay


def _head_only(send: Send) -> Send:
    """Send the head of a response and end it where its body would begin."""
    has_ended = False

    async def send_head(message: Message) -> None:
        nonlocal has_ended
        if has_ended:
            return
        if message["type"] == "http.response.body":
            has_ended = True
            message = {"type": "http.response.body", "body": b"", "more_body": False}
        await send(message)

    return send_head


def _allowed_methods(request: Request) -> str:
    """Return all methods of a path; FastAPI lists those of a single handler."""

    def is_allowed(method: str) -> bool:
        scope = {**request.scope, "method": "GET" if method == "HEAD" else method}
        return any(route.matches(scope)[0] is Match.FULL for route in request.app.routes)

    return ", ".join(method for method in METHODS if is_allowed(method))


def _security_headers(tiles: str | None) -> dict[str, str]:
    """Return headers that let the page load from this service and the tile server only."""
    tile_server = ""
    if tiles is not None:
        url = urlsplit(tiles)
        tile_server = f" {url.scheme}://{url.netloc}"
    policy = (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
        f"img-src 'self' data: blob:{tile_server}; connect-src 'self'{tile_server}; "
        "worker-src 'self' blob:; font-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    )
    return {
        "Content-Security-Policy": policy,
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Resource-Policy": "same-origin",
    }


def _refusal(request: Request, settings: Settings) -> Response | None:
    """Return an error if the request is not allowed."""
    path = request.scope["path"]  # not request.url, which depends on the Host header
    if settings.token is None:
        # A page of another site could rebind its host name to this machine.
        host = re.sub(":[0-9]*$", "", request.headers.get("host", ""))
        if host.strip("[]") not in LOOPBACK_HOSTS:
            detail = f"without a token the service is for this machine only, not {host!r}"
            return problem(403, detail, code="host_not_allowed")
        if _is_cross_site(request):
            detail = "pages of other sites may not send this request"
            return problem(403, detail, code="cross_site")
    elif path.startswith(("/api", "/metrics", "/vroom")):
        header = request.headers.get("authorization", "")
        if not hmac.compare_digest(header.encode(), f"Bearer {settings.token}".encode()):
            detail = "missing or wrong token: send Authorization: Bearer TOKEN"
            response = problem(401, detail, code="unauthorized")
            response.headers["WWW-Authenticate"] = "Bearer"
            return response
    max_bytes = _max_bytes(request.method, settings)
    if max_bytes is not None:
        length = request.headers.get("content-length", "")
        if not length.isdigit():
            return problem(411, "the request needs a Content-Length", code="length_required")
        if int(length) > max_bytes:
            detail = f"the request is too large; at most {max_bytes} bytes"
            return problem(413, detail, code=LimitError.code)
    return None


def _max_bytes(method: str, settings: Settings) -> int | None:
    """Return the largest body of a method; None if it has none."""
    return {"POST": settings.max_bytes, "PATCH": MAX_PATCH_BYTES}.get(method)


def _is_cross_site(request: Request) -> bool:
    """Whether a page of another site sends a request that changes something."""
    if request.method in ("GET", "HEAD"):
        return False
    origin = urlsplit(request.headers.get("origin", ""))
    is_foreign = origin.netloc not in ("", request.headers.get("host"))
    return is_foreign or request.headers.get("sec-fetch-site") in ("cross-site", "same-site")
