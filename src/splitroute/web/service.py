"""State shared by the request handlers: store, runner, parsers and event streams."""

from __future__ import annotations

import asyncio
import contextlib
import json
import math
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from sqlalchemy.exc import SQLAlchemyError
from starlette.concurrency import run_in_threadpool

from splitroute.web.errors import RequestError
from splitroute.web.limits import Limits
from splitroute.web.outage import Outage
from splitroute.web.parser_pool import ParserPool, accept_input
from splitroute.web.parsing import ParsedJob
from splitroute.web.quotas import QuotaExceededError
from splitroute.web.runner import Runner
from splitroute.web.settings import Settings
from splitroute.web.store import ENDED, Store
from splitroute.web.streams import Streams

MAX_EVENTS = 500  # per query
HEARTBEAT_SECONDS = 10.0  # between comments on a silent stream
POLL_SECONDS = 2.0  # between looking for events of other services
PROBE_SECONDS = 5.0  # until the store counts as unavailable
PROBE_CACHE_SECONDS = 1.0  # for which a successful probe is valid
DELETE_SECONDS = 600.0  # between deletions of old jobs


class Service:
    """A service with its own store, runner and parser processes."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.store = Store(settings.store)
        self.outage = Outage()
        self.runner = Runner(
            self.store,
            settings.workers,
            settings.memory,
            self.notify,
            self.outage,
            settings.roads,
        )
        self.parsers = ParserPool(
            settings.max_parser_memory, settings.max_waiting, settings.max_waiting_per_client
        )
        self.limits = Limits(settings.max_customers, settings.max_seconds, settings.roads)
        self.streams = Streams(settings.max_streams, settings.max_streams_per_client)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._subscribers: dict[str, set[asyncio.Event]] = {}  # by job
        self._queries: dict[str, dict[int, asyncio.Task[_Chunk]]] = {}  # by job and event
        self._probe_lock = asyncio.Lock()
        self._probed_at = -math.inf

    def start(self) -> None:
        """Start to run jobs."""
        self._loop = asyncio.get_running_loop()
        self._tasks = [self._loop.create_task(self._poll_events())]
        if self.settings.keep_days is not None:
            self._tasks.append(
                self._loop.create_task(self._delete_old_jobs(self.settings.keep_days))
            )
        self.parsers.start()
        self.runner.start()

    async def close(self) -> None:
        """Stop running jobs; another service continues them."""
        for task in self._tasks:
            task.cancel()
        await run_in_threadpool(self.runner.close)
        await run_in_threadpool(self.parsers.close)
        self.store.close()

    async def submit(
        self, client: str, parse: Callable[..., Any], body: bytes
    ) -> tuple[str, ParsedJob]:
        """Queue the job of a request; return its id and what was parsed."""
        max_open = self.settings.max_open_jobs
        try:
            await run_in_threadpool(self.store.check_open, client, max_open)  # before the work
            job: ParsedJob = accept_input(await self.parsers.run(client, parse, body, self.limits))

            def add() -> str:
                return self.store.add(
                    client, job.name, job.customers, job.request, method=job.method, unit=job.unit,
                    instance=job.instance, request_summary=job.request_summary,
                    warnings=json.dumps(job.warnings), max_open=max_open,
                )  # fmt: skip

            return await run_in_threadpool(add), job
        except QuotaExceededError:
            detail = f"you have {max_open} open jobs; wait until one ends"
            raise RequestError(429, detail, "too_many_jobs") from None

    async def counts(self) -> dict[str, int]:
        """Return the number of jobs by status; raise if the store is unavailable."""
        # Not in Starlette's threads, all of which may be waiting for the store.
        async with asyncio.timeout(PROBE_SECONDS), self._probe_lock:
            if time.monotonic() - self._probed_at > PROBE_CACHE_SECONDS:
                await asyncio.to_thread(self.store.probe)
                self._probed_at = time.monotonic()
            return await asyncio.to_thread(self.store.counts)

    async def _delete_old_jobs(self, days: float) -> None:
        while True:
            try:
                await run_in_threadpool(self.store.delete_older, days * 86_400)
            except SQLAlchemyError as error:
                self.outage.report(error)
            await asyncio.sleep(DELETE_SECONDS)

    def notify(self, job: str) -> None:
        """Wake the event streams of a job; thread-safe."""
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # the loop is closed
                self._loop.call_soon_threadsafe(self._wake, job)

    def _wake(self, job: str) -> None:
        self._queries.pop(job, None)  # they may have missed the new event
        for event in self._subscribers.get(job, ()):
            event.set()

    async def _poll_events(self) -> None:
        """Wake the streams of jobs that other services on the same store have changed."""
        seen: dict[str, int] = {}
        while True:
            await asyncio.sleep(POLL_SECONDS)
            with contextlib.suppress(SQLAlchemyError):
                jobs = list(self._subscribers)
                last = await run_in_threadpool(self.store.last_events, jobs)
                for job in jobs:
                    if last.get(job) != seen.get(job):
                        self._wake(job)
                seen = last

    @asynccontextmanager
    async def _subscribe(self, job: str) -> AsyncIterator[asyncio.Event]:
        """Yield an event that is set when the job changes."""
        event = asyncio.Event()
        self._subscribers.setdefault(job, set()).add(event)
        try:
            yield event
        finally:
            self._subscribers[job].discard(event)
            if not self._subscribers[job]:
                del self._subscribers[job]

    async def _events_after(self, job: str, number: int) -> _Chunk:
        """Return new events; streams that wait for the same ones share a query."""
        queries = self._queries.setdefault(job, {})
        if number not in queries:
            query = asyncio.create_task(run_in_threadpool(_read_chunk, self.store, job, number))
            queries[number] = query

            def drop(_: object) -> None:
                del queries[number]
                if not queries and self._queries.get(job) is queries:
                    del self._queries[job]

            query.add_done_callback(drop)
        return await asyncio.shield(queries[number])

    async def events(self, job: str, after: int) -> AsyncIterator[bytes]:
        """Yield the server-sent events of a job until its end.

        The stream ends early if the store becomes unavailable; clients then reconnect.
        """
        try:
            async with self._subscribe(job) as changed:
                while True:
                    changed.clear()
                    chunk = await self._events_after(job, after)
                    after = chunk.last
                    if chunk.text:
                        yield chunk.text
                    if chunk.is_end:
                        return
                    if chunk.is_full:
                        continue
                    if not chunk.text and not await run_in_threadpool(
                        self.store.last_events, [job]
                    ):
                        return  # the job was deleted
                    try:
                        await asyncio.wait_for(changed.wait(), HEARTBEAT_SECONDS)
                    except TimeoutError:
                        yield b": heartbeat\n\n"
        except SQLAlchemyError as error:
            self.outage.report(error)


@dataclass(frozen=True)
class _Chunk:
    """Consecutive events of a job as they are sent."""

    text: bytes
    last: int  # number of the last event
    is_full: bool  # there may be more
    is_end: bool  # the job has ended


def _read_chunk(store: Store, job: str, after: int) -> _Chunk:
    text, rows = [], store.events_after(job, after, MAX_EVENTS)
    for row in rows:
        after = row["number"]
        text.append(f"id: {after}\nevent: {row['kind']}\ndata: {row['data']}\n\n")
        if row["kind"] == "status" and json.loads(row["data"])["status"] in ENDED:
            return _Chunk("".join(text).encode(), after, False, True)
    return _Chunk("".join(text).encode(), after, len(rows) == MAX_EVENTS, False)
