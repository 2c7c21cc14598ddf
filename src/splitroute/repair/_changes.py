"""Changes of a repair, counted by what was changed and how."""

from __future__ import annotations

from collections import Counter

from splitroute.instance import Instance
from splitroute.report import pluralize, user_quantity

UNIT = "unit"  # marks changes that count quantities
Changes = Counter[tuple[str, str]]  # by (noun, change)


def change_texts(instance: Instance, changes: Changes) -> list[str]:
    """Return a description of each kind of change."""
    return [
        f"{pluralize(user_quantity(instance, n) if noun == UNIT else n, noun)} {change}"
        for (noun, change), n in changes.items()
        if n
    ]
