"""HTTP as uvicorn speaks it, with an end to connections that stall.

uvicorn waits for the head of a request, and for a client to read its answer, for as long as they
take. Here both have a time limit, and a head has a size. (A body's time is the guard's business.)
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MAX_HEAD_SECONDS = 10.0
MAX_HEAD_BYTES = 2**16
MAX_STALL_SECONDS = 60.0  # in which a client reads nothing of its answer


class BoundedProtocol(HttpToolsProtocol):
    """Closes connections that make it wait too long."""

    max_head_seconds = MAX_HEAD_SECONDS

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._head, self._stall = _Timer(self.loop), _Timer(self.loop)
        self._head_bytes = self._chunk_bytes = self._unread = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._head.stop()
        self._stall.stop()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        # Blank lines before another request, or the rest of a body that nobody waits for.
        if not self._head.is_running and self.cycle is not None and self.cycle.response_complete:
            self._await_head()
        self._chunk_bytes = len(data)
        super().data_received(data)
        if self._head.is_running:
            self._head_bytes += len(data)
            if self._head_bytes > MAX_HEAD_BYTES:
                self.transport.close()

    def on_message_begin(self) -> None:
        # Another request may begin while the response to an earlier one is open.
        if not self._head.is_running:
            self._await_head()
        self._head_bytes = -self._chunk_bytes  # where in its chunk it begins is not known
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._head.stop()
        super().on_headers_complete()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._await_reading()

    def resume_writing(self) -> None:
        self._stall.stop()
        super().resume_writing()

    def _await_head(self) -> None:
        self._head_bytes = 0
        self._head.start(self.max_head_seconds, self.transport.close)

    def _await_reading(self) -> None:
        self._unread = self.transport.get_write_buffer_size()
        self._stall.start(MAX_STALL_SECONDS, self._check_reading)

    def _check_reading(self) -> None:
        if self.transport.get_write_buffer_size() < self._unread:
            self._await_reading()  # it is slow, but it reads
        else:
            self.transport.abort()


class _Timer:
    """Calls a function after some time, unless it is stopped."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._handle: asyncio.TimerHandle | None = None

    @property
    def is_running(self) -> bool:
        """Whether it was started and not stopped."""
        return self._handle is not None

    def start(self, seconds: float, function: Callable[[], object]) -> None:
        """Begins anew."""
        self.stop()
        self._handle = self._loop.call_later(seconds, function)

    def stop(self) -> None:
        """Nothing will be called."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None


def bounded(max_request_seconds: float) -> type[BoundedProtocol]:
    """The protocol of a service that waits so long for a request."""
    seconds = min(MAX_HEAD_SECONDS, max_request_seconds)
    return type("Protocol", (BoundedProtocol,), {"max_head_seconds": seconds})
