"""A release needs one version in tag, package and changelog."""

import re
import runpy
import subprocess
import sys
import tomllib
from importlib.metadata import version
from typing import Any

import pytest

import splitroute as sr
from conftest import ROOT

SCRIPT = ROOT / ".ci" / "changelog.py"
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
RELEASED = """# Changelog

What the dates mean.

## Unreleased

## 1.2.0 - 2026-11-20

### Added

- A rule.

## 1.1.0 - 2026-11-16

- An engine.
"""


@pytest.fixture(scope="module")
def notes() -> Any:
    return runpy.run_path(str(SCRIPT))["notes"]


def test_the_notes_are_the_section_of_the_release(notes: Any) -> None:
    expected = "### Added\n\n- A rule."
    assert notes("v1.2.0", "1.2.0", RELEASED) == expected
    assert notes("v1.2.0", "1.2.0", RELEASED.replace("## Unreleased\n\n", "")) == expected


@pytest.mark.parametrize(
    ("tag", "package", "old", "new", "message"),
    [
        ("v1.2.1", "1.2.0", "", "", "tag is v1.2.1, but the version in pyproject.toml is 1.2.0"),
        ("1.2.0", "1.2.0", "", "", "the tag is 1.2.0, but"),
        ("v1.3.0", "1.3.0", "", "", "begins with 1.2.0, but the tag is v1.3.0"),
        ("v1.1.0", "1.1.0", "", "", "begins with 1.2.0, but the tag is v1.1.0"),
        ("v1.2.0", "1.2.0", "## Unreleased\n", "## Unreleased\n\n- A format.\n", "Unreleased"),
        ("v1.2.0", "1.2.0", " - 2026-11-20", "", "expected '1.2.0 - YYYY-MM-DD'"),
        ("v1.2.0", "1.2.0", "### Added\n\n- A rule.\n", "", "says nothing about 1.2.0"),
        ("v1.2.0", "1.2.0", RELEASED, "# Changelog\n", "begins with 'nothing'"),
    ],
)
def test_disagreement_is_an_error(
    notes: Any, tag: str, package: str, old: str, new: str, message: str
) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        notes(tag, package, RELEASED.replace(old, new, 1))


def test_the_script_refuses_a_tag_of_another_version() -> None:
    done = subprocess.run(
        [sys.executable, SCRIPT, "v0.0.1"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert "the tag is v0.0.1" in done.stderr


def test_the_version_is_in_one_place() -> None:
    assert sr.__version__ == version("splitroute") == VERSION
    assert "\nversion:" not in (ROOT / "CITATION.cff").read_text()


def test_the_last_dated_section_is_of_this_version() -> None:
    dated = re.findall(r"^## (\S+) - \d{4}-\d\d-\d\d$", (ROOT / "CHANGELOG.md").read_text(), re.M)
    assert dated[0] == VERSION
