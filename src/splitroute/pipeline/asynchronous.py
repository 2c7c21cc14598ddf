"""Runs a search in a thread that an event loop can wait for and cancel."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

from splitroute.errors import wrong_type
from splitroute.progress import Listener, Progress
from splitroute.result import Result


async def run_in_thread(search: Callable[..., Result], listener: Listener | None) -> Result:
    """Return the result of `search(listener=...)`; a cancelled task waits until it has stopped."""
    if listener is not None and not callable(listener):
        call = "await solve_async(.., listener=print)"
        raise wrong_type("listener", listener, "a function of a Progress", call)
    is_cancelled = threading.Event()

    def listen(progress: Progress) -> bool:
        should_stop = listener is not None and bool(listener(progress))
        return should_stop or is_cancelled.is_set()

    run = asyncio.ensure_future(asyncio.to_thread(search, listener=listen))
    try:
        return await asyncio.shield(run)
    except asyncio.CancelledError:
        is_cancelled.set()
        # Threads cannot be cancelled: without waiting, it would still compute after the task ended.
        await asyncio.wait([run])
        if not run.cancelled():
            run.exception()  # retrieved, so that it is not reported as lost
        raise
