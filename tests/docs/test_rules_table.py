"""The table of rules in the docs agrees with what engines and bounds declare."""

from pathlib import Path

from splitroute.bounds import radial, surrogate
from splitroute.engines import declared_capabilities
from splitroute.instance.rules import RULES

PAGE = Path(__file__).parents[2] / "docs/howto/choose-an-engine.md"


def rules_table() -> str:
    """The rules that each engine and each lower bound supports."""
    columns = {f"`{n}`": c.rules for n, c in declared_capabilities().items() if c.rules}
    columns |= {"quick bound": radial.RULES, "bound with time": surrogate.RULES}
    rows = [["rule", *columns], ["---"] * (len(columns) + 1)]
    for rule in RULES:
        rows.append([f"`{rule}`", *("yes" if rule in known else "" for known in columns.values())])
    return "".join(f"| {' | '.join(row)} |".replace("  |", " |") + "\n" for row in rows)


def test_the_table_of_rules_is_the_declared_one() -> None:
    assert rules_table() in PAGE.read_text(), f"write this table:\n{rules_table()}"
