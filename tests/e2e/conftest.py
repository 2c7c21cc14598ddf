"""A real browser on the real program; every test leaves a picture in out/e2e."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browsing import RECORDER
from serving import Service
from splitroute.web.page import FOLDER

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PICTURES = Path(__file__).parents[2] / "out" / "e2e"
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
# Root in a container has no sandbox; the rest keeps the browser off the network.
FLAGS = [
    "--no-sandbox", "--no-first-run", "--disable-background-networking", "--disable-sync",
    "--disable-component-update", "--disable-quic", "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
]  # fmt: skip


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium of the system; skips where there is none, or no page."""
    sync_api = pytest.importorskip(
        "playwright.sync_api", reason="make test-e2e installs playwright"
    )
    if CHROMIUM is None:
        pytest.skip("there is no chromium on the PATH")
    if not (FOLDER / "index.html").is_file():
        pytest.skip("the page is not built; run: make web")
    with sync_api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield found
        found.close()


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The program with two workers."""
    running = Service(tmp_path_factory.mktemp("service"))
    yield running
    running.close()


@pytest.fixture
def open_page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Callable[..., Page]]:
    """Opens pages of a service, and at the end sees that nothing went wrong on them."""
    opened = []
    problems: list[str] = []

    def open_(service: Service, path: str = "", width: int = 1400, height: int = 900) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": height}, accept_downloads=True
        )
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        page = context.new_page()
        page.set_default_timeout(30_000)
        page.add_init_script(RECORDER)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on(
            "console",
            lambda said: problems.append(said.text) if _is_a_fault(said.type, said.text) else None,
        )
        page.goto(f"http://127.0.0.1:{service.port}/{path}")
        opened.append(page)
        return page

    yield open_
    PICTURES.mkdir(parents=True, exist_ok=True)
    for number, page in enumerate(opened):
        name = request.node.name.removeprefix("test_")
        page.screenshot(path=PICTURES / f"{name}{number or ''}.png")
        page.context.close()
    assert problems == []


def _is_a_fault(kind: str, text: str) -> bool:
    # The browser itself writes down every answer that is an error, also those a test asks for.
    return kind == "error" and not text.startswith("Failed to load resource")
