"""What `make audit` makes of the answers of pip-audit and npm audit."""

import importlib.util
import json
import sys
from types import ModuleType

import pytest

from conftest import ROOT

SKIPPED = {"name": "a", "skip_reason": "Dependency not found"}
FINE = {"name": "b", "version": "1.0", "vulns": []}
WORSE = {"name": "c", "version": "2.0", "vulns": [{"id": "CVE-1", "fix_versions": ["2.1"]}]}


@pytest.fixture
def audit(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    spec = importlib.util.spec_from_file_location("audit", ROOT / ".ci" / "audit.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "audit", module)  # dataclasses look themselves up there
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("packages", "found", "summary"),
    [
        ([FINE], [], "1 packages checked, 0 known vulnerabilities"),
        (
            [SKIPPED, FINE, WORSE],
            ["c 2.0: CVE-1, fixed in 2.1"],
            "2 packages checked (no advisories for a), 1 known vulnerabilities",
        ),
        ([SKIPPED], [], "NOT CHECKED, the advisories cannot be reached"),
    ],
)
def test_python(audit: ModuleType, packages: object, found: list[str], summary: str) -> None:
    report = audit.of_pip(json.dumps({"dependencies": packages, "fixes": []}))
    assert (report.found, report.summary) == (found, summary)


def test_page(audit: ModuleType) -> None:
    counted = {"dependencies": {"total": 40}}
    fine = audit.of_npm(json.dumps({"vulnerabilities": {}, "metadata": counted}))
    assert (fine.found, fine.summary) == ([], "40 packages checked, 0 known vulnerabilities")
    worse = audit.of_npm(
        json.dumps({"vulnerabilities": {"a": {"severity": "high"}}, "metadata": counted})
    )
    assert worse.found == ["a: high"]


@pytest.mark.parametrize("written", ["", "Traceback", '{"message": "405 Method Not Allowed"}'])
def test_no_answer_is_no_all_clear(audit: ModuleType, written: str) -> None:
    for report in (audit.of_pip(written), audit.of_npm(written)):
        assert not report.found
        assert report.summary.startswith("NOT CHECKED")
