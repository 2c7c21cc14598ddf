"""The public surface: names with parameters and members, commands with options, and requests.

`python tests/public_surface.py` writes them to the file that a test compares them with.
"""

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import typer.main

import splitroute as sr
from splitroute.cli import app
from splitroute.engines import Capabilities
from splitroute.web.openapi import description

FILE = Path(__file__).with_suffix(".txt")
STARS = {"VAR_POSITIONAL": "*", "VAR_KEYWORD": "**"}


def surface() -> list[str]:
    """Return the lines: of Python, sorted by the names in `splitroute.__all__`, and of the rest."""
    names = [line for name in sorted(sr.__all__) for line in _lines(name, getattr(sr, name))]
    names += _lines("engines.Capabilities", Capabilities)
    return [*names, *_commands(typer.main.get_command(app), "splitroute"), *_requests()]


def _lines(name: str, value: Any) -> Iterator[str]:
    if inspect.isclass(value):
        is_warning = issubclass(value, Warning)
        yield name if is_warning else name + _parameters(value)
        own = {n for base in value.__mro__ if "splitroute" in base.__module__ for n in vars(base)}
        own |= {n for base in value.__mro__ for n in inspect.get_annotations(base)}
        for member in sorted(n for n in own if not n.startswith("_")):
            found: Any = getattr(value, member, None)
            is_method = inspect.isfunction(found) or inspect.ismethod(found)
            yield f"{name}.{member}{_parameters(found) if is_method else ''}"
    else:
        yield name + (_parameters(value) if callable(value) else "")


def _commands(command: Any, path: str) -> Iterator[str]:
    """Each command with its arguments in order and its options sorted."""
    arguments = [p for p in command.params if p.param_type_name == "argument"]
    shown = [p.metavar or p.name.upper() for p in arguments if not getattr(p, "hidden", False)]
    options = [o for p in command.params if p.param_type_name == "option" for o in p.opts]
    yield " ".join([path, *shown, *sorted(options)])
    for name, child in sorted(getattr(command, "commands", {}).items()):
        yield from _commands(child, f"{path} {name}")


def _requests() -> Iterator[str]:
    for path, methods in sorted(description()["paths"].items()):
        yield f"{path} {' '.join(sorted(methods)).upper()}"


def _parameters(function: Callable[..., object]) -> str:
    """Names of the parameters, those with a default with an equals sign."""
    shown, is_keyword = [], False
    for parameter in inspect.signature(function).parameters.values():
        if parameter.name == "self":
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and not is_keyword:
            shown.append("*")
        is_keyword |= parameter.kind in (parameter.KEYWORD_ONLY, parameter.VAR_POSITIONAL)
        default = "" if parameter.default is parameter.empty else "="
        shown.append(STARS.get(parameter.kind.name, "") + parameter.name + default)
    return f"({', '.join(shown)})"


if __name__ == "__main__":
    FILE.write_text("\n".join(surface()) + "\n")
