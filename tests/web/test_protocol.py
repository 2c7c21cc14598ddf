"""Connections of clients that do not read their responses."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
import uvicorn
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.server import ServerState

from splitroute.web import protocol


class Transport(asyncio.Transport):
    """A transport with bytes that the client has not read."""

    unread = 100_000
    is_aborted = False

    def get_write_buffer_size(self) -> int:
        return self.unread

    def abort(self) -> None:
        self.is_aborted = True


def test_stalled_clients_are_disconnected_and_slow_ones_are_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(protocol, "MAX_STALL_SECONDS", 0.1)

    async def app(scope: Any, receive: Any, send: Any) -> None:
        pass

    async def watch() -> tuple[bool, bool]:
        config = uvicorn.Config(app, log_level="critical")
        connection = protocol.BoundedProtocol(config, ServerState(), {})
        connection.transport = transport = Transport()
        connection.flow = FlowControl(transport)
        connection.pause_writing()
        for _ in range(50):  # a little at a time
            transport.unread -= 100
            await asyncio.sleep(0.01)
        aborted_while_slow = transport.is_aborted
        for _ in range(300):
            await asyncio.sleep(0.01)
            if transport.is_aborted:
                break
        return aborted_while_slow, transport.is_aborted

    assert asyncio.run(watch()) == (False, True)
