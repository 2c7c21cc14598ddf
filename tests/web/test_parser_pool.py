"""Parser processes: a failure refuses one request and affects no other."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from splitroute.errors import InputError
from splitroute.web import parser_pool, parsing
from splitroute.web.errors import RequestError
from splitroute.web.parser_pool import ParserPool
from splitroute.web.parsing import Refused


@pytest.fixture(scope="module")
def parsers() -> Iterator[ParserPool]:
    pool = ParserPool(max_memory=512, max_waiting=6, max_waiting_per_client=4)
    yield pool
    pool.close()


def run(parsers: ParserPool, *call: Any) -> Any:
    return asyncio.run(parsers.run("me", *call))


def double(x: int) -> int:
    return 2 * x


def exhaust_memory() -> int:
    return len(bytearray(2**33))


def nest() -> None:
    nest()


def refuse() -> None:
    raise InputError("not like this", field="unit")


def fail() -> None:
    raise RuntimeError("no idea")


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def pid() -> int:
    return os.getpid()


@pytest.mark.parametrize(
    ("function", "field", "words"),
    [
        (exhaust_memory, "instance", "more memory"),
        (nest, "instance", "nested too deeply"),
        (refuse, "unit", "not like this"),
        (die, "instance", "failed"),
    ],
)
def test_a_failure_refuses_one_request_only(
    parsers: ParserPool, function: Callable[[], object], field: str, words: str
) -> None:
    for _ in range(3):
        refused = run(parsers, function)
        assert isinstance(refused, Refused)
        assert (refused.field, words in refused.detail) == (field, True)
    assert [run(parsers, double, k) for k in range(4)] == [0, 2, 4, 6]


def test_slow_parsing_is_refused(parsers: ParserPool, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(parsers, double, 1) == 2
    monkeypatch.setattr(parser_pool, "MAX_PARSING_SECONDS", 0.2)
    monkeypatch.setattr("splitroute.processes.pool.START_SECONDS", 0.2)
    refused = run(parsers, time.sleep, 600)
    assert isinstance(refused, Refused)
    assert "took too long" in refused.detail


def test_a_bug_is_logged_once(parsers: ParserPool, caplog: pytest.LogCaptureFixture) -> None:
    assert all(isinstance(run(parsers, fail), parsing.Bug) for _ in range(5))
    assert ["RuntimeError: no idea" in record.getMessage() for record in caplog.records] == [True]


def test_the_queue_is_bounded(parsers: ParserPool) -> None:
    async def crowd() -> list[Any]:
        calls = [parsers.run(client, time.sleep, 0.5) for client in "aaaaabbbc"]
        return await asyncio.gather(*calls, return_exceptions=True)

    results = asyncio.run(crowd())
    refused = [error for error in results if isinstance(error, RequestError)]
    # a's fifth exceeds its own quota; the last of b and that of c exceed the total of six.
    assert [error.status_code for error in refused] == [429, 503, 503]
    assert all("Retry-After" in (error.headers or {}) for error in refused)
    assert run(parsers, double, 2) == 4, "there is room again"


def test_clients_take_turns(parsers: ParserPool) -> None:
    async def crowd() -> list[str]:
        ended = []

        async def call(client: str) -> None:
            await parsers.run(client, time.sleep, 0.5)
            ended.append(client)

        await asyncio.gather(*map(call, "ab"))  # starts the processes
        ended.clear()
        await asyncio.gather(*map(call, "aaaab"))
        return ended

    ended = asyncio.run(crowd())
    assert sorted(ended) == list("aaaab")
    assert ended[-1] == "a", "b did not wait for all of a's requests"


def test_a_request_that_stops_waiting_frees_its_place(
    parsers: ParserPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def crowd() -> list[Any]:
        await asyncio.gather(*(parsers.run("me", time.sleep, 0.5) for _ in range(2)))
        monkeypatch.setattr(parser_pool, "MAX_WAITING_SECONDS", 0.3)
        calls = [parsers.run("me", time.sleep, 1.0) for _ in range(4)]
        results = await asyncio.gather(*calls, return_exceptions=True)
        await asyncio.sleep(1.5)
        monkeypatch.setattr(parser_pool, "MAX_WAITING_SECONDS", 40)
        return [*results, *await asyncio.gather(*(parsers.run("me", double, k) for k in range(4)))]

    results = asyncio.run(crowd())
    assert all(isinstance(result, RequestError) for result in results[:4])
    assert results[4:] == [0, 2, 4, 6]


def test_a_killed_idle_parser_is_replaced(parsers: ParserPool) -> None:
    pids = {run(parsers, pid) for _ in range(4)}
    for child in pids:
        os.kill(child, signal.SIGKILL)
    time.sleep(0.5)
    assert run(parsers, double, 4) == 8
