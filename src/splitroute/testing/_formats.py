"""The contract of formats."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import partial
from typing import Any, Literal

import numpy as np

from splitroute.errors import InputError
from splitroute.formats import Capabilities, ReadOptions
from splitroute.instance import Instance
from splitroute.instance.rules import CUSTOMER_RULES, VEHICLE_RULES
from splitroute.solution import Route, Solution, Visit
from splitroute.testing._instances import FLEET, INSTANCES, RULE_INSTANCES
from splitroute.validation import validate

KINDS: tuple[Literal["instance", "solution"], ...] = ("instance", "solution")
NAME = "contract"  # of the file
MARKED = 7919  # a quantity that is found again in a text
BAD_TEXTS = ("", "\n\n", "\x00\n", "no such thing\n", "[]", "1,2\n3,4\n")


def check_format(format: Any) -> None:
    """Raise AssertionError unless a module keeps the contract of a format.

    What it writes, it reads back with every quantity and every rule that it declares to hold; what
    it cannot hold or understand, it refuses with an InputError that has the line, or the field, at
    fault.
    """
    has = {
        f"{verb}_{kind}": hasattr(format, f"{verb}_{kind}")
        for verb in ("parse", "dump")
        for kind in KINDS
    }
    if not any(has.values()):
        raise AssertionError(f"a format has at least one of {', '.join(has)}")
    capabilities = getattr(format, "CAPABILITIES", None)
    if not isinstance(capabilities, Capabilities):
        raise AssertionError("a format declares CAPABILITIES = Capabilities(...)")
    for kind in KINDS:
        suffixes = capabilities.suffixes(kind)
        # What is only written may have no suffix of its own: it is asked for by name.
        if has[f"parse_{kind}"] or (has[f"dump_{kind}"] and suffixes):
            _check_suffixes(f"{kind}_suffixes", suffixes)
    encode = str.encode if capabilities.is_binary else str
    if has["parse_instance"]:
        _check_bad_texts(lambda text: format.parse_instance(encode(text), ReadOptions(name=NAME)))
    if has["dump_instance"]:
        _check_instances(format, has["parse_instance"])
    if capabilities.needs_origin:
        return  # its solutions need an instance that was read from it, which a check cannot have
    if has["parse_solution"]:
        _check_bad_texts(
            lambda text: format.parse_solution(encode(text), INSTANCES[0], NAME), empty=True
        )
    if has["dump_solution"]:
        _check_solutions(format, has["parse_solution"])
        if capabilities.holds_vehicles:
            _check_vehicles(format, has["parse_solution"])


def _check_suffixes(name: str, suffixes: tuple[str, ...]) -> None:
    if not suffixes or not all(re.fullmatch(r"\.[a-z0-9]+", suffix) for suffix in suffixes):
        raise AssertionError(f"{name} lists lowercase suffixes such as '.json': it is {suffixes!r}")


def _check_instances(format: Any, parses: bool) -> None:
    held = 0
    rules = format.CAPABILITIES.instance_rules
    ruled = [instance for instance in RULE_INSTANCES if instance.rules <= rules]
    for instance in (_marked(), *INSTANCES, replace(INSTANCES[0], vehicles=99), *ruled):
        text = _dump(format, partial(format.dump_instance, instance), instance)
        if text is None:
            continue
        held += 1
        if parses:
            options = ReadOptions(name=NAME, metric=instance.metric, unit=instance.unit)
            _check_same(instance, _parse(partial(format.parse_instance, text, options)))
    if not held:
        raise AssertionError("a format that writes instances holds at least some of them")
    text = _dump(format, partial(format.dump_instance, _marked()), _marked())
    if parses and text is not None:
        _check_line(text, lambda bad: format.parse_instance(bad, ReadOptions(name=NAME)))
        options = ReadOptions(name=NAME, speed=2.0, partial=True)
        read = _parse(partial(format.parse_instance, text, options))
        if (read.speed, read.partial) != (2.0, True):
            raise AssertionError("parse_instance sets the speed and partial of its options")


def _check_same(instance: Instance, read: Instance) -> None:
    sites, read_sites = instance.sites, read.sites
    parts = {
        "capacity": (instance.capacity * instance.unit, read.capacity * read.unit),
        "demands": (_quantities(instance), _quantities(read)),
        "vehicles": (instance.vehicles, read.vehicles),
        "metric": (instance.metric, read.metric),
        "rules": (_rules(instance), _rules(read)),
    }
    for what, (before, after) in parts.items():
        if before != after:
            raise AssertionError(
                f"an instance is read as it was written: {what} of {instance.name!r} was "
                f"{before} and is {after}"
            )
    distances = instance.table[np.ix_(sites, sites)]
    if not np.array_equal(distances, read.table[np.ix_(read_sites, read_sites)]):
        raise AssertionError(
            f"an instance is read as it was written: distances of {instance.name!r} differ"
        )


def _rules(instance: Instance) -> dict[str, object]:
    """Every rule, without the names of vehicle types and depots, which a format may lack."""
    names, places = [kind.type for kind in instance.vehicle_types], instance.depot_places
    rules: dict[str, object] = {
        "windows of depots": [depot.windows for depot in instance.depots],
        "durations": None if instance.durations is None else instance.durations.tolist(),
        "partial": instance.partial,
        "speed": instance.travel_speed,
        "depots of vehicle types": [
            (places[kind.depot], places[kind.end_depot or kind.depot])
            for kind in instance.vehicle_types
        ],
        "vehicle_types": [
            c.vehicle_types and [names.index(name) for name in c.vehicle_types]
            for c in instance.customers
        ],
    }
    owners: dict[str, Sequence[object]] = {
        name: instance.customers for name in CUSTOMER_RULES if name != "vehicle_types"
    }
    owners |= dict.fromkeys(("count", "capacity", *VEHICLE_RULES), instance.vehicle_types)
    for name, records in owners.items():
        unit = instance.unit if name in ("min_drop", "lot", "capacity", "min_load") else None
        values: list[Any] = [getattr(record, name) for record in records]
        rules[name] = [value * unit for value in values] if unit else values
    return rules


def _quantities(instance: Instance) -> list[Decimal]:
    return [customer.demand * instance.unit for customer in instance.customers]


def _check_solutions(format: Any, parses: bool) -> None:
    instance = replace(_marked(), is_globe=format.CAPABILITIES.needs_globe)
    whole = Solution.unsplit(instance, [[1], [3, 2]])
    split = Solution(
        (
            Route((Visit(1, MARKED), Visit(2, 60))),
            Route((Visit(3, 70), Visit(2, 30))),
        )
    )
    for solution in (whole, split):
        text = _dump(format, partial(format.dump_solution, instance, solution, None), instance)
        must_hold = solution is whole or format.CAPABILITIES.splits
        if (text is not None) != must_hold:
            raise AssertionError(
                "a format writes every valid solution; one with splits=False raises "
                "InputError for solutions with split customers"
            )
        if text is None or not parses:
            continue
        parsed = _parse(partial(format.parse_solution, text, instance, NAME))
        if parsed.solution != solution:
            raise AssertionError(
                f"a solution is read as it was written: {solution!r} became {parsed.solution!r}"
            )
        if violations := validate(instance, solution, parsed.claims):
            raise AssertionError(f"what a file states is true: {violations[0].message}")
        _check_line(text, lambda bad: format.parse_solution(bad, instance, NAME))


def _check_vehicles(format: Any, parses: bool) -> None:
    solution = Solution(
        (
            Route((Visit(1, 4),), 0, 1, 1),
            Route((Visit(1, 2), Visit(3, 1)), 0, 1, 2),
            Route((Visit(2, 4), Visit(3, 4)), 1, 2),
            Route((Visit(3, 4),), 1, 1),
        )
    )
    fleet = replace(FLEET, is_globe=format.CAPABILITIES.needs_globe)
    text = _dump(format, partial(format.dump_solution, fleet, solution, None), fleet)
    if text is None:
        raise AssertionError("a format with `holds_vehicles` writes vehicle types and trips")
    if not parses:
        return
    parsed = _parse(partial(format.parse_solution, text, fleet, NAME))
    if Solution(tuple(replace(r, start=None) for r in parsed.solution.routes)) != solution:
        raise AssertionError(
            "with `holds_vehicles`, vehicle types, vehicles and trips are read as they were "
            f"written: {solution.routes!r} became {parsed.solution.routes!r}"
        )


def _marked() -> Instance:
    """An instance with a demand that is found again in a text."""
    coordinates = [(0, 0), (3, 4), (6, 8), (5, 12)]
    return Instance.create(8000, [MARKED, 90, 70], coordinates, name=NAME)


def _dump(format: Any, dump: Callable[[], Any], instance: Instance) -> Any:
    """What the format writes, or None if it refuses."""
    try:
        text = dump()
    except InputError:
        return None
    if format.CAPABILITIES.is_binary:
        if not isinstance(text, bytes):
            raise AssertionError(f"a binary format writes bytes, not {type(text).__name__}")
        return text
    if not isinstance(text, str):
        raise AssertionError(f"a format writes text, not {type(text).__name__}")
    if not isinstance(format.CAPABILITIES.encode(text, instance), bytes):
        raise AssertionError("`encode(text, instance)` of a format returns bytes")
    return text


def _parse(parse: Callable[[], Any]) -> Any:
    try:
        return parse()
    except InputError as error:
        raise AssertionError(f"a format reads what it writes: {error}") from error


def _check_line(text: str | bytes, parse: Callable[[str], object]) -> None:
    """Check that a number replaced by a word is refused with its line; in texts only."""
    if isinstance(text, bytes):
        return
    found = re.search(rf"\b{MARKED}\b", text)
    if found is None:
        return  # a format without quantities
    line = text.count("\n", 0, found.start()) + 1
    bad = text[: found.start()] + "many" + text[found.end() :]
    error = _error(parse, bad)
    if error is None or error.line != line:
        raise AssertionError(
            "a bad value raises InputError with its line: "
            f"'many' on line {line} of\n{bad}\n"
            + ("was accepted" if error is None else f"raised {error!r} with line {error.line}")
        )


def _check_bad_texts(parse: Callable[[str], object], empty: bool = False) -> None:
    for text in BAD_TEXTS:
        if _error(parse, text) is None and not (empty and not text.strip()):
            raise AssertionError(f"bad text raises InputError: {text!r} was accepted")


def _error(parse: Callable[[str], object], text: str) -> InputError | None:
    try:
        parse(text)
    except InputError as error:
        return error
    except Exception as error:
        raise AssertionError(f"bad text raises InputError: {text!r} raised {error!r}") from error
    return None
