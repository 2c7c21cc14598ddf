"""The help of every command: groups of options, flags and an example."""

import shlex
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from typer.main import get_command

from splitroute.cli import app

Run = Callable[..., Any]
PANELS = {"Input", "Splitting", "Search", "Output", "Instance"}
OTHERS = {"serve"}  # with panels of its own


def commands(group: Any, *path: str) -> Iterator[tuple[tuple[str, ...], Any]]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, *path, name)
        else:
            yield (*path, name), command


COMMANDS = [
    pytest.param(path, command, id=" ".join(path))
    for path, command in commands(get_command(app))
    if path[0] not in OTHERS
]


@pytest.mark.parametrize(("path", "command"), COMMANDS)
def test_help(path: tuple[str, ...], command: Any, run: Run) -> None:
    out = run(*path, "--help").stdout
    assert "<bool>" not in out
    assert "--no-" not in out
    options = [param for param in command.params if param.param_type_name == "option"]
    for option in options:
        assert option.rich_help_panel in PANELS, option.name
        assert option.help.endswith((".", ".pdf", ".txt", ".html", ".xlsx"))


@pytest.mark.parametrize(("path", "command"), COMMANDS)
def test_the_example_can_be_parsed(path: tuple[str, ...], command: Any, run: Run) -> None:
    label, program, *words = shlex.split(command.epilog)
    assert (label, program) == ("Example:", "splitroute")
    assert tuple(words[: len(path)]) == path
    assert command.epilog in " ".join(run(*path, "--help").stdout.split())
    command.make_context(path[-1], words[len(path) :])


def test_the_program_lists_its_commands_and_exit_codes(run: Run) -> None:
    out = run("--help").stdout
    for name in ("solve", "split", "check", "convert", "generate", "plot", "bound", "improve"):
        assert f" {name} " in out
    assert "Exit codes: 0 success" in out


def test_the_most_used_commands_come_first() -> None:
    names = list(get_command(app).commands)  # type: ignore[attr-defined]
    assert names[:4] == ["solve", "improve", "check", "split"]
