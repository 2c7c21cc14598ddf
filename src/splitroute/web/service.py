"""What the handlers of requests share: the store, the runner, and who waits for news of a job."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated

from fastapi import Depends, HTTPException, Path, Request
from sqlalchemy import RowMapping
from sqlalchemy.exc import SQLAlchemyError
from starlette.concurrency import run_in_threadpool

from splitroute.web.runner import Runner
from splitroute.web.settings import Settings
from splitroute.web.store import ENDED, Store

AT_ONCE = 500  # events read from the store
HEARTBEAT = 10.0  # seconds after which a silent stream says that it is there
ELSEWHERE = 2.0  # seconds between two looks for news of other services


class Service:
    """One of them, with its own store and runner."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.store = Store(settings.store)
        self.runner = Runner(self.store, settings.workers, settings.memory, self.told)
        self.streams = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._waiting: dict[str, set[asyncio.Event]] = {}

    def start(self) -> None:
        """Begins to carry out jobs."""
        self._loop = asyncio.get_running_loop()
        self._looking = self._loop.create_task(self._look_elsewhere())
        self.runner.start()

    async def close(self) -> None:
        """Ends what runs; it is taken up again later."""
        self._looking.cancel()
        await run_in_threadpool(self.runner.close)
        self.store.close()

    def told(self, job: str) -> None:
        """From any thread: something happened to a job."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._wake, job)

    def _wake(self, job: str) -> None:
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
        self.streams += 1
        try:
            yield waiting
        finally:
            self.streams -= 1
            self._waiting[job].discard(waiting)
            if not self._waiting[job]:
                del self._waiting[job]

    async def events(self, job: str, after: int) -> AsyncIterator[str]:
        """What happens to a job as server-sent events, until its end."""
        async with self._news(job) as news:
            while True:
                news.clear()
                rows = await run_in_threadpool(self.store.events_after, job, after, AT_ONCE)
                for row in rows:
                    after = row["number"]
                    yield f"id: {after}\nevent: {row['kind']}\ndata: {row['data']}\n\n"
                    if row["kind"] == "status" and json.loads(row["data"])["status"] in ENDED:
                        return
                if len(rows) == AT_ONCE:
                    continue
                if not rows and not await run_in_threadpool(self.store.latest_events, [job]):
                    return  # it was forgotten
                try:
                    await asyncio.wait_for(news.wait(), HEARTBEAT)
                except TimeoutError:
                    yield ": still here\n\n"


def _shared(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


Shared = Annotated[Service, Depends(_shared)]
JobId = Annotated[str, Path(pattern="^[0-9a-f]{32}$", description="As answered by POST.")]


def _existing(id: JobId, service: Shared) -> RowMapping:
    row = service.store.get(id)
    if row is None:
        raise HTTPException(404, f"there is no job {id}")
    return row


Existing = Annotated[RowMapping, Depends(_existing)]
