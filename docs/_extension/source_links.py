"""Pages from the repository's root, and links that GitHub follows but a site has no page for."""

import os
import re
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parents[1]
ROOT = DOCS.parent
PAGES = {
    "contributing": "CONTRIBUTING.md",
    "changelog": "CHANGELOG.md",
    "security": "SECURITY.md",
}
LINK = re.compile(r"\[([^\]]*)\]\((?!\w+:)([^)#\s]+)(#[^)\s]*)?\)")


def read(app: Any, docname: str, source: list[str]) -> None:
    """Replace the pages of PAGES by their files, and rewrite links that leave the folder."""
    folder = DOCS / Path(docname).parent
    if docname in PAGES:
        file = ROOT / PAGES[docname]
        app.env.note_dependency(str(file))
        folder, source[0] = ROOT, file.read_text()
    source[0] = LINK.sub(lambda link: _rewritten(link, folder, docname), source[0])


def _rewritten(link: re.Match[str], folder: Path, docname: str) -> str:
    text, target, anchor = link[1], (folder / link[2]).resolve(), link[3] or ""
    here = DOCS / Path(docname).parent
    for page, file in PAGES.items():
        if target == ROOT / file:
            target = DOCS / f"{page}.md"
    if target.is_dir():  # there is no page for it
        return text
    return f"[{text}]({os.path.relpath(target, here)}{anchor})"


def setup(app: Any) -> dict[str, bool]:
    """Register the extension."""
    app.connect("source-read", read)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
