"""The command line, one file per command; each adds itself with `add_to(app)`."""

from typing import Any

import typer
from rich.console import Console
from typer.core import TyperGroup

from splitroute import cli
from splitroute.catalogue import load, names
from splitroute.errors import SplitRouteError


class _Commands(TyperGroup):
    """Turns our own errors into one message and exit code 2."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except SplitRouteError as error:
            Console(stderr=True, soft_wrap=True).print(f"error: {error}", markup=False)
            raise typer.Exit(2) from None


app = typer.Typer(
    name="splitroute",
    help="Split delivery vehicle routing.",
    cls=_Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
for _name in names(cli):
    load(cli, _name).add_to(app)


def main() -> None:
    """The program `splitroute`."""
    app()
