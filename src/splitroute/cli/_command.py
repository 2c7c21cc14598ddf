"""Register commands: groups of options, an example in the help, and errors that name options."""

import functools
import inspect
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from splitroute.cli._console import plain_console
from splitroute.errors import InputWarning, SplitRouteError
from splitroute.instance.feasibility import PARTIAL_HINT

# Options that set a parameter of another name; all others are called like their parameter.
OPTIONS = {
    "bound": ("--bound", "--time"),
    "format": ("--format", "--solution-format", "--to"),
    "high": ("--demand",),
    "low": ("--demand",),
    "method": ("--methods",),
    "polish": ("--improve",),
    "processes": ("--jobs",),
    "seconds": ("--time",),
    "threads": ("--jobs",),
}
INFEASIBLE = "infeasible"
# Errors that one option helps against, whatever field is at fault.
HELPERS = {"no_column": "columns", "ambiguous_column": "columns"}
# Errors about something missing that an option can supply.
MISSING = (
    *HELPERS,
    "ambiguous_coordinates",
    "no_capacity",
    "no_depot",
    "not_installed",
    "unknown_extension",
)
# What to do about an error, by its code.
HINTS = {
    "cluster_lost": "run the same command again",
    INFEASIBLE: "--partial delivers as much as possible",
    "no_benchmark_files": "run `splitroute bench fetch`, or set SPLITROUTE_INSTANCES",
    "road_server_unavailable": "run the same command again: what was received is kept",
    "no_records": "run `splitroute bench run` first",
}


class Group(TyperGroup):
    """A group of commands that shows --help as a flag."""

    def get_help_option(self, ctx: Any) -> Any:
        return _as_flag(super().get_help_option(ctx))


class Command(TyperCommand):
    """A command whose errors and warnings name the option that the user typed."""

    def get_help_option(self, ctx: Any) -> Any:
        return _as_flag(super().get_help_option(ctx))

    def invoke(self, ctx: Any) -> Any:
        try:
            with _print_warnings(ctx):
                return super().invoke(ctx)
        except SplitRouteError as error:
            _complete(error, ctx)
            raise


def add_command(app: typer.Typer, name: str, function: Callable[..., None], example: str) -> None:
    """Add a function as a command, with an example in its help."""
    app.command(name, cls=Command, epilog=f"Example: {example}")(_expand_groups(function))


def _as_flag(option: Any) -> Any:
    if option is not None:
        option.metavar = ""
    return option


@contextmanager
def _print_warnings(ctx: Any) -> Iterator[None]:
    """Print each InputWarning once, as a line on stderr."""
    printed = set()
    show_other = warnings.showwarning

    def show(message: Warning | str, category: type[Warning], *args: Any, **kwargs: Any) -> None:
        if not isinstance(message, InputWarning):
            show_other(message, category, *args, **kwargs)
        elif str(message) not in printed:
            printed.add(str(message))
            option = _option(message, ctx)
            text = f"warning: {message} ({option})" if option else f"warning: {message}"
            plain_console(stderr=True, soft_wrap=True).print(text)

    with warnings.catch_warnings():
        warnings.simplefilter("always", InputWarning)
        warnings.showwarning = show
        yield


def _complete(error: SplitRouteError, ctx: Any) -> None:
    """Add what to do and the option at fault to the message, or to each of several."""
    for item in getattr(error, "errors", ()) or (error,):
        hint, option = HINTS.get(item.code), _option(item, ctx)
        message = item.message.removesuffix(f"; {PARTIAL_HINT}")  # which is for Python
        item.args = (message + (f"; {hint}" if hint else "") + (f" ({option})" if option else ""),)


def _option(error: SplitRouteError | InputWarning, ctx: Any) -> str | None:
    """The option for the field of an error or warning, if the user typed it or could add it."""
    code = getattr(error, "code", "")
    field = HELPERS.get(code, error.field)
    if field is None or code == INFEASIBLE:
        return None
    names = OPTIONS.get(field, (f"--{field.replace('_', '-')}",))
    options = [
        (name, param) for name in names for param in ctx.command.params if name in param.opts
    ]
    for name, param in options:
        source = ctx.get_parameter_source(param.name)
        if source is not None and source.name == "COMMANDLINE":
            return name
    is_missing = isinstance(error, SplitRouteError) and error.code in MISSING
    return options[0][0] if options and is_missing else None


def _expand_groups(function: Callable[..., None]) -> Callable[..., None]:
    """Replace each parameter that is a dataclass of options by its fields."""
    signature = inspect.signature(function, eval_str=True)
    parameters: list[inspect.Parameter] = []
    groups: dict[str, Any] = {}
    for parameter in signature.parameters.values():
        group = parameter.annotation
        if isinstance(group, type) and is_dataclass(group):
            groups[parameter.name] = group
            parameters += inspect.signature(group, eval_str=True).parameters.values()
        else:
            parameters.append(parameter)

    @functools.wraps(function)
    def command(**arguments: Any) -> None:
        for name, group in groups.items():
            values = {field.name: arguments.pop(field.name) for field in fields(group)}
            arguments[name] = group(**values)
        function(**arguments)

    parameters = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in parameters]
    command.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {p.name: p.annotation for p in parameters}
    return command
