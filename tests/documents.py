"""The Markdown pages of the repository: their links, headings and code blocks."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from conftest import ROOT

PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.M)
INLINE = re.compile(r"`([^`\n]+)`")
FILE_COMMENT = re.compile(r"(?:#|//) ((?:src|tests|cpp)/\S+)\n")


class Block(NamedTuple):
    """A fenced code block."""

    language: str
    text: str

    @property
    def file(self) -> str | None:
        """The file that the block is the contents of, named in its first line."""
        found = FILE_COMMENT.match(self.text)
        return found[1] if found else None


def name(page: Path) -> str:
    """Path of a page in the repository, for test ids."""
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path, *languages: str) -> list[Block]:
    """Code blocks of a page in these languages, in order."""
    found = (Block(*block) for block in FENCE.findall(page.read_text()))
    return [block for block in found if block.language in languages]


def prose(page: Path) -> str:
    """Text of a page without its code blocks."""
    return FENCE.sub("", page.read_text())


def links(page: Path) -> list[str]:
    """Targets of the links and images of a page."""
    return LINK.findall(prose(page))


def anchors(page: Path) -> set[str]:
    """Anchors that GitHub gives to the headings of a page."""
    return {
        re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        for heading in HEADING.findall(prose(page))
    }


def commands(text: str, program: str) -> Iterator[list[str]]:
    """Arguments of each call of a program in shell text, in pipes too."""
    for line in text.replace("\\\n", " ").replace(" | ", "\n").splitlines():
        words = line.removeprefix("$ ").split(" #")[0].split()
        if words and words[0] == program:
            yield words[1:]
