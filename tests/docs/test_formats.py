"""The tables of file formats list every format with its endings."""

import re

import pytest

from conftest import ROOT
from splitroute import formats
from splitroute.formats._capabilities import Kind, capabilities_of
from splitroute.registry import load, names

PAGE = ROOT / "docs" / "howto" / "file-formats.md"


@pytest.mark.parametrize("kind", ["instance", "solution"])
def test_the_tables_of_formats_are_current(kind: Kind) -> None:
    section = PAGE.read_text().split(f"## {kind.title()}s\n")[1].split("\n## ")[0]
    documented: dict[str, set[str]] = {}
    for cells in re.findall(r"^\| (`[^|]+) \| (`\.[^|]+) \|", section, re.MULTILINE):
        listed, endings = (re.findall("`(.*?)`", cell) for cell in cells)
        documented |= {name: {e for e in endings if len(listed) == 1 or e[1:] == name}
                       for name in listed}  # fmt: skip
    modules = {name: capabilities_of(load(formats, name)) for name in names(formats)}
    declared = {name: {*c.suffixes(kind)} for name, c in modules.items() if c.suffixes(kind)}
    assert documented == declared
