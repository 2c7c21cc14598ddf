"""Contract checks for rules, engines and formats, to be called from the tests of other packages.

    def test_contract() -> None:
        check_engine(my_engine.run, my_engine.CAPABILITIES)

Each check runs tiny instances and raises AssertionError with the part of the contract that is
broken. No test framework is needed.
"""

from splitroute.testing._engines import check_engine
from splitroute.testing._formats import check_format
from splitroute.testing._rules import check_rule

__all__ = ["check_engine", "check_format", "check_rule"]
