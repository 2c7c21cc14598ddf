"""`python docs/figures/draw.py`: draw the figures of the documentation into docs/images.

Each module of this folder has a function `figures()` that returns figures by name. Searches are
limited by iterations, so that every machine draws the same.
"""

import importlib
import io
import re
import sys
from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure

FOLDER = Path(__file__).parent
IMAGES = FOLDER.parent / "images"
INK = "#1f2a35"  # becomes the colour of the text around the figure
COLOURS = ("#3987c9", "#e07b39", "#3f9b56", "#b065c0")  # readable on white and on black
STYLE = {
    "axes.edgecolor": INK, "axes.labelcolor": INK, "axes.titlecolor": INK, "text.color": INK,
    "xtick.color": INK, "ytick.color": INK, "axes.titlelocation": "left", "axes.titlesize": 11,
    "axes.spines.top": False, "axes.spines.right": False, "axes.labelsize": 10,
    "legend.frameon": False, "legend.fontsize": 9.5, "font.size": 10,
    "svg.fonttype": "none", "svg.hashsalt": "splitroute",
}  # fmt: skip


def draw() -> dict[str, str]:
    """Return the SVG of each figure by its file name."""
    modules = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem != "draw")
    with mpl.rc_context(STYLE):
        return {
            f"{name}.svg": _svg(figure)
            for module in modules
            for name, figure in importlib.import_module(module).figures().items()
        }


def new_figure(width: float = 6.4, height: float = 3.4) -> Figure:
    """Return an empty figure of that many inches."""
    return Figure(figsize=(width, height), layout="constrained")


def _svg(figure: Figure) -> str:
    text = io.StringIO()
    nothing = dict.fromkeys(("Creator", "Date", "Format", "Type"))
    figure.savefig(text, format="svg", transparent=True, metadata=nothing)
    svg = text.getvalue().replace(INK, "currentColor")
    svg = re.sub(r"font-family: [^;\"]*|(?<=px) '[^;\"]*", _font, svg)
    svg = re.sub(r"\d+\.\d{2,}(?=[^<>]*>)", lambda number: f"{float(number[0]):.1f}", svg)
    return re.sub(r"\s*\n\s*", "\n", svg[svg.index("<svg") :])


def _font(found: re.Match[str]) -> str:
    """The reader's own font instead of a list of those that matplotlib knows."""
    return "font-family: " * found[0].startswith("font") + " system-ui, sans-serif"


if __name__ == "__main__":
    sys.path.insert(0, str(FOLDER))
    sys.modules["draw"] = sys.modules["__main__"]
    for name, svg in draw().items():
        (IMAGES / name).write_text(svg)
        print(f"{IMAGES.name}/{name}: {len(svg.encode()) / 1000:.0f} kB")
