"""Numbers out of text, with errors that say where, what was found and what is allowed."""

import math
from decimal import Decimal, InvalidOperation
from fractions import Fraction

from splitroute.errors import InputError
from splitroute.instance import LARGEST_QUANTITY, Instance

PLAIN = 12  # digits, which are below the largest quantity


def quantity(text: str, unit: Decimal, what: str, where: str, signed: bool = False) -> int:
    """How many units the text says; exact, or an error."""
    if unit == 1 and len(text) <= PLAIN and text.isascii() and text.isdigit() and int(text):
        return int(text)  # as nearly all are; what follows takes ten times as long
    least = 1 if what == "capacity" else 0
    kind = "whole number" if unit == 1 else f"multiple of {unit}"
    allowed = f"a {what.partition(' ')[0]} is a {kind} {'above' if least else 'of at least'} 0"
    try:
        value = Decimal(_ascii(text))
    except (InvalidOperation, ValueError):
        raise InputError(f"{where}: {what} is {shown(text)}, not a number; {allowed}") from None
    if not value.is_finite() or (value < 0 and not signed) or (value == 0 and least):
        raise InputError(f"{where}: {what} is {shown(text)}; {allowed}")
    if abs(value) > LARGEST_QUANTITY * unit:
        most = LARGEST_QUANTITY * unit
        raise InputError(f"{where}: {what} is {shown(text)}; the largest allowed is {most}")
    # A number of 40 decimals is no quantity; as a fraction it could fill the memory.
    steps = Fraction(value) / Fraction(unit) if value.adjusted() > -40 else Fraction(1, 2)
    if value and steps.denominator != 1:
        hint = "; for fractions state a unit, such as --unit 0.1" if unit == 1 else ""
        raise InputError(f"{where}: {what} is {shown(text)}; {allowed}{hint}")
    return int(steps) if value else 0


def coordinate(text: str, what: str, where: str) -> float:
    """A finite number."""
    try:
        value = float(_ascii(text))
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InputError(f"{where}: {what} is {shown(text)}; coordinates are finite numbers")
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
