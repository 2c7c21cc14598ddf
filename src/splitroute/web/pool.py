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

log = logging.getLogger(__name__)

PARSERS = 2  # processes
NICENESS = 5  # after the service, before the jobs
PARSING_SECONDS = 20.0  # for one request
WAITING_SECONDS = 40.0  # parsing included, until a client is asked to come back later
MAX_BUGS = 100  # different ones that are logged
RETRY_AFTER = {"Retry-After": "5"}


class ParserPool:
    """Calls functions of `parsing` in other processes."""

    def __init__(self, max_memory: int, max_waiting: int) -> None:
        self._max_waiting, self._waiting = max_waiting, 0
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

    async def run(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """What the function returns, or a Refused or a Bug; HTTPException if it has to wait."""
        if self._waiting >= self._max_waiting:
            raise _busy()
        task = Task(parsing.call, (function, *arguments), PARSING_SECONDS)
        self._waiting += 1
        try:
            work = asyncio.get_running_loop().run_in_executor(self._threads, self._call, task)
            answer = await asyncio.wait_for(work, WAITING_SECONDS)
        except TimeoutError:
            raise _busy() from None
        except OSError as error:
            log.error("a parser process cannot be started: %s", error)
            raise _busy() from None
        finally:
            self._waiting -= 1
        if isinstance(answer, parsing.Bug):
            self._log(answer)
        if isinstance(answer, Failure):
            # Most likely its memory or its time, and in any case because of what it was given.
            log.warning("a parser process failed: %s", answer.why)
            why = "took too long" if answer.status == "overran" else "failed"
            return parsing.Refused(f"reading this {why} and was given up")
        return answer

    def _log(self, bug: parsing.Bug) -> None:
        """Logs each fault of ours once; clients cannot fill the log."""
        if bug not in self._bugs and len(self._bugs) < MAX_BUGS:
            self._bugs.add(bug)
            log.error("a request could not be parsed\n%s", bug.traceback)

    def _call(self, task: Task) -> Any:
        return dict(self._workers.run([task]))[0]


def _busy() -> HTTPException:
    return HTTPException(503, "too many requests are being read; try again soon", RETRY_AFTER)
