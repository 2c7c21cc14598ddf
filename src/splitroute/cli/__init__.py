"""The command line, one file per command; each adds itself with `add_to(app)`."""

import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from typing import Annotated, Any

import typer
from rich.console import Console
from typer.core import TyperGroup

from splitroute import cli
from splitroute.cli._exit import INTERRUPTED, INVALID_INPUT, exit_code
from splitroute.errors import InputWarning, SplitRouteError
from splitroute.registry import load, names


@contextmanager
def _shown_warnings() -> Iterator[None]:
    """Warnings about the input as lines for people, each once."""
    shown = set()
    usual = warnings.showwarning

    def show(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
        if not issubclass(category, InputWarning):
            usual(message, category, *where, **more)
        elif str(message) not in shown:
            shown.add(str(message))
            Console(stderr=True, soft_wrap=True).print(f"warning: {message}", markup=False)

    with warnings.catch_warnings():
        warnings.simplefilter("always", InputWarning)
        warnings.showwarning = show
        yield


class _Commands(TyperGroup):
    """Turns our own errors into one message and an exit code."""

    def invoke(self, ctx: Any) -> Any:
        try:
            with _shown_warnings():
                return super().invoke(ctx)
        except SplitRouteError as error:
            Console(stderr=True, soft_wrap=True).print(f"error: {error}", markup=False)
            raise typer.Exit(exit_code(error)) from None


app = typer.Typer(
    name="splitroute",
    help="Split delivery vehicle routing.",
    epilog="Exit codes: 0 success, 1 violations found, 2 invalid input, 3 not installed, "
    "4 no solution, 130 interrupted.",
    cls=_Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


@app.callback(invoke_without_command=True)
def _about(
    show_version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", is_eager=True)
    ] = False,
) -> None:
    if show_version:
        typer.echo(f"splitroute {version('splitroute')}")
        raise typer.Exit()


for _name in names(cli):
    load(cli, _name).add_to(app)


def main() -> None:
    """The program `splitroute`."""
    try:
        try:
            app()
        finally:
            if sys.stdout is not None:  # as in `>&-`
                sys.stdout.flush()
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None
    except OSError as error:  # of standard output: files have errors of their own
        # Python would try to write the rest once more when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):
            Console(stderr=True).print(f"error: standard output: {error.strerror}", markup=False)
        raise SystemExit(INVALID_INPUT) from None
