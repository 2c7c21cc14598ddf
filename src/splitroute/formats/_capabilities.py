"""What a format can do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from splitroute.instance import Instance

Kind = Literal["instance", "solution"]
Verb = Literal["parse", "dump"]


def _encode_utf8(text: str, instance: Instance) -> bytes:
    return text.encode()


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a format can do; the defaults are those of UTF-8 files that state everything."""

    instance_suffixes: tuple[str, ...] = ()  # file extensions, such as ".csv"
    solution_suffixes: tuple[str, ...] = ()
    read_only_suffixes: tuple[str, ...] = ()  # among these, not for writing
    is_binary: bool = False  # parsers take and dumpers return bytes instead of text
    splits: bool = True  # solutions can hold split visits
    needs_coordinates: bool = False  # solutions cannot be written without
    needs_globe: bool = False  # nor without lat and lon
    needs_origin: bool = False  # nor without the request that the instance was read from
    accepts_depot: bool = False  # instances need not state their depot
    accepts_tables: bool = False  # vehicle types and depots may come from tables of their own
    instance_rules: frozenset[str] = frozenset()  # that instances can hold
    holds_vehicles: bool = False  # solutions can state vehicle types and trips
    holds_date: bool = False  # solutions can state the day of the deliveries
    recognizes: Callable[[str], bool] | None = None  # among formats with the same extension
    encode: Callable[[str, Instance], bytes] = _encode_utf8
    min_customers: Callable[[Any], int] = lambda text: 0  # a lower bound, cheaper than parsing

    def suffixes(self, kind: Kind, verb: Verb = "parse") -> tuple[str, ...]:
        """File extensions of instances or of solutions that are read or written."""
        found = self.instance_suffixes if kind == "instance" else self.solution_suffixes
        hidden = self.read_only_suffixes if verb == "dump" else ()
        return tuple(suffix for suffix in found if suffix not in hidden)


def capabilities_of(format: Any) -> Capabilities:
    """Return the capabilities that a format declares, or the defaults."""
    declared: Capabilities = getattr(format, "CAPABILITIES", Capabilities())
    return declared
