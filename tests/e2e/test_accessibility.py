"""The axe accessibility checker on every view, in both themes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from serving import Service

if TYPE_CHECKING:
    from playwright.sync_api import Page

AXE = Path(__file__).parents[2] / "page" / "node_modules" / "axe-core" / "axe.min.js"


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("view", ["new", "run", "customers", "history", "compare"])
def test_axe_finds_nothing(
    service: Service, open_page: Callable[..., Page], view: str, dark: bool
) -> None:
    if not AXE.is_file():
        pytest.skip("axe is not installed; run: make web")
    job = service.post(instance={"benchmark": "SD2"}, seconds=0.3, baseline=True, bound=0.3)
    service.wait(job)
    paths = {"new": "", "history": "#/history", "compare": f"#/compare/{job}/{job}"}
    page = open_page(service, paths.get(view, f"#/jobs/{job}"))
    if dark:
        page.get_by_role("button", name="Switch to dark colours").click()
    if view == "new":
        page.get_by_role("button", name="Star").click()
        page.get_by_text("Advanced").click()
        page.get_by_role("button", name="Paste a table").click()
        page.get_by_test_id("summary").wait_for()
    if view == "customers":
        page.get_by_role("tab", name="customers").click()
        page.get_by_label("PASA's rings and pieces").check()
    page.wait_for_load_state("networkidle")
    page.evaluate(AXE.read_text())  # not as a script of the page, which its policy forbids
    violations = page.evaluate("axe.run().then(({ violations }) => violations)")
    assert [
        (v["id"], v["impact"], [node["target"] for node in v["nodes"]]) for v in violations
    ] == []
