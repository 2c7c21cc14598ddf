"""Answers that may be large: compressed in a thread, so that nobody else waits for it."""

from __future__ import annotations

import gzip
from functools import cache

from anyio import CapacityLimiter, to_thread
from fastapi import Response
from starlette.datastructures import Headers
from starlette.types import Receive, Scope, Send

MIN_BYTES = 50_000  # smaller ones are left to the middleware
LEVEL = 4


@cache
def _limiter() -> CapacityLimiter:
    """Few at once: the cores are for others too."""
    return CapacityLimiter(2)


class LargeResponse(Response):
    """One that compresses itself if the client takes gzip."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sends it."""
        accepted = Headers(scope=scope).get("accept-encoding", "")
        if len(self.body) >= MIN_BYTES and "gzip" in accepted:
            self.body = await to_thread.run_sync(
                gzip.compress, self.body, LEVEL, limiter=_limiter()
            )
            self.headers["Content-Encoding"] = "gzip"
            self.headers["Content-Length"] = str(len(self.body))
            self.headers["Vary"] = "Accept-Encoding"
        await super().__call__(scope, receive, send)
