"""SVG images become part of their page, so that they take on its colours."""

from html import escape
from typing import Any

from docutils import nodes


def inline(app: Any, doctree: nodes.document, docname: str) -> None:
    """Replace the SVG images of a page by their contents."""
    for image in list(doctree.findall(nodes.image)):
        if image["uri"].endswith(".svg"):
            svg = (app.srcdir / image["uri"]).read_text()
            label = escape(image.get("alt", ""), quote=True)
            html = f'<span class="drawing" role="img" aria-label="{label}">{svg}</span>'
            image.replace_self(nodes.raw("", html, format="html"))


def setup(app: Any) -> dict[str, bool]:
    """Register the extension."""
    app.connect("doctree-resolved", inline)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
