"""What the handlers of requests share: the store, the runner, and who waits for news of a job."""

from __future__ import annotations

import asyncio
import contextlib
import json
import math
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, HTTPException, Path, Request
from sqlalchemy import RowMapping
from sqlalchemy.exc import SQLAlchemyError
from starlette.concurrency import run_in_threadpool

from splitroute.web.outage import Outage
from splitroute.web.pool import ParserPool
from splitroute.web.runner import Runner
from splitroute.web.settings import Settings
from splitroute.web.store import ENDED, Store
from splitroute.web.streams import Streams

AT_ONCE = 500  # events read from the store
HEARTBEAT = 10.0  # seconds after which a silent stream says that it is there
ELSEWHERE = 2.0  # seconds between two looks for news of other services
PROBE_SECONDS = 5.0  # until the store counts as away
PROBED_SECONDS = 1.0  # for which a store that could be written counts as writable
FORGET_SECONDS = 600.0  # between two looks for jobs to delete


class Service:
    """One of them, with its own store, runner and parser processes."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.store = Store(settings.store)
        self.outage = Outage()
        self.runner = Runner(self.store, settings.workers, settings.memory, self.told, self.outage)
        self.parsers = ParserPool(
            settings.max_parser_memory, settings.max_waiting, settings.max_waiting_per_client
        )
        self.streams = Streams(settings.max_streams, settings.max_streams_per_client)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._waiting: dict[str, set[asyncio.Event]] = {}
        self._reading: dict[str, dict[int, asyncio.Task[_Chunk]]] = {}
        self._probe = asyncio.Lock()
        self._probed = -math.inf

    def start(self) -> None:
        """Begins to carry out jobs."""
        self._loop = asyncio.get_running_loop()
        self._tasks = [self._loop.create_task(self._look_elsewhere())]
        if self.settings.keep_days is not None:
            self._tasks.append(self._loop.create_task(self._forget(self.settings.keep_days)))
        self.parsers.start()
        self.runner.start()

    async def close(self) -> None:
        """Ends what runs; it is taken up again later."""
        for task in self._tasks:
            task.cancel()
        await run_in_threadpool(self.runner.close)
        await run_in_threadpool(self.parsers.close)
        self.store.close()

    async def counts(self) -> dict[str, int]:
        """How many jobs there are of each status; raises if the store cannot be used."""
        # Not in the threads that serve requests, all of which may be waiting for the store.
        async with asyncio.timeout(PROBE_SECONDS), self._probe:
            if time.monotonic() - self._probed > PROBED_SECONDS:
                await asyncio.to_thread(self.store.probe)
                self._probed = time.monotonic()
            return await asyncio.to_thread(self.store.counts)

    async def _forget(self, days: float) -> None:
        """Deletes jobs that ended so long ago, now and then."""
        while True:
            try:
                await run_in_threadpool(self.store.delete_older, days * 86_400)
            except SQLAlchemyError as error:
                self.outage.noticed(error)
            await asyncio.sleep(FORGET_SECONDS)

    def told(self, job: str) -> None:
        """From any thread: something happened to a job."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._wake, job)

    def _wake(self, job: str) -> None:
        self._reading.pop(job, None)  # may be from before
        for waiting in self._waiting.get(job, ()):
            waiting.set()

    async def _look_elsewhere(self) -> None:
        """Wakes the streams of jobs that other services of the same store have news of."""
        seen: dict[str, int] = {}
        while True:
            await asyncio.sleep(ELSEWHERE)
            with contextlib.suppress(SQLAlchemyError):  # away for a while
                jobs = list(self._waiting)
                latest = await run_in_threadpool(self.store.latest_events, jobs)
                for job in jobs:
                    if latest.get(job) != seen.get(job):
                        self._wake(job)
                seen = latest

    @asynccontextmanager
    async def _news(self, job: str) -> AsyncIterator[asyncio.Event]:
        """Set when something happens to the job."""
        waiting = asyncio.Event()
        self._waiting.setdefault(job, set()).add(waiting)
        try:
            yield waiting
        finally:
            self._waiting[job].discard(waiting)
            if not self._waiting[job]:
                del self._waiting[job]

    async def _told_since(self, job: str, after: int) -> _Chunk:
        """What happened since; streams that wait for the same are served by one query."""
        of_job = self._reading.setdefault(job, {})
        if after not in of_job:
            query = run_in_threadpool(_chunk, self.store, job, after)
            of_job[after] = asyncio.create_task(query)
            of_job[after].add_done_callback(lambda _: self._read(job, of_job, after))
        return await asyncio.shield(of_job[after])

    def _read(self, job: str, of_job: dict[int, Any], after: int) -> None:
        of_job.pop(after)
        if not of_job and self._reading.get(job) is of_job:
            del self._reading[job]

    async def events(self, job: str, after: int) -> AsyncIterator[bytes]:
        """What happens to a job as server-sent events, until its end.

        A stream ends early when the store cannot be read; clients then ask again.
        """
        try:
            async with self._news(job) as news:
                while True:
                    news.clear()
                    chunk = await self._told_since(job, after)
                    after = chunk.last
                    if chunk.text:
                        yield chunk.text
                    if chunk.is_end:
                        return
                    if chunk.is_full:
                        continue
                    if not chunk.text and not await run_in_threadpool(
                        self.store.latest_events, [job]
                    ):
                        return  # it was forgotten
                    try:
                        await asyncio.wait_for(news.wait(), HEARTBEAT)
                    except TimeoutError:
                        yield b": still here\n\n"
        except SQLAlchemyError as error:
            self.outage.noticed(error)


