"""Error responses, and large ones that are compressed outside the event loop."""

from __future__ import annotations

import gzip
from functools import cache
from typing import Any

from anyio import CapacityLimiter, to_thread
from fastapi import Response
from fastapi.responses import JSONResponse
from starlette.datastructures import Headers
from starlette.types import Receive, Scope, Send

from splitroute.web.models import Problem

MIN_BYTES = 50_000  # smaller responses are left to the middleware
COMPRESSION_LEVEL = 4
INTERNAL_ERROR = "internal error; the service has logged it"


def problem(
    status: int,
    detail: str,
    field: str | None = None,
    *,
    code: str,
    line: int | None = None,
    value: str | None = None,
    **more: Any,
) -> JSONResponse:
    """Return an error response; "problem" is the word of RFC 9457."""
    content = Problem(detail=detail, field=field, code=code, line=line, value=value, **more)
    return JSONResponse(content.model_dump(), status)


@cache
def _limiter() -> CapacityLimiter:
    """Limit compression to two threads: jobs need the cores."""
    return CapacityLimiter(2)


class LargeResponse(Response):
    """A response that compresses itself if the client accepts gzip."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it."""
        accepted = Headers(scope=scope).get("accept-encoding", "")
        if len(self.body) >= MIN_BYTES and "gzip" in accepted:
            self.body = await to_thread.run_sync(
                gzip.compress, self.body, COMPRESSION_LEVEL, limiter=_limiter()
            )
            self.headers["Content-Encoding"] = "gzip"
            self.headers["Content-Length"] = str(len(self.body))
            self.headers["Vary"] = "Accept-Encoding"
        await super().__call__(scope, receive, send)
