"""`splitroute doctor`: what is installed, and what is missing."""

from __future__ import annotations

import json as json_
from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from splitroute.cli import _options as o
from splitroute.cli._command import add_command
from splitroute.cli._console import plain_console
from splitroute.cli._exit import VIOLATIONS

if TYPE_CHECKING:
    from splitroute.cli._installation import Installation

EXAMPLE = "splitroute doctor"


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    add_command(app, "doctor", _doctor, EXAMPLE)


def _doctor(json: o.Json = False) -> None:
    """Print versions, extras and what is missing; exit with 1 if something is broken."""
    from splitroute.cli._installation import Installation

    installation = Installation()
    if json:
        typer.echo(json_.dumps(_data(installation)))
    else:
        _print(installation)
    raise typer.Exit(VIOLATIONS if installation.problems else 0)


def _data(installation: Installation) -> dict[str, object]:
    return {
        "versions": installation.versions,
        "extras": {
            extra.name: {
                "installed": not extra.faults,
                "packages": {p.requirement.name: p.version for p in extra.packages},
                "faults": extra.faults,
            }
            for extra in installation.extras
        },
        "programs": installation.programs,
        "plugins": {name: error or None for name, error in installation.plugins.items()},
        "problems": installation.problems,
    }


def _print(installation: Installation) -> None:
    console = plain_console(highlight=False, soft_wrap=True)
    packages = ", ".join(f"{p.requirement.name} {p.version}" for p in installation.required)
    _print_rows(console, [*installation.versions.items(), ("packages", packages)])
    console.print("\nextras")
    _print_rows(
        console,
        [
            (extra.name, extra.purpose, extra.advice if extra.faults else "installed")
            for extra in installation.extras
        ],
        wraps_last=False,  # commands to copy
    )
    console.print("\nprograms and files")
    _print_rows(console, [(n, path or "not found") for n, path in installation.programs.items()])
    if installation.plugins:
        console.print("\nplugins")
        _print_rows(console, [(n, error or "loads") for n, error in installation.plugins.items()])
    console.print("\nproblems" if installation.problems else "\nno problems")
    _print_rows(console, [(problem,) for problem in installation.problems])


def _print_rows(
    console: Console, rows: Sequence[tuple[str, ...]], *, wraps_last: bool = True
) -> None:
    table = Table(show_header=False, box=None, padding=(0, 1))
    for row in rows:
        table.add_row(*map(Text, row))
    if rows:
        table.columns[-1].no_wrap = not wraps_last
    console.print(table)
