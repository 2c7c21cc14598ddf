"""SVG files by matplotlib, in a third of the space."""

from __future__ import annotations

import re
from zlib import crc32

STYLE = re.compile(r'style="([^"]*)"')
LINE = re.compile(r' d="M ([-\d. L]+?) ?"')
FONTS = re.compile(r'font-family: [^;"]*')
NUMBERED_ID = re.compile(r' id="[\w.]+_\d+"')  # of groups: nothing refers to them
MARKERS = re.compile(  # a group of markers that look alike
    r'<g([^<>]*)>((?: <use [^<>]*? class="(\w+)"/>)(?: <use [^<>]*? class="\3"/>)*) </g>'
)
LONG_DECIMAL = re.compile(r"-?\d+\.\d{3,}(?=[^<>]*>)")  # outside of text


def shortened(svg: str) -> str:
    """Return the same picture without needless digits, line breaks, names and repeated styles."""
    # A tenth of a point is less than can be seen.
    svg = LONG_DECIMAL.sub(lambda number: f"{float(number[0]):.1f}".removesuffix(".0"), svg)
    svg = FONTS.sub("font-family: sans-serif", svg)
    svg = re.sub(r"\s*\n\s*", " ", svg).replace("xlink:href", "href")
    svg = NUMBERED_ID.sub("", svg)
    svg = LINE.sub(lambda line: f' d="M{line[1].replace(" L ", " ")}"', svg)
    # The styles of a page are those of all its pictures, so that names stand for contents.
    names = {style: f"s{crc32(style.encode()):x}" for style in STYLE.findall(svg)}
    svg = STYLE.sub(lambda style: f'class="{names[style[1]]}"', svg)
    svg = MARKERS.sub(
        lambda g: f'<g{g[1]} class="{g[3]}">{g[2]}</g>'.replace(f' class="{g[3]}"/', "/"), svg
    )
    rules = "".join(f".{name}{{{style}}}" for style, name in names.items())
    return svg.replace("</style>", f"{rules}</style>", 1)
