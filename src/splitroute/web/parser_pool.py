"""Parser processes with memory and time limits, behind a bounded queue."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from splitroute.errors import LimitError
from splitroute.processes.pool import Failure, Task, open_pool
from splitroute.web import parsing
from splitroute.web.errors import RequestError
from splitroute.web.fair_semaphore import FairSemaphore
from splitroute.web.quotas import Quota, QuotaExceededError
from splitroute.web.responses import INTERNAL_ERROR

log = logging.getLogger(__name__)

PROCESSES = 2
NICENESS = 5  # after the service, before the jobs
MAX_PARSING_SECONDS = 20.0
MAX_WAITING_SECONDS = 40.0  # parsing included
MAX_LOGGED_BUGS = 100
RETRY_AFTER = {"Retry-After": "5"}


@dataclass(frozen=True)
class Deferred:
    """An argument that is loaded when its turn comes, as it is too large to wait in memory."""

    load: Callable[[], Any]


class ParserPool:
    """Calls functions of `parsing` in other processes."""

    def __init__(self, max_memory: int, max_waiting: int, max_waiting_per_client: int) -> None:
        self._waiting = Quota(max_waiting, max_waiting_per_client)
        self._slots = FairSemaphore(PROCESSES)
        self._logged_bugs: set[parsing.Bug] = set()
        self._resources = contextlib.ExitStack()
        self._processes = self._resources.enter_context(
            open_pool(count=PROCESSES, max_memory=max_memory, niceness=NICENESS)
        )
        self._threads = ThreadPoolExecutor(PROCESSES, thread_name_prefix="parsing")

    def start(self) -> None:
        """Start the processes, so that the first request need not wait for them."""
        for _ in range(PROCESSES):
            self._threads.submit(self._call, str)

    def close(self) -> None:
        """End the processes."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._resources.close()

    async def run(self, client: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return the function's result, a Refused or a Bug; RequestError if the pool is busy."""
        try:
            with self._waiting.hold(client):
                async with asyncio.timeout(MAX_WAITING_SECONDS):
                    result = await self._run(client, function, *arguments)
        except QuotaExceededError as error:
            raise _busy(by_client=error.by_client) from None
        except TimeoutError:
            raise _busy() from None
        except OSError as error:
            log.error("cannot start a parser process: %s", error)
            raise _busy() from None
        if isinstance(result, parsing.Bug):
            self._log(result)
        if isinstance(result, Failure):
            # Most likely out of memory or time, and in any case because of its input.
            log.warning("parser process failed: %s", result.reason)
            if result.status == "overran":
                return parsing.Refused("reading the instance took too long", code=LimitError.code)
            return parsing.Refused("reading the instance failed")
        return result

    async def _run(self, client: str, *call: Any) -> Any:
        await self._slots.acquire(client)
        loop = asyncio.get_running_loop()
        future = self._threads.submit(self._call, *call)
        # A request that gives up waiting must not free the slot before the process does.
        future.add_done_callback(lambda _: _call_soon(loop, self._slots.release))
        return await asyncio.shield(asyncio.wrap_future(future))

    def _log(self, bug: parsing.Bug) -> None:
        """Log each bug once, so that clients cannot fill the log."""
        if bug not in self._logged_bugs and len(self._logged_bugs) < MAX_LOGGED_BUGS:
            self._logged_bugs.add(bug)
            log.error("request could not be parsed\n%s", bug.traceback)

    def _call(self, *call: Any) -> Any:
        loaded = (part.load() if isinstance(part, Deferred) else part for part in call)
        task = Task(parsing.call, tuple(loaded), MAX_PARSING_SECONDS)
        return dict(self._processes.run([task]))[0]


def accept_input(result: Any) -> Any:
    """Return the result for a client's input; a parser that crashed counts as invalid input."""
    if isinstance(result, parsing.Bug):
        result = parsing.Refused("the file cannot be read")
    return accept(result)


def accept(result: Any) -> Any:
    """Return a parser's result, or raise if it is an error."""
    if isinstance(result, parsing.Refused):
        raise RequestError(
            result.status,
            result.detail,
            result.code,
            field=result.field,
            line=result.line,
            cell=result.cell,
            value=result.value,
            path=result.path,
            errors=result.errors,
        )
    if isinstance(result, parsing.Bug):
        raise RequestError(500, INTERNAL_ERROR, "internal_error")
    return result


def _call_soon(loop: asyncio.AbstractEventLoop, function: Callable[[], None]) -> None:
    with contextlib.suppress(RuntimeError):  # the loop is closed
        loop.call_soon_threadsafe(function)


def _busy(*, by_client: bool = False) -> RequestError:
    if by_client:
        detail = "you have too many requests waiting; try again soon"
        return RequestError(429, detail, "too_many_requests", headers=RETRY_AFTER)
    detail = "too many requests are waiting; try again soon"
    return RequestError(503, detail, "busy", headers=RETRY_AFTER)
