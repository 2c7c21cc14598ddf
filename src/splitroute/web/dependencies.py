"""FastAPI dependencies of the request handlers."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import Depends, Path, Request
from sqlalchemy import RowMapping

from splitroute.web.errors import RequestError
from splitroute.web.service import Service


# Coroutines where possible: FastAPI runs plain functions in threads, all of which may be busy.
async def _service(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


SharedService = Annotated[Service, Depends(_service)]


def client_address(request: Request) -> str:
    """Return the address by which clients take turns and are limited."""
    return request.client.host[:64] if request.client else "unknown"


async def _client(request: Request) -> str:
    return client_address(request)


Client = Annotated[str, Depends(_client)]
JobId = Annotated[str, Path(pattern="^[0-9a-f]{32}$", description="As returned by POST.")]


def job_not_found(id: str) -> RequestError:
    """Return the error for a job that does not exist."""
    return RequestError(404, f"there is no job {id}", "job_not_found")


def _found(id: str, row: RowMapping | None) -> RowMapping:
    if row is None:
        raise job_not_found(id)
    return row


def _job(id: JobId, service: SharedService) -> RowMapping:
    return _found(id, service.store.get(id))


def _state(id: JobId, service: SharedService) -> RowMapping:
    return _found(id, service.store.state(id))


def _summary(id: JobId, service: SharedService) -> RowMapping:
    return _found(id, service.store.summary(id))


# Rows of the job in the path, or 404.
Job = Annotated[RowMapping, Depends(_job)]
JobWithoutRequest = Annotated[RowMapping, Depends(_state)]
SmallJob = Annotated[RowMapping, Depends(_summary)]  # without large columns


async def _stream_slot(request: Request, service: SharedService) -> AsyncIterator[None]:
    with service.streams.open(client_address(request)):
        yield


StreamSlot = Annotated[None, Depends(_stream_slot)]  # held until the response ends
