"""The page where it was built, and instructions where it was not."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx
from fastapi import FastAPI

from splitroute.web.page import add_page


def get(app: FastAPI, path: str) -> httpx.Response:
    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
            return await client.get(path)

    return asyncio.run(ask())


def test_without_the_page_there_are_instructions(tmp_path: Path) -> None:
    add_page(app := FastAPI(), tmp_path)
    response = get(app, "/")
    assert response.status_code == 200
    assert "make web" in response.text


def test_assets_may_be_cached(tmp_path: Path) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "index-1a2b.js").write_text("1")
    (tmp_path / "index.html").write_text("the page")
    add_page(app := FastAPI(), tmp_path)
    assert get(app, "/").text == "the page"
    kept = get(app, "/assets/index-1a2b.js")
    assert (kept.text, "immutable" in kept.headers["cache-control"]) == ("1", True)
    assert get(app, "/assets/%2e%2e/index.html").status_code == 404
