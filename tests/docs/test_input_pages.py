"""The pages about inputs: their files, commands and snippets work together."""

import io
import json
import shutil
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import splitroute as sr
from conftest import ROOT
from documents import blocks, commands
from splitroute.cli import app

HOWTO = ROOT / "docs" / "howto"
ROADS, MATRICES, VROOM = (HOWTO / f"{name}.md" for name in ("roads", "matrices", "vroom"))
FLEET, CSV, FORMATS = (
    HOWTO / f"{name}.md" for name in ("fleet-and-windows", "solve-your-csv", "file-formats")
)
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


def test_the_tables_of_the_page_about_fleets(tmp_path: Path) -> None:
    texts = [block.text for block in blocks(FLEET, "csv")]
    files = [tmp_path / name for name in ("customers.csv", "fleet.csv", "depots.csv")]
    for file, text in zip(files, texts, strict=True):
        file.write_text(text)
    customers, fleet, depots = files
    instance = sr.read(customers)
    assert instance.rules >= {"windows", "min_drop", "max_visits"}
    assert [customer.service for customer in instance.customers] == [5, 5]
    large, small = sr.read(customers, fleet=fleet).fleet
    assert (large.count, large.fixed_cost, small.count, small.max_duration) == (3, 180, None, 480)
    with pytest.warns(sr.InputWarning, match="ignoring the row 'depot'"):
        instance = sr.read(customers, fleet=fleet, depots=depots)
    assert [depot.id for depot in instance.depots] == ["Utrecht", "Rotterdam"]
    (customer,) = blocks(FLEET, "json")
    text = f'{{"capacity": 40, "depot": {{"lat": 52, "lon": 5}}, "customers": [{customer.text}]}}'
    (parsed,) = sr.read(io.BytesIO(text.encode())).customers
    assert (parsed.id, parsed.windows, parsed.min_drop) == ("Zeist", ((360, 540),), 10)


def test_the_tables_of_pages_about_files(tmp_path: Path) -> None:
    (table,) = blocks(CSV, "csv")
    plain, rich = blocks(FORMATS, "json")
    (tmp_path / "customers.csv").write_text(table.text)
    assert [c.demand for c in sr.read(tmp_path / "customers.csv").customers] == [54, 210]
    small = sr.read(io.BytesIO(plain.text.encode()))
    assert [c.demand * small.unit for c in small.customers] == [Decimal("7.5")]
    result = sr.solve(sr.read(io.BytesIO(rich.text.encode())), stop=sr.Stop(iterations=100))
    assert {r.load for r in result.solution.routes} <= {10, 80, *range(20, 71)}
    assert sum(r.load for r in result.solution.routes) == 90
