"""Times for messages: exact, or rounded to be compared; `report` rounds those in reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from splitroute.instance import Instance

DECIMALS = (2, 4, 6, 8)


def time_text(instance: Instance, time: float) -> str:
    """A point in time: 08:30 by the clock, or else a number."""
    return clock_text(time) if instance.clock else f"{time:.10g}"


def clock_text(time: float) -> str:
    """Minutes after midnight by the clock: 08:30, with seconds if they are not 0."""
    total = round(time * 60)
    hours, seconds = divmod(abs(total), 3600)
    text = f"{'-' if total < 0 else ''}{hours:02}:{seconds // 60:02}"
    return f"{text}:{seconds % 60:02}" if seconds % 60 else text


def duration_text(instance: Instance, duration: float) -> str:
    """A length of time: 40 minutes by the clock, or else a number."""
    return _with_unit(instance, f"{duration:.6g}")


def number_texts(*numbers: float) -> list[str]:
    """Numbers to compare: in two decimals, or in more if these do not tell them apart."""
    for decimals in DECIMALS:
        texts = [f"{n:.{decimals}f}".rstrip("0").rstrip(".") for n in numbers]
        if len(set(texts)) == len(numbers):
            break
    return texts


def time_texts(instance: Instance, *times: float) -> list[str]:
    """Points in time to compare."""
    if instance.clock:
        return [time_text(instance, time) for time in times]
    return number_texts(*times)


def duration_texts(instance: Instance, *durations: float) -> list[str]:
    """Lengths of time to compare."""
    return [_with_unit(instance, text) for text in number_texts(*durations)]


def _with_unit(instance: Instance, duration: str) -> str:
    unit = "minute" if duration == "1" else "minutes"
    return f"{duration} {unit}" if instance.clock else duration
