"""The tables of which engine and which lower bound takes which rule into account.

`python tests/support_tables.py` writes them into docs/explanation/rules.md, from the declarations.
"""

from __future__ import annotations

import re
from pathlib import Path

from splitroute.bounds import radial, surrogate
from splitroute.engines import declared_capabilities
from splitroute.instance.rules import (
    CUSTOMER_RULES,
    INSTANCE_RULES,
    RULES,
    SPLIT_RULES,
    VEHICLE_RULES,
)

PAGE = Path(__file__).parents[1] / "docs" / "explanation" / "rules.md"
MARKERS = re.compile(r"(?<=<!-- support:start -->\n).*(?=<!-- support:end -->)", re.S)
OWNERS = {"customer": CUSTOMER_RULES, "vehicle type": VEHICLE_RULES, "instance": INSTANCE_RULES}
BOUNDS = {"radial bound": radial.RULES, "relaxation": surrogate.RULES}


def support_tables() -> str:
    """Return the tables in Markdown."""
    declared = {f"`{name}`": c for name, c in declared_capabilities().items()}
    with_rules = {name: c.rules for name, c in declared.items() if c.rules}
    without = {name: c for name, c in declared.items() if not c.rules}
    # They take no split plan, so that no rule can be met by one.
    none = ", ".join(name for name, c in without.items() if c.requires_splitting)
    others = ", ".join(name for name, c in without.items() if not c.requires_splitting)
    columns = with_rules | {"other engines": frozenset()} | BOUNDS
    lines = [f"| of | rule | {' | '.join(columns)} |", "|---|---|" + ":-:|" * len(columns)]
    for owner, rules in OWNERS.items():
        for rule in rules:
            cells = [_cell(name, rule, supported) for name, supported in columns.items()]
            lines.append(f"| {owner} | `{rule}` | {' | '.join(cells)} |")
    assert sum(len(rules) for rules in OWNERS.values()) == len(RULES)
    return "\n".join(["", *lines, "", f"Other engines: {others}. No rules at all: {none}.", ""])


def _cell(name: str, rule: str, supported: frozenset[str]) -> str:
    if rule in supported:
        return "yes"
    # Extra visits cost what they cost, once pieces are merged.
    is_planned = rule in SPLIT_RULES | {"extra_visit_cost"} and name not in BOUNDS
    return "plan" if is_planned else ""


if __name__ == "__main__":
    PAGE.write_text(MARKERS.sub(lambda _: support_tables(), PAGE.read_text()))