@dataclass(frozen=True)
class _Chunk:
    """Some events of a job as they are sent."""

    text: bytes
    last: int  # the number of the last one
    is_full: bool  # there may be more
    is_end: bool  # there will be no more


def _chunk(store: Store, job: str, after: int) -> _Chunk:
    text, rows = [], store.events_after(job, after, AT_ONCE)
    for row in rows:
        after = row["number"]
        text.append(f"id: {after}\nevent: {row['kind']}\ndata: {row['data']}\n\n")
        if row["kind"] == "status" and json.loads(row["data"])["status"] in ENDED:
            return _Chunk("".join(text).encode(), after, False, True)
    return _Chunk("".join(text).encode(), after, len(rows) == AT_ONCE, False)


# Not a plain function: that would wait for a thread, all of which may be busy.
async def _shared(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


Shared = Annotated[Service, Depends(_shared)]
JobId = Annotated[str, Path(pattern="^[0-9a-f]{32}$", description="As answered by POST.")]


def _found(id: str, row: RowMapping | None) -> RowMapping:
    if row is None:
        raise HTTPException(404, f"there is no job {id}")
    return row


def existing(id: JobId, service: Shared) -> RowMapping:
    """Everything about a job; 404 if there is none."""
    return _found(id, service.store.get(id))


def _state(id: JobId, service: Shared) -> RowMapping:
    return _found(id, service.store.state(id))


def _summary(id: JobId, service: Shared) -> RowMapping:
    return _found(id, service.store.summary(id))


Existing = Annotated[RowMapping, Depends(existing)]
State = Annotated[RowMapping, Depends(_state)]  # without the request as it came
Summary = Annotated[RowMapping, Depends(_summary)]  # without anything large


def client_of(request: Request) -> str:
    """Who asks: an address, by which clients take turns and are limited."""
    return request.client.host[:64] if request.client else "unknown"


# Not a plain function: that would wait for a thread.
async def _client(request: Request) -> str:
    return client_of(request)


Client = Annotated[str, Depends(_client)]


async def _stream_place(request: Request, service: Shared) -> AsyncIterator[None]:
    with service.streams.place(client_of(request)):
        yield


StreamPlace = Annotated[None, Depends(_stream_place)]  # kept until the answer is over
