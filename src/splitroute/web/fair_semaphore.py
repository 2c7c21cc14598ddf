"""A semaphore that serves waiting clients in turn."""

from __future__ import annotations

import asyncio
from collections import deque


class FairSemaphore:
    """Slots that waiting clients get round-robin, however many each of them waits for.

    Not thread-safe: for the event loop only.
    """

    def __init__(self, slots: int) -> None:
        self._free = slots
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}  # next client first

    async def acquire(self, client: str) -> None:
        """Wait for a slot."""
        if self._free:
            self._free -= 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(client, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.release()  # the slot came too late
            raise

    def release(self) -> None:
        """Pass a slot on to the next client."""
        while self._waiting:
            client = next(iter(self._waiting))
            turns = self._waiting.pop(client)
            turn = turns.popleft()
            if turns:
                self._waiting[client] = turns  # to the end of the line
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1
