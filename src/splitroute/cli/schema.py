"""`splitroute schema`: the JSON Schema of instances or solutions."""

from typing import Annotated

import typer

from splitroute.cli._command import add_command
from splitroute.formats import schema_text
from splitroute.formats._schemas import SCHEMAS

EXAMPLE = "splitroute schema solution"


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    add_command(app, "schema", _schema, EXAMPLE)


def _schema(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME", help="instance or solution.", autocompletion=lambda: list(SCHEMAS)
        ),
    ],
) -> None:
    """Print the JSON Schema of an instance or a solution."""
    typer.echo(schema_text(name), nl=False)
