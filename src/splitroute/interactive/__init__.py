"""Scripts and styles that pages embed: a page is one file, works offline and loads nothing."""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files


def read_assets(*names: str) -> str:
    """Return the texts of scripts or styles, one after the other."""
    folder = files("splitroute.interactive")
    return "\n".join(folder.joinpath(name).read_text(encoding="utf-8") for name in names)


def security_policy(script: str) -> str:
    """Return the Content-Security-Policy by which a page runs this script alone.

    Nothing is loaded from anywhere, and no text that got into the page could run as a script.
    """
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
