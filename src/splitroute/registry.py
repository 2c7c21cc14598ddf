"""The folder is the registry: looks up alternatives by the names of the modules in a package."""

import importlib
import inspect
import pkgutil
from collections.abc import Callable
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from splitroute.errors import InputError, MissingPackageError

SHORT = {"L": "levels", "p": "base"}  # the paper's letters


def names(package: ModuleType) -> list[str]:
    """Names of the alternatives in a package, sorted."""
    return sorted(m.name for m in pkgutil.iter_modules(package.__path__) if m.name[0] != "_")


def load(package: ModuleType, name: str) -> ModuleType:
    """The module of that name in the package; never imports anything outside its folder."""
    kind = package.__name__.rpartition(".")[2].removesuffix("s")
    return importlib.import_module(f"{package.__name__}.{one_of(names(package), kind, name)}")


def one_of(known: list[str], kind: str, name: str) -> str:
    """The name itself if it is known; otherwise an error that lists what is."""
    if name not in known:
        raise InputError(f"unknown {kind} {name!r}; known: {', '.join(known)}")
    return name


def options_of(function: Callable[..., object]) -> list[str]:
    """Names of the keyword-only parameters of a rule or an engine."""
    parameters = inspect.signature(function).parameters.values()
    return [p.name for p in parameters if p.kind is p.KEYWORD_ONLY]


def parse_options(of: str, run: Callable[..., object], words: list[str]) -> dict[str, Any]:
    """`L=3` and `rings=count`; a value alone will do where there is one option only."""
    known = options_of(run)
    types = inspect.signature(run, eval_str=True).parameters
    options: dict[str, Any] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals and len(known) == 1:
            name, value = known[0], word
        name = SHORT.get(name, name)
        if name not in known:
            allowed = f"it has: {', '.join(known)}" if known else "it has none"
            raise InputError(f"the {of} has no option {name!r}; {allowed}")
        if types[name].annotation in (int, int | None):
            if not value.isdigit():
                raise InputError(f"the {of}: {name} is {value!r}; it is a whole number")
            options[name] = int(value)
        else:
            options[name] = value
    return options


def is_installed(module: str) -> bool:
    """Whether an optional package is installed; it is not imported."""
    return find_spec(module) is not None


def require(module: str, extra: str) -> None:
    """Raises with the pip command if an optional package is not installed."""
    if not is_installed(module):
        raise MissingPackageError(
            f"{module} is not installed; run: pip install 'splitroute[{extra}]'", value=module
        )
