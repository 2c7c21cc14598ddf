"""Parse and format numbers; errors say where, what was found and what is allowed."""

from __future__ import annotations

import math
from collections.abc import Iterable
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import NamedTuple

from splitroute.errors import InputError
from splitroute.formats._errors import ErrorCollector, cell_of, input_error
from splitroute.instance import Instance
from splitroute.instance.checks import MAX_QUANTITY, check_unit

MAX_DIGITS = 12  # of an integer that is below MAX_QUANTITY in any case
MAX_COUNT_DIGITS = 9  # of a number of vehicles, nodes and the like
MAX_LENGTH = 28  # characters of a number: the precision of Decimal
MAX_EXPONENT = 21  # of a number other than 0: exact arithmetic on more could fill the memory
MAX_COST_DIGITS = 300  # the range of a float
MAX_DECIMALS = 6  # of an inferred unit
MAX_EXCERPT = 30  # characters of the input in a message
# Units to infer, as multiples of the smallest: 1, 0.5, 0.25, 0.2, 0.1, 0.05, ...
UNITS = [10**6, *(m * 10**k for k in range(4, -1, -1) for m in (50, 25, 20, 10)), 5, 2, 1]

Amount = Decimal | int


class Field(NamedTuple):
    """A field of a file, as error messages name it: `demand of customer 3`."""

    name: str
    file: str = ""
    line: int | None = None
    owner: str = ""
    path: str = ""  # of the owner in a file with paths: `customers[2]`

    def named(self, name: str) -> Field:
        """Another field of the same owner."""
        # Much faster than `_replace`.
        return Field(name, self.file, self.line, self.owner, self.path)

    def error(self, text: str, allowed: str, **details: str) -> InputError:
        """Return the error that this field holds `text` instead of what is allowed."""
        label = f"{self.name} of {self.owner}" if self.owner else self.name
        field = f"{self.path}.{self.name}" if self.path else self.name
        return input_error(
            f"{label} is {excerpt(text)}; {allowed}",
            self.file,
            self.line,
            **{"field": field, "value": text, "cell": cell_of(self.line, self.name), **details},
        )


class Quantities:
    """The quantities of a file, as multiples of a given unit or of one inferred from them."""

    def __init__(self, unit: Decimal | None, errors: ErrorCollector) -> None:
        self._unit, self._errors = unit, errors
        self._amounts: list[tuple[Amount, Field]] = []

    def add(self, text: str, field: Field) -> None:
        """Parse a quantity."""
        with self._errors:
            value = parse_quantity(text, field)
            if self._unit is None:
                _check_decimals(value, field)
            self._amounts.append((value, field))

    def to_units(self) -> tuple[Decimal, list[int]]:
        """Return the unit and the quantities as multiples of it, in the order added."""
        self._errors.raise_any()
        unit = self._unit or infer_unit(value for value, _ in self._amounts)
        counts = []
        for value, field in self._amounts:
            with self._errors:
                counts.append(to_units(value, unit, field))
        self._errors.raise_any()
        return unit, counts


def parse_quantity(text: str, field: Field, *, signed: bool = False) -> Amount:
    """Return the exact value of a quantity."""
    if len(text) <= MAX_DIGITS and text.isascii() and text.isdigit() and int(text):
        return int(text)  # the usual case, ten times as fast as Decimal
    is_positive = field.name in ("capacity", "lot", "unit")
    allowed = "it must be a number"
    if not signed:
        allowed += " above 0" if is_positive else " of at least 0"
    try:
        value = Decimal(ascii_number(text))
    except (InvalidOperation, ValueError):
        raise field.error(text, allowed) from None
    if not value.is_finite() or (value < 0 and not signed) or (value == 0 and is_positive):
        raise field.error(text, allowed)
    if value.is_zero():
        return 0
    if value.adjusted() > MAX_EXPONENT:
        raise field.error(text, f"it must be at most {MAX_QUANTITY}")
    if value.adjusted() < -MAX_EXPONENT or len(text) > MAX_LENGTH:
        raise field.error(text, f"it must have at most {MAX_DECIMALS} decimals")
    return value


