"""A few parser processes, each with a memory and a time limit, and a bounded queue before them."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from fastapi import HTTPException

from splitroute.processes.pool import Failure, Task, open_pool
from splitroute.web import parsing
from splitroute.web.shares import NoShareError, Shares
from splitroute.web.turns import Turns

log = logging.getLogger(__name__)

PARSERS = 2  # processes
NICENESS = 5  # after the service, before the jobs
PARSING_SECONDS = 20.0  # for one request
WAITING_SECONDS = 40.0  # parsing included, until a client is asked to come back later
MAX_BUGS = 100  # different ones that are logged
RETRY_AFTER = {"Retry-After": "5"}


class ParserPool:
    """Calls functions of `parsing` in other processes."""

    def __init__(self, max_memory: int, max_waiting: int, max_waiting_per_client: int) -> None:
        self._waiting = Shares(max_waiting, max_waiting_per_client)
        self._turns = Turns(PARSERS)
        self._bugs: set[parsing.Bug] = set()
        self._open = contextlib.ExitStack()
        limits: dict[str, Any] = {"max_memory": max_memory, "niceness": NICENESS}
        self._workers = self._open.enter_context(open_pool(count=PARSERS, **limits))
        self._threads = ThreadPoolExecutor(PARSERS, thread_name_prefix="parsing")

    def start(self) -> None:
        """Starts the processes, so that the first request need not wait for them."""
        for _ in range(PARSERS):
            self._threads.submit(self._call, Task(parsing.call, (str,), PARSING_SECONDS))

    def close(self) -> None:
        """Ends the processes."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._open.close()

    async def run(self, client: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """What the function returns, or a Refused or a Bug; HTTPException if it has to wait."""
        task = Task(parsing.call, (function, *arguments), PARSING_SECONDS)
        try:
            with self._waiting.held(client):
                async with asyncio.timeout(WAITING_SECONDS):
                    answer = await self._parse(client, task)
        except NoShareError as none:
            raise _busy(is_own=none.is_own) from None
        except TimeoutError:
            raise _busy() from None
        except OSError as error:
            log.error("a parser process cannot be started: %s", error)
            raise _busy() from None
        if isinstance(answer, parsing.Bug):
            self._log(answer)
        if isinstance(answer, Failure):
            # Most likely its memory or its time, and in any case because of what it was given.
            log.warning("a parser process failed: %s", answer.reason)
            why = "took too long" if answer.status == "overran" else "failed"
            return parsing.Refused(f"reading this {why} and was given up")
        return answer

    async def _parse(self, client: str, task: Task) -> Any:
        await self._turns.take(client)
        loop = asyncio.get_running_loop()
        work = self._threads.submit(self._call, task)
        # Whoever waits for it may be gone by then.
        work.add_done_callback(lambda _: _call_soon(loop, self._turns.release))
        return await asyncio.shield(asyncio.wrap_future(work))

    def _log(self, bug: parsing.Bug) -> None:
        """Logs each fault of ours once; clients cannot fill the log."""
        if bug not in self._bugs and len(self._bugs) < MAX_BUGS:
            self._bugs.add(bug)
            log.error("a request could not be parsed\n%s", bug.traceback)

    def _call(self, task: Task) -> Any:
        return dict(self._workers.run([task]))[0]


def _call_soon(loop: asyncio.AbstractEventLoop, function: Callable[[], None]) -> None:
    with contextlib.suppress(RuntimeError):  # the loop is closed
        loop.call_soon_threadsafe(function)


def _busy(*, is_own: bool = False) -> HTTPException:
    if is_own:
        return HTTPException(429, "you have too many requests waiting; try again soon", RETRY_AFTER)
    return HTTPException(503, "too many requests are being read; try again soon", RETRY_AFTER)
