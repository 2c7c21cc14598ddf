"""`-` is standard input or standard output, which then holds nothing but the file."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import splitroute as sr
from splitroute.cli import app

Run = Callable[..., Any]
PROGRAM = f"{sys.executable} -m splitroute"
TABLE = """# capacity: 80
id,lat,lon,demand
depot,53.55,10,0
Harbour,53.54,9.97,54
Fair,53.6,10.14,210
"""
SHORT = ("--iterations", "100")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with a table and a solution of it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "it.csv").write_text(TABLE)
    instance = sr.read("it.csv")
    solution = sr.solve(instance, stop=sr.Stop(iterations=100)).solution
    for name in ("plan.json", "plan.csv", "plan.tsv", "plan.txt", "plan.geojson", "plan.xlsx"):
        sr.write(solution, name, instance=instance)
    for name in ("it.json", "it.tsv", "it.geojson", "it.xlsx"):
        sr.write(instance, name)
    plane = sr.Instance.create(10, [3, 4], [(0, 0), (3, 4), (5, 0)])
    for name in ("plane.txt", "plane.vrp"):
        sr.write(plane, name)
    return tmp_path


def pipe(data: bytes | str, *arguments: object) -> Any:
    """Run a command with this as its standard input."""
    return CliRunner().invoke(app, [str(a) for a in arguments], input=data)


@pytest.mark.parametrize(
    "name", ["it.csv", "it.tsv", "it.json", "it.geojson", "it.xlsx", "plane.txt", "plane.vrp"]
)
def test_the_content_tells_the_format_of_an_instance(name: str, folder: Path) -> None:
    done = pipe((folder / name).read_bytes(), "convert", "-", "-")
    assert done.exit_code == 0, done.stderr
    (folder / "copy.json").write_text(done.stdout)
    assert sr.read("copy.json").customers == sr.read(name).customers


@pytest.mark.parametrize("suffix", ["json", "csv", "tsv", "txt", "geojson", "xlsx"])
def test_the_content_tells_the_format_of_a_solution(suffix: str, folder: Path) -> None:
    done = pipe((folder / f"plan.{suffix}").read_bytes(), "check", "it.csv", "-")
    assert (done.exit_code, done.stdout[:6]) == (0, "valid:"), done.stderr


@pytest.mark.parametrize(
    "command",
    [
        "solve - --iterations 10",
        "split -",
        "check - plan.json",
        "improve - plan.json --time 0.1",
        "plot - plan.json --out a.png",
        "bound - --time 0.2",
        "convert - a.json",
        "convert plan.json a.txt --instance -",
        "check it.csv plan.json --metric haversine",
    ],
)
def test_every_command_reads_standard_input(command: str, folder: Path) -> None:
    done = pipe(TABLE, *command.split())
    assert done.exit_code == 0, done.stderr


@pytest.mark.parametrize(
    "format", ["json", "csv", "tsv", "geojson", "gpx", "html", "sheets", "dimacs"]
)
def test_standard_output_is_exactly_the_file(format: str, folder: Path) -> None:
    common = ("it.csv", *SHORT, "--seed", 3)
    printed = pipe("", "solve", *common, "--out", "-", "--to", format)
    assert printed.exit_code == 0, printed.stderr
    assert "vehicle fill" in printed.stderr
    parsed = json.loads(printed.stdout) if format == "json" else None
    if parsed is not None:
        assert parsed["about"]["seed"] == 3
        return
    (folder / "given.json").write_text(pipe("", "solve", *common, "--json").stdout)
    files = ("given.json", "given.out", "--instance", "it.csv", "--to", format)
    assert pipe("", "convert", *files).exit_code == 0
    assert printed.stdout_bytes == (folder / "given.out").read_bytes()


def test_a_workbook_and_a_picture_can_be_printed(folder: Path) -> None:
    book = pipe("", "convert", "it.csv", "-", "--to", "xlsx")
    assert book.stdout_bytes.startswith(b"PK")
    assert pipe(book.stdout_bytes, "split", "-").exit_code == 0
    picture = pipe(TABLE, "plot", "-", "--out", "-")
    assert picture.stdout_bytes.startswith(b"\x89PNG")


def test_json_is_the_same_in_files_and_on_standard_output(folder: Path) -> None:
    def without_times(text: str) -> Any:
        data = json.loads(text)
        # A busy machine may not prove in a tenth of a second what an idle one proves.
        for name in ("seconds", "bound", "bound_seconds", "gap", "optimal", "stop"):
            data["about"].pop(name)
        return data

    for command in (
        ("solve", "it.csv", *SHORT, "--bound", "0"),
        ("improve", "it.csv", "plan.csv", "--time", "0.1", "--bound", "0"),
    ):
        both = pipe("", *command, "--json", "--out", "a.json")
        assert both.stdout == (folder / "a.json").read_text()
        assert both.stderr == ""
        dashed = pipe("", *command, "--out", "-")
        assert without_times(dashed.stdout) == without_times(both.stdout)


def test_files_are_reported_on_standard_error_then(folder: Path) -> None:
    done = pipe("", "convert", "it.csv", "a.json", "-", "--sheets", "never.html")
    assert done.exit_code == 2  # an instance has no driver sheets
    done = pipe("", "convert", "it.csv", "b.geojson", "-")
    assert done.stderr == "saved b.geojson\n"
    assert json.loads(done.stdout)["capacity"] == 80


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("check - -", "<stdin>: only one input can be standard input (-)"),
        ("solve - --fleet -", "<stdin>: only one input can be standard input (-)"),
        ("solve it.csv --out - --json", "<stdout>: only one output can be standard output (-)"),
        ("solve it.csv --out - --plot -", "<stdout>: only one output can be standard output (-)"),
        ("solve it.csv --out a.csv --to csv", "to is 'csv'; it is the format of standard output"),
        ("solve it.csv --out - --to nothing", "unknown solution format 'nothing'; known: "),
        ("solve it.csv --sheets a.html --date soon", "date is 'soon'; it must be a day such as"),
        ("solve -", "<stdin>: the file is empty"),
        ("convert it.csv", "name a file to write, or - for standard output"),
        ("schema route", "unknown schema 'route'; known: instance, solution"),
    ],
)
def test_mistakes(command: str, message: str, folder: Path) -> None:
    done = pipe("", *command.split())
    assert (done.exit_code, done.stdout) == (2, "")
    assert message in done.stderr


def test_errors_name_the_line_of_standard_input() -> None:
    done = pipe("# capacity: 8\nid,x,y,demand\ndepot,0,0,\na,1,1,many\n", "split", "-")
    assert "<stdin>:4: demand of 'a' is many" in done.stderr


def test_tables_and_matrices_are_read_from_standard_input(folder: Path) -> None:
    vans = "type,count,capacity\nvan,5,90\n"
    done = pipe(vans, "convert", "it.csv", "-", "--fleet", "-")
    assert json.loads(done.stdout)["vehicles"][0]["type"] == "van"
    done = pipe("0,1,2\n1,0,2\n2,2,0\n", "convert", "it.csv", "-", "--matrix", "-")
    assert json.loads(done.stdout)["matrix"][0] == [0, 1, 2]


def test_driver_sheets_beside_other_files(folder: Path) -> None:
    done = pipe(
        "", "solve", "it.csv", *SHORT, "--sheets", "s.html", "--date", "2026-11-17", "--json"
    )
    assert json.loads(done.stdout)["about"]["date"] == "2026-11-17"
    assert "Tuesday, 17 November 2026" in (folder / "s.html").read_text()
    again = (
        "convert",
        "plan.json",
        "--instance",
        "it.csv",
        "--sheets",
        "t.html",
        "--date",
        "today",
    )
    assert pipe("", *again).stdout == "saved t.html\n"
    assert "Date: <i></i>" not in (folder / "t.html").read_text()


def test_commands_in_a_row(folder: Path) -> None:
    solve = f"{PROGRAM} solve - --iterations 50 --out - --quiet"
    script = f"{PROGRAM} generate random -n 8 | {solve} | head -1"
    done = subprocess.run(script, shell=True, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("{\n", "")


def test_a_closed_standard_input_is_one_error(folder: Path) -> None:
    done = subprocess.run(
        f"{PROGRAM} split - <&-", shell=True, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (2, "error: <stdin>: standard input is closed\n")
