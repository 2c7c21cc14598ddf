"""The Markdown pages of the repository: their links, headings and code blocks."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from conftest import ROOT

PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.M | re.S)
NOT_RUN = re.compile(r"<!-- not run: (.+) -->\s*\Z")  # stands above a block
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.M)
INLINE = re.compile(r"`([^`\n]+)`")
FILE_COMMENT = re.compile(r"(?:#|//) ((?:src|tests|cpp)/\S+)\n")


class Block(NamedTuple):
    """A fenced code block."""

    language: str
    text: str
    not_run: str = ""  # why no test runs it

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
    return [block for block in all_blocks(page) if block.language in languages]


def runnable(page: Path, *languages: str) -> list[Block]:
    """Code blocks of a page in these languages that are to be run."""
    return [block for block in blocks(page, *languages) if not block.not_run]


def all_blocks(page: Path) -> Iterator[Block]:
    """All code blocks of a page, in order."""
    text = page.read_text()
    for found in FENCE.finditer(text):
        reason = NOT_RUN.search(text, 0, found.start())
        yield Block(found[1], found[2], reason[1] if reason else "")


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
