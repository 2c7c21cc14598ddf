"""Commands and Python snippets of the documentation work."""

import asyncio
import json
import logging
import re
import shutil
import tomllib
from collections.abc import Callable, Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any, get_args

import httpx
import pytest
import typer.main

import splitroute as sr
from conftest import ROOT
from documents import INLINE, PAGES, all_blocks, blocks, commands, name, prose, runnable
from splitroute.cli import app
from splitroute.web.app import create_app
from splitroute.web.models import FileInstance, Format, JobRequest, Problem
from splitroute.web.settings import Settings
from spreadsheets import Book, Rows, xlsx

README = ROOT / "README.md"
API = ROOT / "docs" / "howto" / "use-the-http-api.md"
# Pages whose commands are run by a test of their own: here, or next to this one.
OWN_TEST = {
    ROOT / "README.md",
    ROOT / "docs" / "tour.md",
    *(
        ROOT / "docs" / "howto" / f"{name}.md"
        for name in (
            "roads",
            "matrices",
            "pipes-and-exports",
            "vroom",
            "run-in-containers",
            "use-the-http-api",
        )
    ),
}
# All others are run here.
RUN = [page for page in PAGES if runnable(page, "sh", "console") and page not in OWN_TEST]
ORDERS: Rows = [
    ["Capacity", 80],
    ["Ref", "Lat", "Lon", "weight_kg"],
    ["depot", 53.55, 10.0],
    ["1001", 53.54, 9.97, 54],
]
# Pages that need a server or files of their own.
INPUTS = ("roads", "matrices", "pipes-and-exports", "vroom")
OURS = ("splitroute ", "pip install splitroute")  # the latter by the tests of the packages
OPTION = re.compile(r"(?:^|\s)(--[a-z][a-z-]*)")
every_page = pytest.mark.parametrize("page", PAGES, ids=name)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Callable[..., Any]) -> Path:
    """The working directory of a reader: the README's table, a solution of it, and the examples."""
    [table] = blocks(README, "csv")
    (tmp_path / "customers.csv").write_text(table.text)
    sr.write(sr.read(tmp_path / "customers.csv"), tmp_path / "customers.xlsx")
    (tmp_path / "orders.xlsx").write_bytes(xlsx(Book({"Monday": [], "Tuesday": ORDERS})))
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    solved = run("solve", "customers.csv", "--iterations", 100, "--out", "visits.csv")
    assert solved.exit_code == 0
    return tmp_path


@pytest.fixture(autouse=True)
def restored_logging() -> Iterator[None]:
    """A page shows how to configure logging, which other tests must not notice."""
    yield
    logging.getLogger("splitroute").setLevel(logging.NOTSET)


@every_page
def test_commands_have_these_options(page: Path) -> None:
    for block in blocks(page, "sh", "console"):
        for words in commands(block.text, "splitroute"):
            used = {word for word in words if re.match("--[a-z]", word)}
            assert used <= _options(_command(words)), f"{name(page)}: {' '.join(words)}"


@every_page
def test_options_in_the_text_exist(page: Path) -> None:
    if page.name == "CHANGELOG.md":
        return  # names former options too
    known = _all_options(typer.main.get_command(app))
    named = {option for code in INLINE.findall(prose(page)) for option in OPTION.findall(code)}
    assert named <= known, f"{name(page)} names {named - known}"


@every_page
def test_benchmark_scripts_have_these_options(page: Path) -> None:
    for block in blocks(page, "sh"):
        for words in commands(block.text.replace("&& ", "\n"), ".venv/bin/python"):
            source = (ROOT / words[0]).read_text()
            used = {word for word in words if word.startswith("--")}
            assert all(f'"{option}"' in source for option in used), f"{name(page)}: {words}"


def _command(words: list[str]) -> Any:
    """The command that a command line runs, such as `bench run`."""
    command = typer.main.get_command(app)
    for word in words:
        command = getattr(command, "commands", {}).get(word, command)
    return command


def _options(command: Any) -> set[str]:
    return {"--help"}.union(*(parameter.opts for parameter in command.params))


def _all_options(command: Any) -> set[str]:
    children = getattr(command, "commands", {}).values()
    return _options(command).union(*map(_all_options, children))


