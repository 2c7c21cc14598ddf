"""The command line, one module per command; each adds itself with `add_to(app)`."""

import io
import logging
import os
import sys
from importlib.metadata import version
from typing import Annotated, Any

import typer

from splitroute import cli
from splitroute.cli._command import Group
from splitroute.cli._console import plain_console
from splitroute.cli._exit import EXIT_CODES, INTERRUPTED, INVALID_INPUT, exit_code
from splitroute.errors import SplitRouteError
from splitroute.registry import load, names

FIRST_COMMANDS = ("solve", "improve", "check", "split")  # in the help


class _Commands(Group):
    """Prints errors of the library and exits with their code."""

    def get_params(self, ctx: Any) -> Any:
        params = super().get_params(ctx)
        for param in params:
            if param.opts[0].endswith("-completion") and getattr(param, "is_bool_flag", False):
                param.metavar = ""
        return params

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except SplitRouteError as error:
            plain_console(stderr=True, soft_wrap=True).print(f"error: {error}")
            raise typer.Exit(exit_code(error)) from None


app = typer.Typer(
    name="splitroute",
    help="Split delivery vehicle routing.",
    epilog=EXIT_CODES,
    cls=_Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


@app.callback(invoke_without_command=True)
def _version(
    show_version: Annotated[
        bool,
        typer.Option("--version", help="Print the version and exit.", metavar="", is_eager=True),
    ] = False,
) -> None:
    if show_version:
        typer.echo(f"splitroute {version('splitroute')}")
        raise typer.Exit()


for _name in dict.fromkeys([*FIRST_COMMANDS, *names(cli)]):
    load(cli, _name).add_to(app)


class _OutputError(OSError):
    """Standard output or standard error cannot be written."""


class _Pipe(io.FileIO):
    """A pipe that drops what is written after its reader has closed it."""

    def write(self, data: Any, /) -> int:
        try:
            return super().write(data)
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.fileno())
            return len(data)
        except OSError as error:
            raise _OutputError(error.errno, error.strerror) from None


def _tolerate_closed_pipe(stream: Any) -> Any:
    """Return the stream such that writing to a closed pipe (`| head`) is no failure."""
    if stream is None or stream.isatty():
        return stream
    pipe = io.BufferedWriter(_Pipe(stream.fileno(), "w", closefd=False))
    return io.TextIOWrapper(
        pipe, stream.encoding, stream.errors, line_buffering=stream.line_buffering
    )


def main() -> None:
    """Run the command line."""
    # Warnings of the library and of the service go to standard error, as they would if the library
    # had no handler that silences them.
    logging.getLogger("splitroute").addHandler(logging.lastResort or logging.NullHandler())
    sys.stdout = _tolerate_closed_pipe(sys.stdout)
    sys.stderr = _tolerate_closed_pipe(sys.stderr)
    try:
        try:
            app()
        finally:
            if sys.stdout is not None:  # closed by `>&-`
                sys.stdout.flush()
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None
    except OSError as error:  # files raise errors of their own
        place = ""
        if isinstance(error, _OutputError):
            place = "standard output: "
            # Python would write the rest once more when it exits.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        plain_console(stderr=True).print(f"error: {place}{error.strerror or error}")
        raise SystemExit(INVALID_INPUT) from None
