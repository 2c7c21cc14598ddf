"""Exact times for messages and files; `report` rounds those for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from splitroute.instance import Instance


def time_text(instance: Instance, time: float) -> str:
    """A point in time: 08:30 by the clock, or else a number."""
    if not instance.clock:
        return f"{time:.10g}"
    hours, seconds = divmod(round(time * 60), 3600)
    text = f"{hours:02}:{seconds // 60:02}"
    return f"{text}:{seconds % 60:02}" if seconds % 60 else text


def duration_text(instance: Instance, duration: float) -> str:
    """A length of time: 40 minutes by the clock, or else a number."""
    text = f"{duration:.6g}"
    return text if not instance.clock else f"{text} minute{'' if text == '1' else 's'}"
