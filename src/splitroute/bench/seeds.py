"""Lists of seeds as text."""

from __future__ import annotations

import itertools

from splitroute.errors import InputError

MAX_SEEDS = 10_000


def parse_seeds(text: str) -> list[int]:
    """Return the distinct seeds of a text such as `1-3` or `1,5`."""
    ranges = []
    try:
        for item in filter(None, map(str.strip, text.split(","))):
            first, _, last = item.partition("-")
            ranges.append(range(int(first), int(last or first) + 1))
    except ValueError:
        ranges = []
    # Not `len`, which fails for huge ranges.
    count = sum(max(0, seeds.stop - seeds.start) for seeds in ranges)
    if not 1 <= count <= MAX_SEEDS:
        message = f"seeds is {text!r}; write for example 1-3 or 1,5, at most {MAX_SEEDS:,} seeds"
        raise InputError(message, field="seeds", value=text)
    return list(dict.fromkeys(itertools.chain(*ranges)))
