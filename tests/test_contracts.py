"""Every rule, engine and format of the registry keeps its contract."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from splitroute import engines, formats, rules
from splitroute.engines import _supervised, capabilities_of
from splitroute.processes.calls import Message, Raised, Returned
from splitroute.processes.child import ChildProcess
from splitroute.registry import load, names
from splitroute.testing import check_engine, check_format, check_rule


@pytest.mark.parametrize("name", names(rules))
def test_rule(name: str) -> None:
    check_rule(load(rules, name).run)


class ReusedChild(ChildProcess):
    """A child process for one search after the other, as long as they end by themselves."""

    _is_idle = True

    def call(self, *arguments: Any, **options: Any) -> None:
        self._is_idle = False
        super().call(*arguments, **options)

    def get(self, timeout: float | None = None) -> Message:
        message = super().get(timeout)
        self._is_idle = isinstance(message, Returned | Raised)
        return message

    def __exit__(self, *_: object) -> None:
        if not self._is_idle:
            self.close()


@pytest.fixture
def reused_child(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Imports take most of the time of a tiny search, so one child runs them all."""
    children: list[ReusedChild] = []

    def child() -> ReusedChild:
        if not children or not children[-1].is_usable:
            children.append(ReusedChild())
        return children[-1]

    monkeypatch.setattr(_supervised, "ChildProcess", child)
    yield
    for used in children:
        used.close()


# The program of vrph is not everywhere; tests/engines/test_vrph.py has a stand-in for it.
@pytest.mark.parametrize("name", [name for name in names(engines) if name != "vrph"])
def test_engine(name: str, reused_child: None) -> None:
    engine = load(engines, name)
    check_engine(engine.run, capabilities_of(engine), seconds=0.1)


@pytest.mark.parametrize("name", names(formats))
def test_format(name: str) -> None:
    check_format(load(formats, name))
