"""Checks that tag, package and changelog have one version; prints what the release changed.

The release workflow calls it with the tag, and makes the output the text of the release:

    python .ci/changelog.py v1.2.3
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
SECTION = re.compile(r"^## (.+)$\n", re.MULTILINE)
DATED = re.compile(r"(\S+) - \d{4}-\d\d-\d\d")


def notes(tag: str, version: str, changelog: str) -> str:
    """Return the changelog's section of a tagged version; raise if the three disagree."""
    if tag != f"v{version}":
        raise ValueError(f"the tag is {tag}, but the version in pyproject.toml is {version}")
    _, *parts = SECTION.split(changelog)
    sections = dict(zip(parts[::2], (text.strip() for text in parts[1::2]), strict=True))
    if sections.pop("Unreleased", ""):
        raise ValueError(f"CHANGELOG.md has changes under Unreleased; move them to {version}")
    heading = next(iter(sections), "nothing")
    if (found := DATED.fullmatch(heading)) is None:
        raise ValueError(f"CHANGELOG.md begins with {heading!r}; expected '{version} - YYYY-MM-DD'")
    if found[1] != version:
        raise ValueError(f"CHANGELOG.md begins with {found[1]}, but the tag is {tag}")
    if not sections[heading]:
        raise ValueError(f"CHANGELOG.md says nothing about {version}")
    return sections[heading]


def main() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    try:
        print(notes(sys.argv[1], version, (ROOT / "CHANGELOG.md").read_text()))
    except ValueError as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
