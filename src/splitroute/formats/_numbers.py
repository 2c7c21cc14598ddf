"""Numbers out of text, with errors that say where, what was found and what is allowed."""

import math
from collections.abc import Iterable
from decimal import Decimal, InvalidOperation
from fractions import Fraction

from splitroute.errors import InputError
from splitroute.formats._faults import Faults, at
from splitroute.instance import MAX_QUANTITY, Instance, check_unit

MAX_DIGITS = 12  # of whole numbers that are surely no larger than the largest quantity
MAX_LENGTH = 28  # characters of a number, which is what Decimal works with exactly
MAX_EXPONENT = 21  # of a number that is not 0: beyond it exact arithmetic could fill the memory
MAX_COST = 300  # digits of a cost that is stated: what a float can be
MAX_DECIMALS = 6  # of the finest unit that is inferred
# The units that are inferred, in multiples of the finest: 1, 0.5, 0.25, 0.2, 0.1, 0.05, ...
UNITS = [10**6, *(m * 10**k for k in range(4, -1, -1) for m in (50, 25, 20, 10)), 5, 2, 1]

Amount = Decimal | int


class Quantities:
    """The quantities of a file, as multiples of a unit that is given or follows from them."""

    def __init__(self, file: str, unit: Decimal | None, faults: Faults) -> None:
        self._file, self._unit, self._faults = file, unit, faults
        self._known: list[tuple[Amount, str, int | None]] = []

    def add(self, text: str, what: str, line: int | None = None) -> None:
        """Reads one; `what` begins with its kind: demand of ..."""
        with self._faults:
            value = amount(text, what, self._file, line)
            if self._unit is None:
                _check_decimals(value, what, self._file, line)
            self._known.append((value, what, line))

    def whole(self) -> tuple[Decimal, list[int]]:
        """The unit, and how many units each is, in the order in which they were added."""
        self._faults.check()
        unit = self._unit or inferred_unit(value for value, _, _ in self._known)
        counts = []
        for value, what, line in self._known:
            with self._faults:
                counts.append(whole(value, unit, what, self._file, line))
        self._faults.check()
        return unit, counts


def amount(
    text: str, what: str, file: str, line: int | None = None, *, signed: bool = False
) -> Amount:
    """The quantity that a text states, exactly; `what` begins with its kind: demand of ..."""
    if len(text) <= MAX_DIGITS and text.isascii() and text.isdigit() and int(text):
        return int(text)  # as nearly all are; what follows takes ten times as long
    kind = what.partition(" ")[0]
    is_positive = kind in ("capacity", "unit")
    allowed = f"a {kind} is a number"
    if not signed:
        allowed += " above 0" if is_positive else " of at least 0"

    def wrong(how: str) -> InputError:
        the = "the " if is_positive else ""
        said = f"{at(file, line)}{the}{what} is {shown(text)}{how}"
        return InputError(said, field=kind, line=line, value=text)

    try:
        value = Decimal(_ascii(text))
    except (InvalidOperation, ValueError):
        raise wrong(f", not a number; {allowed}") from None
    if not value.is_finite() or (value < 0 and not signed) or (value == 0 and is_positive):
        raise wrong(f"; {allowed}")
    if value.is_zero():
        return 0
    if value.adjusted() > MAX_EXPONENT:
        raise wrong(f"; the largest {kind} allowed is {MAX_QUANTITY}")
    if value.adjusted() < -MAX_EXPONENT or len(text) > MAX_LENGTH:
        raise wrong(f"; a {kind} has at most {MAX_DECIMALS} decimals")
    return value


