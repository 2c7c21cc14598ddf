"""Roads on the page: the operator's servers are offered, and routes follow the streets."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from browsing import Drawing, drop, wait_for_end
from road_servers import ROOT
from serving import Service, running

if TYPE_CHECKING:
    from playwright.sync_api import Page

KIOSKS = (ROOT / "examples" / "kiosks.csv").read_text()


def test_routes_follow_the_streets(
    osrm: str, tmp_path: Path, open_page: Callable[..., Page]
) -> None:
    options = ("--roads", f"car={osrm}", "--roads-cache", str(tmp_path / "cache"))
    with running(tmp_path, *options) as service:
        page = open_page(service)
        drop(page, "kiosks.csv", KIOSKS)
        page.get_by_test_id("summary").filter(has_text="kiosks").wait_for()
        page.get_by_text("Advanced").click()
        page.get_by_label("Roads").select_option("car")
        page.get_by_label("Seconds", exact=True).fill("1")
        page.get_by_role("button", name="Solve").click()
        wait_for_end(page)
        page.get_by_text("distance on roads").wait_for()
        visits = KIOSKS.count("\n")
        assert len(Drawing(page, "canvas", 0).points) > 10 * visits  # bends between the stops


def test_without_road_servers_there_is_no_choice(
    service: Service, open_page: Callable[..., Page]
) -> None:
    page = open_page(service)
    drop(page, "kiosks.csv", KIOSKS)
    page.get_by_test_id("summary").filter(has_text="kiosks").wait_for()
    page.get_by_text("Advanced").click()
    page.get_by_label("Distances").wait_for()
    assert page.get_by_label("Roads").count() == 0
