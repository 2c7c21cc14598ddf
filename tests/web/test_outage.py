"""Database outages in the log."""

from __future__ import annotations

import pytest
from sqlalchemy.exc import OperationalError

from fakes import Clock
from splitroute.web.outage import REMINDER_SECONDS, Outage


def test_an_outage_is_logged_once_with_its_reason(caplog: pytest.LogCaptureFixture) -> None:
    clock = Clock()
    outage = Outage(clock)
    error = OperationalError("select", {}, Exception("disk full\nHINT: buy one"))
    for _ in range(100):
        outage.report(error)
        clock.now += REMINDER_SECONDS / 200
    assert [r.getMessage() for r in caplog.records] == ["database unavailable: disk full"]
    clock.now += REMINDER_SECONDS
    outage.report(error)
    assert len(caplog.records) == 2, "a reminder"
    outage.end()
    outage.end()
    assert [r.getMessage() for r in caplog.records[2:]] == ["database available again"]
    for _ in range(100):  # it comes and goes
        outage.report(error)
        outage.end()
    assert len(caplog.records) == 3
