"""The page as a whole: keyboard, small screens, tokens and map tiles."""

from __future__ import annotations

import re
import threading
from base64 import b64decode
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

from browsing import wait_for_end
from serving import Service

if TYPE_CHECKING:
    from playwright.sync_api import Page

Open = Callable[..., "Page"]


def test_keyboard_only(service: Service, open_page: Open) -> None:
    page = open_page(service)
    page.get_by_role("button", name="Random town").wait_for()
    page.get_by_role("button", name="Random town").focus()
    page.keyboard.press("Enter")
    page.get_by_test_id("summary").wait_for()
    page.get_by_role("radio", name="quick").focus()
    page.keyboard.press("ArrowDown")  # to good, which leaves time for more keys
    page.keyboard.press("Enter")  # submits the form
    page.get_by_test_id("cost").wait_for()
    chart = page.get_by_role("application")
    chart.focus()
    before = page.locator("[data-testid=map] > canvas").screenshot()
    page.keyboard.press("+")
    page.wait_for_timeout(300)
    assert page.locator("[data-testid=map] > canvas").screenshot() != before
    page.get_by_role("button", name="Stop and keep the best").focus()
    page.keyboard.press("Enter")
    wait_for_end(page, "cancelled")


def test_nothing_is_wider_than_a_phone(service: Service, open_page: Open) -> None:
    job = service.post(instance={"benchmark": "SD4"}, seconds=0.5, baseline=True)
    service.wait(job)
    for path in ("", f"#/jobs/{job}", "#/history", f"#/compare/{job}/{job}"):
        page = open_page(service, path, width=375, height=700)
        page.wait_for_load_state("networkidle")
        page.wait_for_timeout(300)
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= 375, f"{path or 'start'} is {wide} wide"


def test_an_unknown_job_shows_an_error(service: Service, open_page: Open) -> None:
    page = open_page(service, "#/jobs/" + "0" * 32)
    assert "there is no job" in page.get_by_role("alert").inner_text()
    assert page.get_by_role("link", name="Start a new job").is_visible()


def test_a_token_is_requested_once(tmp_path: Path, open_page: Open) -> None:
    service = Service(tmp_path, "--token", "open sesame")
    try:
        page = open_page(service)
        page.get_by_label("Token").fill("wrong")
        page.get_by_role("button", name="Sign in").click()
        assert "Wrong token" in page.get_by_role("alert").inner_text()
        page.get_by_label("Token").fill("open sesame")
        page.get_by_role("button", name="Sign in").click()
        page.get_by_role("button", name="Star").click()
        page.get_by_text("Advanced").click()
        page.get_by_role("spinbutton", name="Seconds").fill("1")
        page.get_by_role("button", name="Solve").click()
        wait_for_end(page)
        with page.expect_download() as waiting:
            page.get_by_role("link", name="JSON", exact=True).click()
        assert waiting.value.suggested_filename == "Star.json"
    finally:
        service.close()


TILE = b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


class Tiles(BaseHTTPRequestHandler):
    """Serves the same tile everywhere."""

    requested: list[str]

    def do_GET(self) -> None:
        type(self).requested.append(self.path)
        self.send_response(200)
        self.send_header("Content-Type", "image/png")
        self.send_header("Access-Control-Allow-Origin", "*")
        self.end_headers()
        self.wfile.write(TILE)

    def log_message(self, format: str, *args: Any) -> None:
        pass


def test_map_tiles(tmp_path: Path, open_page: Open) -> None:
    Tiles.requested = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Tiles)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_address[1]}/{{z}}/{{x}}/{{y}}.png"
    service = Service(tmp_path, "--tiles", address, "--attribution", "tiles of the test")
    try:
        page = open_page(service)
        page.get_by_role("button", name="Bakery", exact=True).click()
        page.get_by_text("tiles of the test").wait_for()
        for _ in range(100):
            if Tiles.requested:
                break
            page.wait_for_timeout(100)
        assert re.fullmatch(r"/\d+/\d+/\d+\.png", Tiles.requested[0])
    finally:
        service.close()
        server.shutdown()
        server.server_close()
