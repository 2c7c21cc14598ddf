"""Every rule, engine and format of the registry keeps its contract."""

import pytest

from splitroute import engines, formats, rules
from splitroute.engines import capabilities_of
from splitroute.registry import load, names
from splitroute.testing import check_engine, check_format, check_rule


@pytest.mark.parametrize("name", names(rules))
def test_rule(name: str) -> None:
    check_rule(load(rules, name).run)


# The program of vrph is not everywhere; tests/engines/test_vrph.py has a stand-in for it.
@pytest.mark.parametrize("name", [name for name in names(engines) if name != "vrph"])
def test_engine(name: str) -> None:
    engine = load(engines, name)
    check_engine(engine.run, capabilities_of(engine))


@pytest.mark.parametrize("name", names(formats))
def test_format(name: str) -> None:
    check_format(load(formats, name))
