"""Parser processes: what goes wrong in one of them is an answer, and harms nobody else."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fastapi import HTTPException

from splitroute import formats
from splitroute.errors import InputError
from splitroute.web import parsing, pool
from splitroute.web.checks import Limits
from splitroute.web.models import JobRequest
from splitroute.web.parsing import Refused
from splitroute.web.pool import ParserPool


@pytest.fixture
def parsers() -> Iterator[ParserPool]:
    found = ParserPool(max_memory=512, max_waiting=6, max_waiting_per_client=4)
    yield found
    found.close()


def ask(parsers: ParserPool, *call: Any) -> Any:
    return asyncio.run(parsers.run("me", *call))


def double(x: int) -> int:
    return 2 * x


def take_memory() -> int:
    return len(bytearray(2**33))


def nest() -> None:
    nest()


def refuse() -> None:
    raise InputError("not like this", field="unit")


def stumble() -> None:
    raise RuntimeError("no idea")


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def pid() -> int:
    return os.getpid()


@pytest.mark.parametrize(
    ("function", "field", "words"),
    [
        (take_memory, "instance", "more memory"),
        (nest, "instance", "nested too deeply"),
        (refuse, "unit", "not like this"),
        (die, "instance", "failed"),
    ],
)
def test_what_cannot_be_parsed_is_refused_and_the_next_one_is_not(
    parsers: ParserPool, function: Callable[[], object], field: str, words: str
) -> None:
    for _ in range(3):
        refused = ask(parsers, function)
        assert isinstance(refused, Refused)
        assert (refused.field, words in refused.detail) == (field, True)
    assert [ask(parsers, double, k) for k in range(4)] == [0, 2, 4, 6]


def test_what_takes_too_long_is_given_up(
    parsers: ParserPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ask(parsers, double, 1) == 2
    monkeypatch.setattr(pool, "PARSING_SECONDS", 0.2)
    monkeypatch.setattr("splitroute.processes.pool.START_SECONDS", 0.2)
    refused = ask(parsers, time.sleep, 600)
    assert isinstance(refused, Refused)
    assert "took too long" in refused.detail


def test_a_fault_of_ours_is_said_once_with_its_reason(
    parsers: ParserPool, caplog: pytest.LogCaptureFixture
) -> None:
    assert all(isinstance(ask(parsers, stumble), parsing.Bug) for _ in range(5))
    assert ["RuntimeError: no idea" in record.getMessage() for record in caplog.records] == [True]


def test_the_queue_is_bounded(parsers: ParserPool) -> None:
    async def crowd() -> list[Any]:
        calls = [parsers.run(client, time.sleep, 0.5) for client in "aaaaabbbc"]
        return await asyncio.gather(*calls, return_exceptions=True)

    answers = asyncio.run(crowd())
    refused = [each for each in answers if isinstance(each, HTTPException)]
    # The fifth of a, then one of b and one of c, for whom six are too many.
    assert [each.status_code for each in refused] == [429, 503, 503]
    assert all("Retry-After" in (each.headers or {}) for each in refused)
    assert ask(parsers, double, 2) == 4, "there is room again"


def test_clients_take_turns_however_many_requests_they_have(parsers: ParserPool) -> None:
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
    assert ended[-1] == "a", "b was not kept waiting for all of a's"


def test_whoever_gives_up_waiting_leaves_the_turn_to_others(
    parsers: ParserPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def crowd() -> list[Any]:
        await asyncio.gather(*(parsers.run("me", time.sleep, 0.5) for _ in range(2)))
        monkeypatch.setattr(pool, "WAITING_SECONDS", 0.3)
        calls = [parsers.run("me", time.sleep, 1.0) for _ in range(4)]
        answers = await asyncio.gather(*calls, return_exceptions=True)
        await asyncio.sleep(1.5)
        monkeypatch.setattr(pool, "WAITING_SECONDS", 40)
        return [*answers, *await asyncio.gather(*(parsers.run("me", double, k) for k in range(4)))]

    answers = asyncio.run(crowd())
    assert all(isinstance(each, HTTPException) for each in answers[:4])
    assert answers[4:] == [0, 2, 4, 6]


def test_a_parser_that_was_killed_while_it_was_idle_is_replaced(parsers: ParserPool) -> None:
    known = {ask(parsers, pid) for _ in range(4)}
    for each in known:
        os.kill(each, signal.SIGKILL)
    time.sleep(0.5)
    assert ask(parsers, double, 4) == 8


def _text(format: str, count: int) -> str:
    if format == "csv":
        rows = "".join(f"{k},{k},{k},1\n" for k in range(count))
        return f"# capacity: 9\nid,x,y,demand\ndepot,0,0,0\n{rows}"
    if format == "json":
        return '{"capacity": 9, "customers": [' + '{"x": 1, "y": 1, "demand": 1},' * count + "]}"
    if format == "vrplib":
        return f"NAME : x\nCOMMENT : DIMENSION: 3\nDIMENSION : {count + 1}\nCAPACITY : 9\n"
    return f"\n {count} 9\n" + "1 " * count


@pytest.mark.parametrize("format", ["csv", "json", "vrplib", "coordlist"])
def test_too_many_customers_are_refused_before_anything_is_parsed(
    format: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def parsed(job: JobRequest) -> None:
        raise AssertionError("it was parsed")

    monkeypatch.setattr(parsing, "instance_of", parsed)

    def read(count: int) -> Any:
        job = {"instance": {"format": format, "text": _text(format, count)}}
        request = json.dumps(job).encode()
        return parsing.call(parsing.parse, request, Limits(100, 60.0), True)

    refused = read(101)
    assert refused.detail == "101 customers; at most 100 are allowed"
    assert (refused.field, refused.code) == ("instance", "too_large")
    assert isinstance(read(100), parsing.Bug), "that many may be parsed"


@pytest.mark.parametrize(
    "text",
    [
        "id,x,y,demand,note\ndepot,0,0,0,\na,1,1,1,\"three\nlines\nhere\"\n",
        "id;x;y;demand;note\ndepot;0;0;0;\na;1;1;1;\"three\n\nlines\"\n",
        "# capacity: 3\n\nid\tx\ty\tdemand\ndepot\t0\t0\t0\na\t1\t1\t1\n" + "\t\t\t\n" * 50,
        "id,x,y,demand\ndepot,0,0,0\na,1,1,1\n" + ",,,\n" * 50,
        "sep=;\nid;x;y;demand\ndepot;0;0;0\na;1;1;1\n",
        'sep=;\n"# capacity: 3";;;\nid;x,y;y;demand\ndepot;0;0;0\na;1,5;1;1\n',
    ],
)  # fmt: skip
def test_no_row_of_a_table_is_counted_that_is_no_customer(text: str) -> None:
    assert formats.min_customers(text, "csv") == 1