@pytest.mark.parametrize(
    "page", [p for p in PAGES if blocks(p, "python") and p.stem not in (*INPUTS, "tour")], ids=name
)
def test_python_snippets_run(page: Path, folder: Path) -> None:
    namespace: dict[str, Any] = {}
    for block in blocks(page, "python"):
        if block.file is None:
            exec(compile(block.text, name(page), "exec"), namespace)


def test_commands_of_the_readme_run(folder: Path, run: Callable[..., Any]) -> None:
    shell = "\n".join(block.text for block in blocks(README, "sh"))
    done = [run(*words) for words in commands(shell, "splitroute")]
    assert [result.exit_code for result in done] == [0, 0]
    assert "valid" in done[-1].stdout


@pytest.mark.parametrize("page", RUN, ids=name)
def test_commands_of_the_guides_run(page: Path, folder: Path, run: Callable[..., Any]) -> None:
    for block in runnable(page, "sh"):
        for words in commands(block.text, "splitroute"):
            result = run(*_shortened(words))
            assert result.exit_code == 0, f"{' '.join(words)}: {result.output}"


@every_page
def test_every_block_is_run_or_says_why_not(page: Path) -> None:
    known = {"python", "cpp", "sh", "console", "csv", "json", "toml", "nginx", "text", "mermaid"}
    for block in all_blocks(page):
        is_for_the_site = block.language.startswith("{")
        assert is_for_the_site or block.language in known, f"{name(page)}: {block.language!r}"
        assert not block.not_run or block.language in ("sh", "nginx"), f"{name(page)}: {block.text}"
    for block in runnable(page, "sh") if page not in OWN_TEST else ():
        lines = block.text.replace("\\\n", " ").splitlines()
        others = [line for line in lines if not line.startswith((*OURS, "#"))]
        assert not any(others), f"{name(page)}: {others} are not run"
    for block in blocks(page, "json"):
        json.loads(block.text)
    for block in blocks(page, "toml"):
        tomllib.loads(block.text)


def test_the_request_of_the_api_guide_is_accepted(tmp_path: Path) -> None:
    [block] = runnable(API, "sh")
    [body] = re.findall(r"-d '(.*?)'", block.text, re.S)
    [url] = re.findall(r"POST localhost:8765(\S+)", block.text)
    service = create_app(Settings(store=f"sqlite:///{tmp_path}/jobs.db"))

    async def submit() -> list[httpx.Response]:
        transport = httpx.ASGITransport(service)
        headers = {"Content-Type": "application/json"}
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            submitted = await client.post(url, content=body, headers=headers)
            return [submitted, await client.get(f"{url}/{submitted.json()['id']}")]

    submitted, found = asyncio.run(submit())
    service.state.service.parsers.close()
    service.state.service.store.close()
    assert (submitted.status_code, found.status_code) == (202, 200)
    assert found.json()["status"] == "queued"


def _shortened(words: list[str]) -> list[str]:
    """A command line with brief searches, without what the shell does with its output."""
    words = list(takewhile(lambda word: word not in (">", "&&"), words))
    for previous, option in enumerate(words[:-1]):
        if option in ("--time", "--improve", "--bound"):
            words[previous + 1] = "0.5"
    return words + ["--time", "0.5"] * (words[0] == "solve" and "--time" not in words)


def test_the_api_has_these_requests(tmp_path: Path) -> None:
    service = create_app(Settings(store=f"sqlite:///{tmp_path}/jobs.db"))
    service.state.service.store.close()
    paths: dict[str, dict[str, Any]] = service.openapi()["paths"]
    known = {
        f"{method.upper()} {re.sub('{[^}]*}', '{}', path)}"
        for path, methods in paths.items()
        for method in methods
    }
    table = re.findall(r"^\| `([A-Z]+ /\S*)` \|", API.read_text(), re.M)
    named = {re.sub("{[^}]*}", "{}", request) for request in table}
    assert len(named) > 10
    assert named <= known


def test_the_api_guide_names_all_fields_and_formats() -> None:
    text = API.read_text()
    fields = {*JobRequest.model_fields, *FileInstance.model_fields, *Problem.model_fields}
    names = {*fields, "warnings", "error"}
    names |= {*get_args(Format)}
    assert not {name for name in names if not re.search(f'[`"]{name}[`"]', text)}
