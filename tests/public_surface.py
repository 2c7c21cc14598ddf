"""The public names of splitroute with their parameters and members, one per line.

`python tests/public_surface.py` writes them to the file that a test compares them with.
"""

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import splitroute as sr

FILE = Path(__file__).with_suffix(".txt")
STARS = {"VAR_POSITIONAL": "*", "VAR_KEYWORD": "**"}


def surface() -> list[str]:
    """Return the lines, sorted by the names in `splitroute.__all__`."""
    return [line for name in sorted(sr.__all__) for line in _lines(name, getattr(sr, name))]


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
