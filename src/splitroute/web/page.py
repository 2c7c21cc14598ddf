"""The page, if it was built: `make web` does, and wheels contain it."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI
from fastapi.responses import FileResponse, HTMLResponse, Response
from starlette.staticfiles import StaticFiles

FOLDER = Path(__file__).parent / "page"

MISSING = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>splitroute</title>
<style>body { font: 16px/1.5 system-ui, sans-serif; margin: 3rem auto; max-width: 40rem }</style>
</head><body><h1>splitroute</h1>
<p>The service is running, but its page was not built in this checkout. <code>make web</code> builds
it (with Node 20.19 or later); packages from <code>pip install</code> have it already.</p>
<p>The API works without it: <a href="/api/openapi.json">what can be asked for</a>,
<a href="/health">how the service is</a>.</p></body></html>"""


def add_page(app: FastAPI, folder: Path = FOLDER) -> None:
    """Serves the page at /, or says how to build it."""
    start = folder / "index.html"

    @app.get("/", include_in_schema=False)
    def page() -> Response:
        if not start.is_file():
            return HTMLResponse(MISSING)
        return FileResponse(start, headers={"Cache-Control": "no-cache"})

    if start.is_file():
        app.mount("/assets", _Kept(directory=folder / "assets"), name="assets")


class _Kept(StaticFiles):
    """Files whose names change with their content, so browsers may keep them for good."""

    def file_response(self, *given: object, **named: object) -> Response:
        response = super().file_response(*given, **named)  # type: ignore[arg-type]
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response
