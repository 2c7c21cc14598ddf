"""Links, file names and targets in the documentation exist."""

import re
from pathlib import Path

import pytest

from conftest import ROOT
from documents import INLINE, PAGES, anchors, blocks, commands, links, name, prose

FOLDERS = ("benchmarks/", "best/", "cpp/", "docs/", "examples/", "page/", "src/", "tests/")
SOURCE_SUFFIXES = (".cpp", ".cff", ".hpp", ".md", ".py", ".svelte", ".toml", ".ts", ".yaml")
every_page = pytest.mark.parametrize("page", PAGES, ids=name)


@every_page
def test_relative_links_resolve(page: Path) -> None:
    for link in links(page):
        if "://" in link:
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{name(page)} links to {link}"
        assert not anchor or anchor in anchors(target), f"{name(page)} links to {link}"


@every_page
def test_files_named_in_the_text_exist(page: Path) -> None:
    added = {block.file for block in blocks(page, "python", "cpp")}
    for code in INLINE.findall(prose(page)):
        if code in added or not re.fullmatch(r"[\w./-]+", code):
            continue
        if code.startswith(FOLDERS):
            assert (ROOT / code).exists(), f"{name(page)} names {code}"
        elif code.endswith(SOURCE_SUFFIXES):
            places = [ROOT / code, ROOT / "src" / "splitroute" / code, page.parent / code]
            places += (ROOT / "src" / "splitroute").glob(f"*/{code}")
            assert any(place.exists() for place in places), f"{name(page)} names {code}"


@every_page
def test_make_targets_exist(page: Path) -> None:
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.M))
    shell = "\n".join(block.text for block in blocks(page, "sh")).replace("&&", "\n")
    named = {words[0] for words in commands(shell, "make")}
    named |= {code.split()[1] for code in INLINE.findall(prose(page)) if code.startswith("make ")}
    assert named <= targets, f"{name(page)} names {named - targets}"


@pytest.mark.parametrize("index", sorted((ROOT / "docs").glob("*/index.md")), ids=name)
def test_the_index_of_a_folder_links_to_its_pages(index: Path) -> None:
    linked = {(index.parent / link.partition("#")[0]).resolve() for link in links(index)}
    pages = {*index.parent.glob("*.md"), *index.parent.glob("*.ipynb")}
    assert pages - {index} <= linked


@pytest.mark.parametrize("page", sorted((ROOT / "docs" / "results").glob("*.md")), ids=name)
def test_results_state_the_command_that_made_them(page: Path) -> None:
    assert page.name == "index.md" or blocks(page, "sh")
