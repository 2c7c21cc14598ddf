"""`splitroute mcp`, driven by the official client over standard input and output."""

import asyncio
import json
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from conftest import ROOT

pytest.importorskip("mcp", reason="the extra mcp is not installed: pip install 'splitroute[mcp]'")
from mcp import Client, StdioServerParameters, stdio_client

BAKERY = ROOT / "examples" / "bakery.csv"
SMALL = "# capacity: 10\nid,x,y,demand\ndepot,0,0,0\nA,3,4,6\nB,0,5,14\n"
TOOLS = {"solve", "check", "bound", "explain"}

Calls = Callable[[Client], Coroutine[Any, Any, None]]


def serve(calls: Calls) -> None:
    """Run calls of a client that has started the server."""
    command = StdioServerParameters(command=sys.executable, args=["-m", "splitroute", "mcp"])

    async def session() -> None:
        async with asyncio.timeout(120), Client(stdio_client(command)) as client:
            await calls(client)

    asyncio.run(session())


async def call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    assert result.structured_content is not None
    return dict(result.structured_content)


async def error(client: Client, tool: str, **arguments: Any) -> str:
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    return str(getattr(result.content[0], "text", ""))


def test_tools_are_described() -> None:
    async def calls(client: Client) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(tools) == TOOLS
        assert all(tool.description for tool in tools.values())
        for tool in tools.values():
            described = tool.input_schema["properties"].items()
            assert all("description" in field for name, field in described if name != "seed")
        assert client.instructions is not None

    serve(calls)


def test_a_solution_is_found_checked_and_explained(tmp_path: Path) -> None:
    out = tmp_path / "plan.csv"

    async def calls(client: Client) -> None:
        solved = await call(client, "solve", instance=SMALL, seconds=20, save_as=[str(out)])
        assert solved["about"]["optimal"]
        assert "optimal (proven)" in solved["summary"]
        assert solved["saved"] == [str(out)]
        text = json.dumps(solved["solution"])
        assert (await call(client, "check", instance=SMALL, solution=text))["valid"]
        explained = await call(client, "explain", instance=SMALL, solution=str(out))
        assert explained["must_be_split"] == ["B: 14"]
        assert explained["fewest_routes"] == 2
        assert explained["solution"]["split_customers"][0].startswith("B: ")
        assert explained["solution"]["violations"] == []

    serve(calls)


def test_a_lower_bound_comes_with_its_gap() -> None:
    async def calls(client: Client) -> None:
        found = await call(client, "bound", instance=str(BAKERY), seconds=1)
        assert 0 < found["bound"] <= found["cost"]
        assert "optimality gap" in found["summary"]

    serve(calls)


def test_violations_are_listed() -> None:
    solution = json.dumps({"routes": [{"visits": [{"customer": 1, "quantity": 11}]}]})

    async def calls(client: Client) -> None:
        verdict = await call(client, "check", instance=SMALL, solution=solution)
        assert not verdict["valid"]
        assert {v["kind"] for v in verdict["violations"]} >= {"capacity", "demand"}
        explained = await call(client, "explain", instance=SMALL, solution=solution)
        assert len(explained["solution"]["violations"]) == len(verdict["violations"])

    serve(calls)


def test_progress_is_reported_and_options_are_kept() -> None:
    messages: list[str | None] = []

    async def on_progress(progress: float, total: float | None, message: str | None) -> None:
        assert total == 1.5
        messages.append(message)

    async def calls(client: Client) -> None:
        arguments = {"instance": str(BAKERY), "seconds": 1.5, "rule": "pasa:levels=2"}
        arguments["reading"] = {"capacity": 100}
        result = await client.call_tool("solve", arguments, progress_callback=on_progress)
        assert result.structured_content is not None
        assert "pasa" in result.structured_content["about"]["rule"]
        explained = await call(client, "explain", instance=str(BAKERY), reading={"capacity": 100})
        assert "capacity 100" in explained["instance"]["vehicles"]

    serve(calls)
    assert messages
    assert all(message and message.startswith("best cost ") for message in messages)


def test_errors_are_those_of_the_library(tmp_path: Path) -> None:
    existing = tmp_path / "plan.csv"
    existing.write_text("mine")

    async def calls(client: Client) -> None:
        message = await error(client, "solve", instance=SMALL.replace(",6", ",six"))
        assert "six" in message
        assert "<text>:4" in message
        assert "absent.csv" in await error(client, "explain", instance="absent.csv")
        assert "known: " in await error(client, "solve", instance=SMALL, engine="fast")
        assert "reading" in await error(client, "bound", instance=SMALL, reading={"size": 3})
        message = await error(client, "solve", instance=SMALL, vehicles=2)
        assert "solve has no argument 'vehicles'; `reading` has it; it has: instance, " in message
        message = await error(client, "solve", instance=SMALL, save_as=[str(existing)])
        assert "exists" in message

    serve(calls)
    assert existing.read_text() == "mine"


def test_files_that_cannot_be_written_are_refused_before_the_search(tmp_path: Path) -> None:
    new = str(tmp_path / "plan.csv")

    async def calls(client: Client) -> None:
        for names in ([str(tmp_path / "none" / "plan.csv")], [new, new]):
            message = await error(client, "solve", instance=SMALL, seconds=600, save_as=names)
            assert "cannot be written" in message or "must all be different" in message

    serve(calls)
    assert list(tmp_path.iterdir()) == []


def test_the_stream_of_the_protocol_is_no_file() -> None:
    async def calls(client: Client) -> None:
        refused = "- is no file here"
        assert refused in await error(client, "explain", instance="-")
        assert refused in await error(client, "check", instance=SMALL, solution="-")
        assert refused in await error(client, "solve", instance=SMALL, reading={"fleet": "-"})
        assert refused in await error(client, "solve", instance=SMALL, save_as=["-"])

    serve(calls)


@pytest.mark.parametrize("engine", ["vrph:program={}", "native:cluster={}"])
def test_an_assistant_runs_no_programs_and_connects_to_nothing(engine: str, tmp_path: Path) -> None:
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    program.chmod(0o755)

    async def calls(client: Client) -> None:
        options = {"engine": engine.format(program), "rule": "pasa", "seconds": 1}
        message = await error(client, "solve", instance=SMALL, **options)
        assert "is not for assistants to choose" in message

    serve(calls)
    assert not (tmp_path / "ran").exists()


def test_warnings_about_the_input_are_returned() -> None:
    doubtful = SMALL + "Total,,,20\n"

    async def calls(client: Client) -> None:
        explained = await call(client, "explain", instance=doubtful)
        assert explained["warnings"] == ["<text>:6: ignoring the row 'Total'"]

    serve(calls)


def test_a_cancelled_search_stops_and_the_server_goes_on() -> None:
    async def calls(client: Client) -> None:
        search = asyncio.create_task(
            client.call_tool("solve", {"instance": str(BAKERY), "seconds": 600})
        )
        await asyncio.sleep(2)
        search.cancel()
        assert (await call(client, "explain", instance=SMALL))["fewest_routes"] == 2

    serve(calls)


def test_a_missing_extra_says_how_to_install_it(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("splitroute.registry.is_installed", lambda module: module != "mcp")
    done = run("mcp")
    assert done.exit_code == 3
    assert "pip install 'splitroute[mcp]'" in done.stderr