def to_units(value: Amount, unit: Decimal, field: Field) -> int:
    """Return a quantity as a multiple of the unit."""
    if type(value) is int and unit == 1 and abs(value) <= MAX_QUANTITY:
        return value
    number = Decimal(value)
    if number.copy_abs() > MAX_QUANTITY * unit:
        raise field.error(str(number), f"it must be at most {MAX_QUANTITY * unit:f}")
    units = Fraction(number) / Fraction(unit)
    if units.denominator != 1:
        kind = "a whole number" if unit == 1 else f"a multiple of the unit, {unit}"
        # The unit is what people have to think about, whichever of the two is wrong.
        raise field.error(str(number), f"it must be {kind}", code="not_a_multiple", field="unit")
    return int(units)


def infer_unit(values: Iterable[Amount]) -> Decimal:
    """Return the largest common unit that divides all values: 1, 0.5, 0.25, 0.2, 0.1, ...

    A large unit loses nothing: some optimal solution delivers in multiples of whatever divides all
    demands and the capacity.
    """
    fractions = {value for value in values if isinstance(value, Decimal)}
    divisor = math.gcd(*(int(value.scaleb(MAX_DECIMALS)) for value in fractions))
    unit = next(unit for unit in UNITS if divisor % unit == 0)
    return Decimal(1) if unit == UNITS[0] else Decimal(unit).scaleb(-MAX_DECIMALS).normalize()


def _check_decimals(value: Amount, field: Field) -> None:
    """Raise if the value has too many decimals to infer a unit."""
    # `normalize` gives multiples of 10 a positive exponent.
    exponent = value.normalize().as_tuple().exponent if isinstance(value, Decimal) else 0
    if isinstance(exponent, int) and exponent < -MAX_DECIMALS:
        allowed = f"it must have at most {MAX_DECIMALS} decimals unless `unit` is given"
        raise field.error(str(value), allowed)


def parse_count(text: str, field: Field, minimum: int = 1) -> int:
    """Return a whole number of at least the minimum."""
    is_count = text.isascii() and text.isdigit() and len(text) <= MAX_COUNT_DIGITS
    if not is_count or int(text) < minimum:
        largest = 10**MAX_COUNT_DIGITS - 1
        raise field.error(text, f"it must be a whole number from {minimum} to {largest}")
    return int(text)


def parse_unit(text: str, field: Field) -> Decimal:
    """Return a unit within the range allowed."""
    value = Decimal(parse_quantity(text, field))
    try:
        return check_unit(value)
    except InputError as error:
        raise input_error(error.message, field.file, field.line, field="unit", value=text) from None


def parse_cost(text: str, field: Field) -> Decimal:
    """Return a cost with the decimals that the file states."""
    if len(text) <= MAX_COST_DIGITS:
        try:
            value = Decimal(ascii_number(text))
            if value.is_finite() and value >= 0 and abs(value.adjusted()) <= MAX_COST_DIGITS:
                return value
        except (InvalidOperation, ValueError):
            pass
    raise field.error(text, "it must be a number of at least 0")


def parse_coordinate(text: str, field: Field) -> float:
    """Return a finite number."""
    try:
        value = float(ascii_number(text))
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise field.error(text, "it must be a finite number")
    return value


def ascii_number(text: str) -> str:
    """Return the text, or raise a ValueError if Python alone would take it for a number."""
    # It accepts 1_000 and the digits of other scripts, which in a file hint at a mistake.
    if "_" in text or not text.isascii():
        raise ValueError
    return text


def finite(value: object) -> float | None:
    """Return a value that may be anything as a float, if it is a finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def format_float(value: float) -> str:
    """Shortest text that reads back as the same number, without a trailing `.0`."""
    return repr(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def format_quantity(instance: Instance, amount: int) -> str:
    """A quantity in the user's units, exact and without an exponent."""
    return f"{(amount * instance.unit).normalize():f}"


def excerpt(text: str) -> str:
    """The input as a message quotes it: shortened, and never invisible."""
    if not text.strip():
        return "empty"
    return text if len(text) <= MAX_EXCERPT else f"{text[:MAX_EXCERPT]}..."
