"""Which column of a table holds what: by its title, or as the user maps it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from splitroute.errors import InputError
from splitroute.formats import _column_names as titles_of
from splitroute.formats._column_hints import assignments
from splitroute.formats._column_names import Ranks
from splitroute.formats._errors import ErrorCollector, SheetRow, warn
from splitroute.formats._numbers import excerpt

REQUIRED = {  # columns as messages name them
    "id": "id (or customer, name)",
    "demand": "demand (or quantity, qty)",
    "y": "y (or lat, lon)",
}
COORDINATES = {"x", "y", "lat", "lon"}
MAX_TITLES = 100  # characters of the titles that a message lists
NUMBERED = ("open", "close")  # windows: open2, Öffnung 2, Zeitfenster 2 von
NUMBER = re.compile(r"\d+")
BRACKETS = re.compile(r"[(\[{<]([^)\]}>]*)[)\]}>]")
UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})


class Known(NamedTuple):
    """The column that a title names, and the rank of that name."""

    key: str
    rank: int


def simplified(text: str) -> str:
    """Letters and digits, without accents, of the part outside of brackets."""
    text = unicodedata.normalize("NFKD", BRACKETS.sub(" ", text).casefold())
    return "".join(letter for letter in text if letter.isalnum())


def unit_of(title: str) -> str:
    """The unit in brackets, if there is one: kg in `Menge (kg)`."""
    found = BRACKETS.search(title)
    return found[1].strip().casefold().rstrip(".") if found else ""


class Names:
    """Recognises the titles of one kind of table."""

    def __init__(self, ranks: Mapping[str, Ranks], *, is_mappable: bool = True) -> None:
        self.keys = tuple(ranks)
        self.is_mappable = is_mappable  # whether users may map the columns
        self._known: dict[str, Known] = {}
        for key, names in ranks.items():
            for rank, text in enumerate(names):
                for name in [*text.split(","), *[key] * (rank == 0)]:
                    for form in (name, name.lower().translate(UMLAUTS)):
                        self._known.setdefault(simplified(form), Known(key, rank))

    def find(self, title: str) -> Known | None:
        """The column that a title names, if any: `open2` for a second window."""
        name = simplified(title)
        if name in self._known:
            return self._known[name]
        numbers = NUMBER.findall(name)
        base = self._known.get(NUMBER.sub("", name)) if len(numbers) == 1 else None
        if base is None or base.key not in NUMBERED or len(numbers[0]) > 2:
            return None
        number = int(numbers[0])
        return base if number <= 1 else Known(f"{base.key}{number}", base.rank)

    def has(self, key: str) -> bool:
        """Whether tables of this kind may have such a column."""
        base = NUMBER.sub("", key)
        return key in self.keys or (base in NUMBERED and base in self.keys)


@cache
def customer_names() -> Names:
    """Titles of tables of customers."""
    return Names(titles_of.CUSTOMER_NAMES)


@cache
def depot_names() -> Names:
    """Titles of tables of depots."""
    return Names(titles_of.DEPOT_NAMES)


@cache
def vehicle_names() -> Names:
    """Titles of tables of vehicle types."""
    return Names(titles_of.VEHICLE_NAMES)


@cache
def visit_names() -> Names:
    """Titles of tables of visits."""
    return Names(titles_of.VISIT_NAMES, is_mappable=False)


class Columns:
    """The columns of a table."""

    def __init__(
        self,
        titles: Sequence[str],
        names: Names,
        mapping: Mapping[str, str],
        line: int,
        errors: ErrorCollector,
        rows: Iterable[tuple[int, list[str]]] = (),
    ) -> None:
        self.titles, self._line, self._errors = titles, line, errors
        self._rows, self._is_mappable = rows, names.is_mappable
        self.mapped = _mapped(titles, mapping)
        taken = set(self.mapped.values())
        self._known = [None if k in taken else names.find(t) for k, t in enumerate(titles)]

    def key(self, index: int) -> str | None:
        """What a column holds by its title."""
        known = self._known[index]
        return None if known is None else known.key

    def rank(self, index: int) -> int:
        """The rank of the name of a column; 0 if the user named it."""
        known = self._known[index]
        return 0 if known is None else known.rank

    @property
    def recognized(self) -> dict[str, int]:
        """The first column for each key."""
        found = dict(self.mapped)
        for known in self._known:
            if known is not None and known.key not in found:
                found[known.key] = self.find(known.key)[0]
        return found

    def find(self, key: str) -> list[int]:
        """Columns for a key: the mapped one, or those with names of the first rank there is."""
        if key in self.mapped:
            return [self.mapped[key]]
        ranks = [k.rank for k in self._known if k is not None and k.key == key]
        exact = [k for k, title in enumerate(self.titles) if title.lower() == key]
        if not ranks:
            return [k for k in exact if k not in self.mapped.values()]
        return [k for k, known in enumerate(self._known) if known == Known(key, min(ranks))]

    def require(self, *keys: str) -> list[int]:
        """Return the index of the column for each key; raise if one is missing or ambiguous."""
        indices = {key: self.find(key) for key in keys}
        if missing := [key for key, found in indices.items() if not found]:
            self._errors.add(
                f"no column {', '.join(map(repr, missing))}; required: "
                f"{', '.join(REQUIRED.get(key, key) for key in keys)}; found: {self._found()}"
                + self._hint(missing, keys),
                self._line,
                field=missing[0],
                **({"code": "no_column"} if self._is_mappable else {}),
            )
        for key, found in indices.items():
            if len(found) > 1:
                self._add_ambiguous(key, found)
        if any(len(found) != 1 for found in indices.values()):
            self._errors.raise_any()
        return [found[0] for found in indices.values()]

    def _hint(self, missing: Sequence[str], keys: Sequence[str]) -> str:
        """What to do about missing columns."""
        if len(self.titles) == 1 and not isinstance(self._line, SheetRow):
            return "; commas, semicolons or tabs separate columns"
        if not self._is_mappable:
            return ""
        titles = {
            k: simplified(title)
            for k, title in enumerate(self.titles)
            if self.key(k) is None and k not in self.mapped.values() and simplified(title)
        }
        found = assignments(missing, titles, self._rows)
        examples = ",".join(f"{key}={excerpt(self.titles[k])}" for key, k in found.items())
        needs_places = "demand" in keys and len(missing) == len({*missing} & COORDINATES) == 2
        hint = "; or pass `matrix` instead of coordinates" * needs_places
        hint += "; assign other columns with `columns`" * bool(titles)
        return hint + (f", such as {examples}" if examples else "")

    def optional(self, keys: Iterable[str]) -> dict[str, int]:
        """Return the index of the column for each key that has one, in the order of the titles."""
        found = {key: self.find(key) for key in keys}
        for key, indices in found.items():
            if len(indices) > 1:
                self._add_ambiguous(key, indices)
        pairs = ((key, indices[0]) for key, indices in found.items() if indices)
        return dict(sorted(pairs, key=lambda pair: pair[1]))

    def pairs(self) -> dict[str, int]:
        """Return the columns open, close, open2, close2 and so on in pairs, and that of windows."""
        found = [key for key in self.recognized if NUMBER.sub("", key) in NUMBERED]
        pairs = []
        for key in sorted(found):
            other = key.replace("open", "close") if "open" in key else key.replace("close", "open")
            title = self.titles[self.find(key)[0]]
            if other in found:
                pairs.append(key)
            elif key in self.mapped or title.lower().replace(" ", "") == key:
                message = f"column {title!r} without {other!r}; they go together"
                self._errors.add(message, self._line, field=other)
            else:  # German `ab` has other meanings
                message = f"column {excerpt(title)!r} is a note, as there is no column {other!r}"
                warn(message, self._errors.file, self._line, field=key)
        return self.optional([*pairs, "windows"])

    def check_mapped(self, mapping: Mapping[str, str], keys: Iterable[str]) -> None:
        """Record an error for each of these keys whose title is not in the table."""
        for key in keys:
            count = sum(title.strip() == mapping[key].strip() for title in self.titles)
            if key not in self.mapped or count > 1:
                message = f"{count or 'no'} column{'s' * (count > 1)} {mapping[key]!r}"
                message += f", given as {key}; found: {self._found()}"
                self._errors.add(message, self._line, field="columns", value=mapping[key])

    def warn_about_choice(self, key: str) -> None:
        """Warn if a column of a later rank could have been meant too."""
        if key in self.mapped:
            return
        [chosen] = self.find(key)
        others = [k for k in range(len(self.titles)) if self.key(k) == key and k != chosen]
        if others and simplified(self.titles[chosen]) != key:
            names = ", ".join(repr(excerpt(self.titles[k])) for k in others)
            message = f"{key} is the column {excerpt(self.titles[chosen])!r}, not {names}"
            warn(message, self._errors.file, self._line, field="columns")

    def _add_ambiguous(self, key: str, found: Sequence[int]) -> None:
        titles = " and ".join(repr(excerpt(self.titles[k])) for k in found)
        example = f"{key}={excerpt(self.titles[found[0]])}"
        choice = f", or choose one with `columns`, such as {example}" if self._is_mappable else ""
        self._errors.add(
            f"{len(found)} columns for {key}: {titles}; rename all but one{choice}",
            self._line,
            field=key,
            **({"code": "ambiguous_column"} if self._is_mappable else {}),
        )

    def _found(self) -> str:
        """The titles as a message lists them, with what they were recognised as; not too many."""
        text = ""
        keys = {index: key for key, index in self.recognized.items()}
        for k, title in enumerate(self.titles):
            meaning = "" if keys.get(k, title.lower()) == title.lower() else f" ({keys[k]})"
            text += f"{', ' if k else ''}{excerpt(title)}{meaning}"
            if len(text) > MAX_TITLES and k + 1 < len(self.titles):
                return f"{text}, ..."
        return text or "nothing"


def _mapped(titles: Sequence[str], mapping: Mapping[str, str]) -> dict[str, int]:
    """The columns that the user names, if the table has them; exact titles come first."""
    found: dict[str, int] = {}
    for key, wanted in mapping.items():
        exact = [k for k, title in enumerate(titles) if title.strip() == wanted.strip()]
        alike = [k for k, title in enumerate(titles) if simplified(title) == simplified(wanted)]
        if indices := exact or alike:
            found[key] = indices[0]
    return found


def check_keys(mapping: Mapping[str, str], has_fleet: bool) -> None:
    """Raise unless columns are called so in some kind of table that there is."""
    tables = [customer_names(), depot_names()]
    known = [*customer_names().keys, *vehicle_names().keys]
    for key in mapping:
        if any(names.has(key) for names in [*tables, *[vehicle_names()] * has_fleet]):
            continue
        if vehicle_names().has(key):
            message = f"{key!r} is a column of vehicle types, and there is no table of these"
        else:
            message = f"unknown column {key!r}; known: {', '.join(dict.fromkeys(known))}"
        raise InputError(message, field="columns", value=key)
