"""Find the format of a file by its name or by the file extension."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import ModuleType

from splitroute import formats
from splitroute.errors import InputError, MissingPackageError
from splitroute.formats._capabilities import Kind, Verb, capabilities_of
from splitroute.instance import Instance
from splitroute.registry import load, names

# Rules by which a route needs more than its visits: a vehicle type or a trip.
VEHICLE_RULES = frozenset({"fleet", "depots", "max_trips"})
# First lines of texts whose name says nothing, unless a format recognizes the text.
FIRST_LINES: dict[Kind, dict[str, re.Pattern[str]]] = {
    "instance": {
        "json": re.compile(r"\s*\{"),
        "vrplib": re.compile(r"\s*[A-Z_]+\s*:"),
        "coordlist": re.compile(r"\s*\d+(\s+\d[\d.]*)?\s*$"),
    },
    "solution": {
        "json": re.compile(r"\s*\{"),
        "dimacs": re.compile(r"(?i)\s*(route.*\(|cost\b)"),
        "vrplib": re.compile(r"(?i)\s*route\s*#?\d+\s*:"),
    },
}


def check_output_format(
    kind: Kind,
    path: Path,
    format: str | None = None,
    *,
    has_splits: bool = False,
    instance: Instance | None = None,
) -> None:
    """Raise if no format can write the file: with split visits, and for the given instance."""
    module = _output_format(kind, path, format, instance)
    capabilities = capabilities_of(module)
    if has_splits and not capabilities.splits:
        message = "the format cannot hold split visits; write .json, .csv or .txt"
        raise InputError(message, field="path", file=str(path), value=str(path))
    if instance is None:
        return
    if not instance.places and capabilities.needs_coordinates:
        message = "the format needs coordinates; write .json, .csv or .txt"
        raise InputError(message, field="path", file=str(path), value=str(path))
    if capabilities.needs_globe and not instance.is_globe:
        message = "the format needs places with lat and lon; write .json, .csv or .txt"
        raise InputError(message, field="path", file=str(path), value=str(path))
    if capabilities.needs_origin and instance.origin is None:
        message = "the format needs an instance that was read from it; write another .json"
        raise InputError(message, field="path", file=str(path), value=str(path))
    check_rules(kind, module, instance, path)


def holds_date(kind: Kind, path: Path, format: str | None, instance: Instance) -> bool:
    """Whether the file can state the day of the deliveries."""
    is_able = capabilities_of(_output_format(kind, path, format, instance)).holds_date
    return kind == "solution" and is_able


def _output_format(
    kind: Kind, path: Path, format: str | None, instance: Instance | None
) -> ModuleType:
    return find_format(kind, "dump", path, format or default_format(kind, path, instance))


def default_format(kind: Kind, path: Path, instance: Instance | None) -> str | None:
    """Return the format for files with the extension of the request that an instance is from."""
    origin = None if instance is None else instance.origin
    if origin is None or kind == "instance":
        return None
    suffixes = capabilities_of(load(formats, origin.format)).suffixes(kind)
    return origin.format if path.suffix.lower() in suffixes else None


def check_rules(kind: Kind, module: ModuleType, instance: Instance, path: Path) -> None:
    """Raise if the format would drop rules of an instance, or the vehicles of its solutions."""
    capabilities = capabilities_of(module)
    if kind == "instance":
        lost = instance.rules - capabilities.instance_rules
    else:
        lost = frozenset() if capabilities.holds_vehicles else instance.rules & VEHICLE_RULES
    if lost:
        names = ", ".join(sorted(lost))
        message = f"the format cannot hold the rules of the instance: {names}; write .json"
        raise InputError(message, field="path", file=str(path), value=sorted(lost))


def suffixes(kind: Kind, verb: Verb = "parse") -> list[str]:
    """File extensions that can be read ("parse") or written ("dump"), sorted."""
    return sorted(_by_suffix(kind, verb, _modules(kind, verb)))


def format_name(kind: Kind, verb: Verb, name: str) -> str:
    """Return the name of a format; a file extension that only one format has is a name too."""
    modules = _modules(kind, verb)
    owners = [] if name in modules else _by_suffix(kind, verb, modules).get(f".{name}".lower(), [])
    return next(n for n, m in modules.items() if m is owners[0]) if len(owners) == 1 else name


def find_format(kind: Kind, verb: Verb, path: Path, name: str | None, text: str = "") -> ModuleType:
    """Return the module that can parse or dump, by its name or by the file extension.

    Where formats share an extension, the one that recognizes the text is meant.
    """
    modules = _modules(kind, verb)
    if name is not None:
        name = format_name(kind, verb, name)
        if name not in modules:
            if name in names(formats):
                load(formats, name)
            raise InputError(
                f"unknown {kind} format {name!r}; known: {', '.join(modules)}",
                field="format",
                value=name,
            )
        return modules[name]
    by_suffix = _by_suffix(kind, verb, modules)
    suffix = path.suffix.lower()
    if suffix not in by_suffix:
        takes_format = verb == "parse" or str(path).startswith("<")  # the name of a stream
        hint = f"; or pass `format`: {', '.join(modules)}" if takes_format else ""
        raise InputError(
            f"unknown {kind} file extension {path.suffix!r}; "
            f"known: {', '.join(sorted(by_suffix))}{hint}",
            code="unknown_extension",
            field="format" if takes_format else "path",
            file=str(path),
            value=path.suffix,
        )
    candidates = by_suffix[suffix]
    return next((m for m in candidates if _recognizes(m, text)), candidates[-1])


def detect_format(kind: Kind, text: str) -> str:
    """Return the name of the format that a text looks like: a table if like nothing else."""
    for name, module in _modules(kind, "parse").items():
        if _recognizes(module, text):
            return name
    first = next((line for line in text.splitlines() if line.strip()), "")
    patterns = FIRST_LINES[kind].items()
    return next((name for name, pattern in patterns if pattern.match(first)), "csv")


def _modules(kind: Kind, verb: Verb) -> dict[str, ModuleType]:
    modules = {}
    for name in names(formats):
        with suppress(MissingPackageError):  # of another package; raised when it is asked for
            module = load(formats, name)
            if hasattr(module, f"{verb}_{kind}"):
                modules[name] = module
    return modules


def _by_suffix(
    kind: Kind, verb: Verb, modules: Mapping[str, ModuleType]
) -> dict[str, list[ModuleType]]:
    """Formats of each extension; the last one is for texts that no other recognizes."""
    by_suffix: dict[str, list[ModuleType]] = {}
    for module in sorted(modules.values(), key=lambda m: capabilities_of(m).recognizes is None):
        for suffix in capabilities_of(module).suffixes(kind, verb):
            by_suffix.setdefault(suffix, []).append(module)
    return by_suffix


def _recognizes(module: ModuleType, text: str) -> bool:
    recognizes = capabilities_of(module).recognizes
    return recognizes is not None and recognizes(text)
