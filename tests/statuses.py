"""HiGHS with numerical trouble."""

import highspy
import pytest

REAL = highspy.Highs.getModelStatus


def inject(monkeypatch: pytest.MonkeyPatch, statuses: list[str]) -> list[str]:
    """Make the next runs of HiGHS end with these statuses; return the list that shrinks."""
    left = list(statuses)

    def status(solver: highspy.Highs) -> highspy.HighsModelStatus:
        return highspy.HighsModelStatus.__members__[left.pop(0)] if left else REAL(solver)

    monkeypatch.setattr(highspy.Highs, "getModelStatus", status)
    return left
