"""`splitroute bench`: run methods on benchmarks and evaluate the records; a file per command."""

from typing import Any

import typer

from splitroute.cli._command import Group
from splitroute.cli.bench import best_known, compare, fetch, plot, report, run, table

COMMANDS: tuple[Any, ...] = (fetch, run, table, compare, plot, report, best_known)


def add_to(app: typer.Typer) -> None:
    """Add the command and its subcommands."""
    bench = typer.Typer(help="Compare methods on benchmarks.", cls=Group, no_args_is_help=True)
    for module in COMMANDS:
        module.add_to(bench)
    app.add_typer(bench, name="bench")