def whole(value: Amount, unit: Decimal, what: str, file: str, line: int | None = None) -> int:
    """How many units that is; exact, or an error."""
    if type(value) is int and unit == 1 and abs(value) <= MAX_QUANTITY:
        return value
    kind = what.partition(" ")[0]
    number = Decimal(value)
    said = f"{at(file, line)}{what} is {number}"
    if number.copy_abs() > MAX_QUANTITY * unit:
        largest = f"; the largest {kind} allowed is {MAX_QUANTITY * unit:f}"
        raise InputError(said + largest, field=kind, line=line, value=str(number))
    units = Fraction(number) / Fraction(unit)
    if units.denominator != 1:
        allowed = (
            f"a {kind} is a {'whole number' if unit == 1 else f'multiple of {unit}, the unit'}"
        )
        # Whichever of both is wrong, it is the unit that people have to think about.
        raise InputError(
            f"{said}; {allowed}", code="not_a_multiple", field="unit", line=line, value=str(number)
        )
    return int(units)


def inferred_unit(values: Iterable[Amount]) -> Decimal:
    """The largest of the usual units that all values are multiples of: 1, 0.5, 0.25, 0.2, 0.1, ...

    Nothing is lost with a large one: some best solution delivers in multiples of whatever divides
    all demands and the capacity.
    """
    fractions = {value for value in values if isinstance(value, Decimal)}
    common = math.gcd(*(int(value.scaleb(MAX_DECIMALS)) for value in fractions))
    unit = next(unit for unit in UNITS if common % unit == 0)
    return Decimal(1) if unit == UNITS[0] else Decimal(unit).scaleb(-MAX_DECIMALS).normalize()


def _check_decimals(value: Amount, what: str, file: str, line: int | None) -> None:
    """Raises if the value is too fine for a unit to be inferred."""
    # Multiples of 10 keep their exponent in normalize, so that only what is below 0 are decimals.
    exponent = value.normalize().as_tuple().exponent if isinstance(value, Decimal) else 0
    if isinstance(exponent, int) and exponent < -MAX_DECIMALS:
        raise InputError(
            f"{at(file, line)}{what} is {shown(str(value))}; it has more than {MAX_DECIMALS} "
            "decimals: round it, or state the unit that it is a multiple of",
            field=what.partition(" ")[0],
            line=line,
            value=str(value),
        )


def unit_of(text: str, file: str, line: int | None = None) -> Decimal:
    """A unit that is stated."""
    value = Decimal(amount(text, "unit", file, line))
    try:
        return check_unit(value)
    except InputError as error:
        message = f"{at(file, line)}{error}"
        raise InputError(message, field="unit", line=line, value=text) from None


def stated_cost(text: str, file: str, line: int | None = None) -> Decimal:
    """A cost that a solution is said to have, with as many decimals as it has."""
    if len(text) <= MAX_COST:
        try:
            value = Decimal(_ascii(text))
            if value.is_finite() and value >= 0 and abs(value.adjusted()) <= MAX_COST:
                return value
        except (InvalidOperation, ValueError):
            pass
    said = f"{at(file, line)}the cost is {shown(text)}; it is a number of at least 0"
    raise InputError(said, field="cost", line=line, value=text)


def coordinate(text: str, what: str, file: str, line: int | None = None) -> float:
    """A finite number."""
    try:
        value = float(_ascii(text))
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InputError(
            f"{at(file, line)}{what} is {shown(text)}; coordinates are finite numbers",
            field=what.partition(" ")[0],
            line=line,
            value=text,
        )
    return value


def _ascii(text: str) -> str:
    # Python also takes 1_000 and the digits of other scripts for numbers; a file that has them is
    # more likely not what it seems.
    if "_" in text or not text.isascii():
        raise ValueError
    return text


def short(value: float) -> str:
    """The shortest text that reads back as the same number, without a needless fraction."""
    return repr(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def plain(instance: Instance, amount: int) -> str:
    """An amount as files hold it: in the user's units, exact, without an exponent."""
    return f"{(amount * instance.unit).normalize():f}"


def shown(text: str) -> str:
    """What was found, short enough for a message and never invisible."""
    if not text.strip():
        return "empty"
    return text if len(text) <= 30 else f"{text[:30]}..."
