"""The pages about inputs: their files, commands and snippets work together."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from conftest import ROOT
from documents import blocks, commands
from splitroute.cli import app

HOWTO = ROOT / "docs" / "howto"
ROADS, MATRICES, VROOM = (HOWTO / f"{name}.md" for name in ("roads", "matrices", "vroom"))
PIPES = HOWTO / "pipes-and-exports.md"


def test_the_page_about_roads(
    osrm: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Callable[..., Any]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    shutil.copytree(ROOT / "examples", tmp_path / "examples")

    def here(text: str) -> str:
        return text.replace("osrm:http://localhost:5000", osrm)

    for block in blocks(ROADS, "sh"):
        for words in commands(block.text, "splitroute"):
            if words[0] == "serve":
                continue
            short = ["--time", "1"] * (words[0] == "solve")
            result = run(*map(here, words), *short)
            assert result.exit_code == 0, f"{' '.join(words)}: {result.output}"
    (snippet,) = blocks(ROADS, "python")
    exec(compile(here(snippet.text), "roads.md", "exec"), {})
    assert Path("kiosks.gpx").read_text().count("<trkpt") > 100


def test_the_page_about_matrices(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Callable[..., Any]
) -> None:
    monkeypatch.chdir(tmp_path)
    orders, distances = blocks(MATRICES, "csv")
    Path("orders.csv").write_text(orders.text)
    Path("distances.csv").write_text(distances.text)
    (block,) = blocks(MATRICES, "sh")
    (words,) = commands(block.text, "splitroute")
    result = run(*words, "--time", "0.5")
    assert result.exit_code == 0, result.output
    assert "from a matrix" in result.stdout
    assert "no distance for 1 pair of places" in result.stderr
    (snippet,) = blocks(MATRICES, "python")
    exec(compile(snippet.text, "matrices.md", "exec"), {})
    Path("distances.csv").write_text(distances.text.replace("9,0,4.5,", "9,0,x,"))
    wrong = run(*words)
    (message,) = blocks(MATRICES, "text")
    assert wrong.stderr.split() == message.text.split()


def test_the_page_about_vroom(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Callable[..., Any]
) -> None:
    monkeypatch.chdir(tmp_path)
    (request,) = blocks(VROOM, "json")
    Path("request.json").write_text(request.text)
    for block in blocks(VROOM, "sh"):
        for words in commands(block.text, "splitroute"):
            if words[0] == "serve":
                continue
            quick = ["0.3" if word == "2" else word for word in words]
            result = run(*quick)
            assert result.exit_code == 0, f"{' '.join(words)}: {result.output}"
    response = json.loads(Path("response.json").read_text())
    parts = [s["delivery"] for r in response["routes"] for s in r["steps"] if "delivery" in s]
    assert sorted(parts) in ([[5], [20]], [[9], [16]], [[10], [15]], [[11], [14]])
    assert json.loads(Path("ours.json").read_text())["cost"] == response["summary"]["cost"]
    (snippet,) = blocks(VROOM, "python")
    exec(compile(snippet.text.replace("seconds=2", "seconds=0.3"), "vroom.md", "exec"), {})
    assert '"code": 0' in Path("response.json").read_text()


def test_the_page_about_pipes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "customers.csv").write_text(blocks(ROOT / "README.md", "csv")[0].text)
    (points,) = blocks(PIPES, "json")
    (tmp_path / "shops.geojson").write_text(json.dumps(json.loads(points.text)))
    for block in blocks(PIPES, "sh"):
        for line in block.text.splitlines():
            _run_pipe(line.replace("--time 10", "--time 0.2"))
    for name in (
        "plan.json",
        "plan.geojson",
        "plan.gpx",
        "plan.tsv",
        "sheets.html",
        "solution.html",
        "routes.png",
    ):
        assert (tmp_path / name).stat().st_size > 0, name
    for snippet in blocks(PIPES, "python"):
        exec(compile(snippet.text, "pipes-and-exports.md", "exec"), {})


def _run_pipe(line: str) -> None:
    """Do what a shell would do, without a process per command; `head` passes on everything."""
    line, _, target = line.partition(" > ")
    line, _, source = line.partition(" < ")
    data = Path(source).read_bytes() if source else b""
    for command in line.split(" | "):
        program, *words = command.split()
        if program == "splitroute":
            done = CliRunner().invoke(app, words, input=data)
            assert done.exit_code == 0, f"{command}: {done.output}"
            data = done.stdout_bytes
    if target:
        Path(target).write_bytes(data)
