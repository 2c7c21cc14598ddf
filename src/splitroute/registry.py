"""Looks up rules, engines and formats by name.

Built-in ones are the modules of a package. Other packages add theirs through entry points of a
group with the name of that package, such as `splitroute.rules`. An entry point is a module with the
same contents, or a function in place of its `run`.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from numbers import Integral, Real
from types import ModuleType, NoneType, SimpleNamespace, UnionType
from typing import TYPE_CHECKING, Any, Literal, Union, get_args, get_origin

from splitroute.errors import InputError, MissingPackageError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ABBREVIATIONS = {"L": "levels", "p": "base"}  # the paper's letters
OPTION_TYPES: dict[type, tuple[type, str]] = {
    bool: (bool, "true or false"),
    int: (Integral, "a whole number"),
    float: (Real, "a number"),
    str: (str, "a string"),
}
BOOLEANS = {"true": True, "1": True, "false": False, "0": False}


def names(package: ModuleType) -> list[str]:
    """Sorted names of the modules of a package and of its entry points."""
    return sorted({*_built_in(package), *_entry_points(package.__name__)})


def entry_point_names(package: ModuleType) -> list[str]:
    """Sorted names that other packages add to a package."""
    return sorted(_entry_points(package.__name__))


def load(package: ModuleType, name: str | Callable[..., Any]) -> Any:
    """Return the module of that name; a function becomes a module with that `run`."""
    if callable(name):
        return _as_module(name)
    kind = package.__name__.rpartition(".")[2].removesuffix("s")
    check_choice(names(package), kind, name)
    if is_built_in(package, name):
        return importlib.import_module(f"{package.__name__}.{name}")
    entry = _entry_points(package.__name__)[name]
    try:
        module = _as_module(entry.load())
        if kind != "format" and not callable(getattr(module, "run", None)):
            raise TypeError("not a function, nor a module with a function `run`")
    except Exception as error:
        raise MissingPackageError(
            f"the {kind} {name} cannot be loaded from {entry.value}: {error}",
            field=kind,
            value=name,
        ) from error
    return module


def is_built_in(package: ModuleType, name: str) -> bool:
    """Whether a name is one of splitroute's own, which no other package can replace."""
    return name in _built_in(package)


def _built_in(package: ModuleType) -> list[str]:
    return _public_modules(tuple(package.__path__))


@cache  # every file that is read or written is looked up among all formats
def _public_modules(folders: tuple[str, ...]) -> list[str]:
    return [m.name for m in pkgutil.iter_modules(folders) if m.name[0] != "_"]


@cache
def _entry_points(group: str) -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points  # slow to import

    return {entry.name: entry for entry in entry_points(group=group)}


def _as_module(value: Any) -> Any:
    """Return a namespace with a function as its `run`, and the attributes of the function."""
    if isinstance(value, ModuleType) or not callable(value):
        return value
    attributes = getattr(value, "__dict__", {})
    return SimpleNamespace(**attributes, run=value, __name__=name_of(value))


def name_of(value: str | Callable[..., Any]) -> str:
    """Name of a rule or engine that is given by name or as a function."""
    return value if isinstance(value, str) else getattr(value, "__name__", type(value).__name__)


def check_choice(
    choices: Sequence[str], kind: str, name: object, *, field: str | None = None
) -> None:
    """Raise an error that lists the choices unless the name is one of them."""
    if name not in choices:
        raise InputError(
            f"unknown {kind} {name!r}; known: {', '.join(choices)}", field=field or kind, value=name
        )


def options_of(run: Callable[..., object]) -> list[str]:
    """Names of the options of a rule or an engine: its keyword-only parameters."""
    parameters = inspect.signature(run).parameters.values()
    return [p.name for p in parameters if p.kind is p.KEYWORD_ONLY]


def check_options(owner: str, run: Callable[..., object], options: Mapping[str, object]) -> None:
    """Raise unless each is an option of a rule or an engine, and of the type annotated there."""
    for name, value in options.items():
        _check_option_name(owner, run, name)
        kind, words = _option_type(run, name)
        if kind is None or value is None or (isinstance(value, str) and value in words):
            continue
        is_bool = isinstance(value, bool)
        if not isinstance(value, OPTION_TYPES[kind][0]) or is_bool != (kind is bool):
            raise InputError(
                f"{name} is {value!r}; it must be {_expected(kind, words)}", field=name, value=value
            )


def parse_options(owner: str, run: Callable[..., object], texts: Sequence[str]) -> dict[str, Any]:
    """Parse options such as `L=3` and `rings=count`; the name of an only option may be omitted."""
    allowed = options_of(run)
    options: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals and len(allowed) == 1:
            name, value = allowed[0], text
        name = ABBREVIATIONS.get(name, name)
        _check_option_name(owner, run, name)
        kind, words = _option_type(run, name)
        try:
            options[name] = value if value in words else _parse_value(kind or str, value)
        except (KeyError, ValueError):
            raise InputError(
                f"the {owner}: {name} is {value!r}; it must be {_expected(kind or str, words)}",
                field=name,
                value=value,
            ) from None
    return options


def _check_option_name(owner: str, run: Callable[..., object], name: str) -> None:
    allowed = options_of(run)
    if name not in allowed:
        hint = f"it has: {', '.join(allowed)}" if allowed else "it has none"
        raise InputError(f"the {owner} has no option {name!r}; {hint}", field=name)


def _parse_value(kind: type, text: str) -> Any:
    return BOOLEANS[text.lower()] if kind is bool else kind(text)


def _expected(kind: type, words: Sequence[str]) -> str:
    return " or ".join([OPTION_TYPES[kind][1], *map(repr, words)])


def _option_type(run: Callable[..., object], name: str) -> tuple[type | None, tuple[str, ...]]:
    """The plain type of an option, if it is annotated with one, and words allowed in its place."""
    try:
        annotation = inspect.signature(run, eval_str=True).parameters[name].annotation
    except NameError:  # imported for type checking only
        return None, ()
    is_union = get_origin(annotation) in (Union, UnionType)
    kinds = get_args(annotation) if is_union else (annotation,)
    words = tuple(word for kind in kinds if get_origin(kind) is Literal for word in get_args(kind))
    kinds = tuple(k for k in kinds if k is not NoneType and get_origin(k) is not Literal)
    is_plain = len(kinds) == 1 and kinds[0] in OPTION_TYPES
    return kinds[0] if is_plain else None, words


def is_installed(module: str) -> bool:
    """Whether an optional package is installed, without importing it."""
    return find_spec(module) is not None


def require(module: str, extra: str) -> None:
    """Raise an error with the pip command unless an optional package is installed."""
    if not is_installed(module):
        raise MissingPackageError(
            f"{module} is not installed; run: pip install 'splitroute[{extra}]'", value=module
        )
