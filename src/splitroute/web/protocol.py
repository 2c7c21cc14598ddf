"""uvicorn's HTTP protocol with limits on slow connections.

uvicorn waits without limit for the head of a request, and for a client to read a response. Here
both have a time limit, and the head has a size limit. The middleware limits bodies.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from splitroute.web.responses import problem

MAX_HEAD_SECONDS = 10.0
MAX_HEAD_BYTES = 2**16
MAX_STALL_SECONDS = 60.0  # in which a client reads nothing of its response
MALFORMED = problem(400, "malformed HTTP request", code="malformed_http").body


class BoundedProtocol(HttpToolsProtocol):
    """Closes connections that stall."""

    max_head_seconds = MAX_HEAD_SECONDS

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._head_timer, self._stall_timer = _Timer(self.loop), _Timer(self.loop)
        self._head_bytes = self._chunk_bytes = self._unread_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._head_timer.stop()
        self._stall_timer.stop()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        # Blank lines before the next request, or the rest of a body that nobody reads.
        has_responded = self.cycle is not None and self.cycle.response_complete
        if has_responded and not self._head_timer.is_running:
            self._await_head()
        self._chunk_bytes = len(data)
        super().data_received(data)
        if self._head_timer.is_running:
            self._head_bytes += len(data)
            if self._head_bytes > MAX_HEAD_BYTES:
                self.transport.close()

    def on_message_begin(self) -> None:
        # A request may begin while the response to an earlier one is open.
        if not self._head_timer.is_running:
            self._await_head()
        self._head_bytes = -self._chunk_bytes  # it may begin anywhere in its chunk
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._head_timer.stop()
        super().on_headers_complete()

    def send_400_response(self, msg: str) -> None:
        """Respond to malformed HTTP with our error JSON instead of plain text."""
        head = (
            "HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\n"
            f"content-length: {len(MALFORMED)}\r\nconnection: close\r\n\r\n"
        )
        self.transport.write(head.encode() + MALFORMED)
        self.transport.close()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._await_reading()

    def resume_writing(self) -> None:
        self._stall_timer.stop()
        super().resume_writing()

    def _await_head(self) -> None:
        self._head_bytes = 0
        self._head_timer.start(self.max_head_seconds, self.transport.close)

    def _await_reading(self) -> None:
        self._unread_bytes = self.transport.get_write_buffer_size()
        self._stall_timer.start(MAX_STALL_SECONDS, self._check_reading)

    def _check_reading(self) -> None:
        if self.transport.get_write_buffer_size() < self._unread_bytes:
            self._await_reading()  # slow, but not stalled
        else:
            self.transport.abort()


class _Timer:
    """Calls a function after a delay, unless stopped."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._handle: asyncio.TimerHandle | None = None

    @property
    def is_running(self) -> bool:
        """Whether it was started and not stopped."""
        return self._handle is not None

    def start(self, seconds: float, function: Callable[[], object]) -> None:
        """Start, or restart, the delay."""
        self.stop()
        self._handle = self._loop.call_later(seconds, function)

    def stop(self) -> None:
        """Cancel the call."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None


def bounded_protocol(max_request_seconds: float) -> type[BoundedProtocol]:
    """Return the protocol class for a limit on the time to receive a request."""
    seconds = min(MAX_HEAD_SECONDS, max_request_seconds)
    return type("Protocol", (BoundedProtocol,), {"max_head_seconds": seconds})
