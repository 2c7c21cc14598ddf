"""Looks up rules, engines and formats by name.

Built-in ones are the modules of a package: the folder is the registry. Other packages add theirs
through entry points of a group with the name of that package, such as `splitroute.rules`; an entry
point is a module with the same contents, or a function in place of its `run`.
"""

import importlib
import inspect
import pkgutil
from collections.abc import Callable
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from types import ModuleType, SimpleNamespace
from typing import Any

from splitroute.errors import InputError, MissingPackageError

SHORT = {"L": "levels", "p": "base"}  # the paper's letters


def names(package: ModuleType) -> list[str]:
    """Names of the alternatives in a package and of those that others add, sorted."""
    return sorted({*_built_in(package), *_added(package.__name__)})


def load(package: ModuleType, name: str | Callable[..., Any]) -> Any:
    """The module of that name; a function is taken for the `run` of one."""
    if callable(name):
        return _as_module(name)
    kind = package.__name__.rpartition(".")[2].removesuffix("s")
    one_of(names(package), kind, name)
    if name in _built_in(package):
        return importlib.import_module(f"{package.__name__}.{name}")
    entry = _added(package.__name__)[name]
    try:
        return _as_module(entry.load())
    except Exception as error:
        raise MissingPackageError(
            f"the {kind} {name} cannot be loaded from {entry.value}: {error}", value=name
        ) from error


def _built_in(package: ModuleType) -> list[str]:
    return [m.name for m in pkgutil.iter_modules(package.__path__) if m.name[0] != "_"]


@cache
def _added(group: str) -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=group)}


def _as_module(found: Any) -> Any:
    """A function as a module with that function as its `run`, and its attributes."""
    if isinstance(found, ModuleType) or not callable(found):
        return found
    name = getattr(found, "__name__", type(found).__name__)
    return SimpleNamespace(**getattr(found, "__dict__", {}), run=found, __name__=name)


def one_of(known: list[str], kind: str, name: str, *, field: str | None = None) -> str:
    """The name itself if it is known; otherwise an error that lists what is."""
    if name not in known:
        raise InputError(
            f"unknown {kind} {name!r}; known: {', '.join(known)}", field=field or kind, value=name
        )
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
        elif types[name].annotation is float:
            try:
                options[name] = float(value)
            except ValueError:
                raise InputError(f"the {of}: {name} is {value!r}; it is a number") from None
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
