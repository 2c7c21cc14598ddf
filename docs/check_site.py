"""Check the built site: every link leads somewhere, and nothing is loaded from other hosts.

`python docs/check_site.py out/docs` lists what is wrong and exits with 1, or prints a summary.
"""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {"script": "src", "img": "src", "source": "src", "iframe": "src", "link": "href"}
NOT_LOADED = {"canonical", "next", "prev", "index", "search", "genindex"}  # kinds of <link>


class Page(HTMLParser):
    """The anchors of a page, what it links to and what it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Note the tag's id and links."""
        values = {name: value or "" for name, value in attributes}
        self.anchors |= {values[name] for name in ("id", "name") if name in values}
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        elif tag in LOADED and LOADED[tag] in values and values.get("rel") not in NOT_LOADED:
            self.loaded.append(values[LOADED[tag]])


def mistakes(site: Path) -> list[str]:
    """Return what is wrong with the pages of a folder."""
    pages = {path.resolve(): Page(path.read_text()) for path in site.rglob("*.html")}
    return [
        f"{path.relative_to(site.resolve())}: {mistake}: {link}"
        for path, page in sorted(pages.items())
        for links, is_loaded in ((page.links, False), (page.loaded, True))
        for link in links
        if (mistake := _mistake(path, link, is_loaded, pages))
    ]


def _mistake(path: Path, link: str, is_loaded: bool, pages: dict[Path, Page]) -> str | None:
    parts = urlsplit(link)
    if parts.scheme == "data":
        return None
    if parts.scheme or parts.netloc:
        return "loaded from another host" if is_loaded else None
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if not target.is_file():
        return "dead link"
    anchor = unquote(parts.fragment)
    if anchor and target in pages and anchor not in pages[target].anchors:
        return "dead anchor"
    return None


if __name__ == "__main__":
    found = mistakes(folder := Path(sys.argv[1]))
    print("\n".join(found) or f"{sum(1 for _ in folder.rglob('*.html'))} pages, no dead link")
    sys.exit(bool(found))
