"""Options for vehicle types, depots, speed and partial delivery."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import splitroute as sr

Run = Callable[..., Any]
COMMANDS = ("solve", "split", "check", "convert", "bound", "improve", "plot")


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    texts = {
        "customers": "id,x,y,demand,open,close\na,3,4,6,8:00,12:00\nb,5,12,2,,\n",
        "fleet": "type,count,capacity,depot\nvan,2,4,north\ntruck,1,9,south\n",
        "depots": "id,x,y\nnorth,0,0\nsouth,0,9\n",
        "one": "type,capacity\nvan,4\n",
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.csv").write_text(text)
    return {name: tmp_path / f"{name}.csv" for name in texts}


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_that_read_an_instance_have_the_options(run: Run, command: str) -> None:
    help = run(command, "--help").stdout
    assert all(option in help for option in ("--fleet", "--depots", "--speed", "--partial"))


def test_tables_and_options_make_an_instance(
    run: Run, files: dict[str, Path], tmp_path: Path
) -> None:
    target = tmp_path / "it.json"
    tables = ("--fleet", files["fleet"], "--depots", files["depots"])
    result = run("convert", files["customers"], target, *tables, "--speed", 2, "--partial")
    assert result.exit_code == 0, result.output
    instance = sr.read(target)
    assert [kind.type for kind in instance.fleet] == ["van", "truck"]
    assert (instance.speed, instance.partial, instance.clock) == (2.0, True, True)
    data = json.loads(target.read_text())
    assert data["customers"][0]["windows"] == [["08:00", "12:00"]]


def test_a_number_of_vehicles_is_for_one_type_only(
    run: Run, files: dict[str, Path], tmp_path: Path
) -> None:
    target = tmp_path / "it.json"
    arguments = ("convert", files["customers"], target, "--depots", files["depots"])
    result = run(*arguments, "--fleet", files["one"], "--vehicles", 5)
    assert result.exit_code == 0
    assert "warning: no vehicle type uses the depot 'south'" in result.stderr
    assert json.loads(target.read_text())["vehicles"][0]["count"] == 5
    result = run(*arguments, "--fleet", files["fleet"], "--vehicles", 5)
    assert result.exit_code == 2
    assert "vehicles is 5, but there are 2 vehicle types; set the count" in result.stderr
    assert "(--vehicles)" in result.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--capacity", 5), "capacity is 5, but there are 2 vehicle types"),
        (("--depot", "1,1"), "give depot or depots, not both (--depot)"),
        (("--speed", 0), "speed is 0.0; it must be a number above 0 (--speed)"),
    ],
)
def test_contradictory_options_are_rejected(
    run: Run, files: dict[str, Path], tmp_path: Path, options: tuple[Any, ...], message: str
) -> None:
    tables = ("--fleet", files["fleet"], "--depots", files["depots"])
    result = run("convert", files["customers"], tmp_path / "it.json", *tables, *options)
    assert result.exit_code == 2
    assert message in result.stderr


def test_errors_name_the_file_of_the_table(
    run: Run, files: dict[str, Path], tmp_path: Path
) -> None:
    files["fleet"].write_text("type,capacity\nvan,none\n")
    tables = ("--fleet", files["fleet"], "--depots", files["depots"])
    result = run("solve", files["customers"], *tables)
    assert result.exit_code == 2
    assert f"{files['fleet']}:2: capacity of vehicle type 'van' is none" in result.stderr


@pytest.mark.parametrize(
    ("name", "rules"), [("it.csv", "depots, fleet"), ("it.sd", "depots, fleet, windows")]
)
def test_rules_that_a_format_cannot_hold_are_named(
    run: Run, files: dict[str, Path], tmp_path: Path, name: str, rules: str
) -> None:
    tables = ("--fleet", files["fleet"], "--depots", files["depots"])
    result = run("convert", files["customers"], tmp_path / name, *tables)
    assert result.exit_code == 2
    assert (
        f"the format cannot hold the rules of the instance: {rules}; write .json" in result.stderr
    )
    assert not (tmp_path / name).exists()


@pytest.mark.parametrize("suffix", ["txt", "sol"])
def test_vehicles_that_a_format_cannot_hold_are_refused_before_the_search(
    run: Run, files: dict[str, Path], tmp_path: Path, suffix: str
) -> None:
    tables = ("--fleet", files["fleet"], "--depots", files["depots"])
    out = tmp_path / f"it.{suffix}"
    result = run("solve", files["customers"], *tables, "--rule", "none", "--out", out)
    assert result.exit_code == 2
    assert "cannot hold the rules of the instance: depots, fleet" in result.stderr


@pytest.mark.parametrize("command", ["solve", "convert"])
def test_tables_are_never_overwritten(run: Run, files: dict[str, Path], command: str) -> None:
    tables = ("--fleet", files["fleet"], "--depots", files["depots"])
    before = files["fleet"].read_text()
    out = (files["fleet"],) if command == "convert" else ("--out", files["fleet"])
    result = run(command, files["customers"], *out, *tables)
    assert result.exit_code == 2
    assert files["fleet"].read_text() == before


def test_a_depot_row_next_to_a_table_of_depots_is_a_warning(
    run: Run, files: dict[str, Path], tmp_path: Path
) -> None:
    text = files["customers"].read_text()
    files["customers"].write_text(text.replace("\na,", "\ndepot,1,1,0,,\na,"))
    tables = ("--fleet", files["fleet"], "--depots", files["depots"])
    result = run("convert", files["customers"], tmp_path / "it.json", *tables)
    assert result.exit_code == 0
    message = "customers.csv:2: ignoring the row 'depot': the depots are those of another table"
    assert f"{message} (--depots)" in result.stderr


def test_a_useless_vehicle_type_is_an_error_or_a_warning(run: Run, files: dict[str, Path]) -> None:
    files["fleet"].write_text("type,capacity,shift_start,shift_end\nvan,9,,\ntruck,9,5:00,5:01\n")
    depots = files["depots"]
    arguments = ("solve", files["customers"], "--fleet", files["fleet"], "--depots", depots)
    message = "vehicle type 'truck' cannot serve any customer: a vehicle of type 'truck' that"
    failed = run(*arguments)
    assert failed.exit_code == 2
    assert f"error: {files['fleet']}:3: {message} serves customer 1 (a)" in failed.stderr
    assert failed.stderr.endswith("; --partial delivers as much as possible\n")
    partial = run(*arguments, "--partial", "--iterations", 10)
    assert partial.exit_code == 0
    assert f"warning: {message}" in partial.stderr
