"""The web page, if it was built: by `make web`, or as part of a wheel."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI
from fastapi.responses import FileResponse, HTMLResponse, Response
from starlette.staticfiles import StaticFiles

FOLDER = Path(__file__).parent / "page"

NOT_BUILT = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>splitroute</title>
<style>body { font: 16px/1.5 system-ui, sans-serif; margin: 3rem auto; max-width: 40rem }</style>
</head><body><h1>splitroute</h1>
<p>The service is running, but its page has not been built. Run <code>make web</code> (needs Node
20.19 or later); packages installed with <code>pip</code> include the page.</p>
<p>The API works without it: <a href="/api/openapi.json">OpenAPI description</a>,
<a href="/health">health</a>.</p></body></html>"""


def add_page(app: FastAPI, folder: Path = FOLDER) -> None:
    """Serve the page at /, or instructions to build it."""
    index = folder / "index.html"

    @app.get("/", include_in_schema=False)
    def page() -> Response:
        if not index.is_file():
            return HTMLResponse(NOT_BUILT)
        return FileResponse(index, headers={"Cache-Control": "no-cache"})

    if index.is_file():
        app.mount("/assets", _ImmutableFiles(directory=folder / "assets"), name="assets")


class _ImmutableFiles(StaticFiles):
    """Files whose names contain a hash of their content: browsers may cache them for good."""

    def file_response(self, *args: object, **kwargs: object) -> Response:
        response = super().file_response(*args, **kwargs)  # type: ignore[arg-type]
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response
