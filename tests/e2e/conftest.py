"""A real browser on the real program; every test saves a screenshot in out/e2e."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browsing import RECORDER
from serving import Service, running
from splitroute.web.page import FOLDER

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Page

PICTURES = Path(__file__).parents[2] / "out" / "e2e"
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
# Chromium has no sandbox as root; the other flags keep it off the network.
FLAGS = [
    "--no-sandbox", "--no-first-run", "--disable-background-networking", "--disable-sync",
    "--disable-component-update", "--disable-quic", "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
]  # fmt: skip


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The system's Chromium; skip without it."""
    sync_api = pytest.importorskip(
        "playwright.sync_api", reason="make test-e2e installs playwright"
    )
    if CHROMIUM is None:
        pytest.skip("there is no chromium on the PATH")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


def require_page() -> None:
    """Skip a test of the service without its page."""
    if not (FOLDER / "index.html").is_file():
        pytest.skip("the page is not built; run: make web")


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The program; skip without the page."""
    require_page()
    with running(tmp_path_factory.mktemp("service")) as service:
        yield service


@pytest.fixture
def open_page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Callable[..., Page]]:
    """Open pages of a service, or files; fail if they log an error."""
    pages = []
    errors: list[str] = []

    def log_error(message: ConsoleMessage) -> None:
        # The browser logs every error response, also those that a test provokes.
        if message.type == "error" and not message.text.startswith("Failed to load resource"):
            errors.append(message.text)

    def open_(source: Service | Path, path: str = "", width: int = 1400, height: int = 900) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": height}, accept_downloads=True
        )
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        page = context.new_page()
        page.set_default_timeout(30_000)
        page.add_init_script(RECORDER)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", log_error)
        if isinstance(source, Path):
            page.goto(source.as_uri())
        else:
            require_page()
            page.goto(f"http://127.0.0.1:{source.port}/{path}")
        pages.append(page)
        return page

    yield open_
    PICTURES.mkdir(parents=True, exist_ok=True)
    for number, page in enumerate(pages):
        name = request.node.name.removeprefix("test_")
        page.screenshot(path=PICTURES / f"{name}{number or ''}.png")
        page.context.close()
    assert errors == []
