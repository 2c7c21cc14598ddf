"""Whose turn it is where few can be served at once."""

from __future__ import annotations

import asyncio
from collections import deque


class Turns:
    """Places that clients take in turn, however many each of them waits for.

    For the event loop's thread only.
    """

    def __init__(self, places: int) -> None:
        self._free = places
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}  # whose turn is next comes first

    async def take(self, client: str) -> None:
        """Waits for a place."""
        if self._free:
            self._free -= 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(client, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.release()  # it came too late
            raise

    def release(self) -> None:
        """Passes a place on to the client that has waited longest for its turn."""
        while self._waiting:
            client = next(iter(self._waiting))
            turns = self._waiting.pop(client)
            turn = turns.popleft()
            if turns:
                self._waiting[client] = turns  # behind the others
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1
