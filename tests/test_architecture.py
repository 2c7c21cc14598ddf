"""Rules about the source that no other tool checks."""

import re

from conftest import ROOT

SOURCE = ROOT / "src" / "splitroute"
ALLOWED = {
    "bounds/relaxation.py",
    "core.py",
    "distances.py",
    "engines/hybrid.py",
    "engines/native.py",
    "engines/rtr.py",
}


def test_only_what_is_hot_imports_the_compiled_core() -> None:
    imports = re.compile(r"^\s*(from splitroute import .*\b_core\b|.*splitroute\._core)", re.M)
    users = {
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*.py")
        if imports.search(path.read_text())
    }
    assert users
    assert users <= ALLOWED
