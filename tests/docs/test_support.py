"""The tables of supported rules follow the declarations of engines and bounds."""

from support_tables import MARKERS, PAGE, support_tables


def test_the_tables_of_supported_rules_are_current() -> None:
    [written] = MARKERS.findall(PAGE.read_text())
    assert written == support_tables(), "run: python tests/support_tables.py"
