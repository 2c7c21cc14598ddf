"""The tables of supported rules follow the declarations of engines and bounds."""

from splitroute.engines import declared_capabilities
from support_tables import MARKERS, PAGE, support_tables


def test_the_tables_of_supported_rules_are_current() -> None:
    [written] = MARKERS.findall(PAGE.read_text())
    assert written == support_tables(), "run: python tests/support_tables.py"


def test_engines_that_take_no_split_plan_support_no_rule() -> None:
    names = [n for n, c in declared_capabilities().items() if c.requires_splitting and not c.rules]
    column, none = support_tables().split("Other engines: ")[1].split("No rules at all: ")
    assert names
    assert all(f"`{name}`" in none and f"`{name}`" not in column for name in names)
