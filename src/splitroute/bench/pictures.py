"""Figures and route maps as inline SVG for the report."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from splitroute.bench import figures
from splitroute.bench.results import Results
from splitroute.bench.series import mark_methods, marked_svg, series_of
from splitroute.bench.short_svg import shortened
from splitroute.bench.solutions import best_drawable, points_of, solution_of
from splitroute.plots.axes import INK
from splitroute.plots.svg import thumbnail_svg
from splitroute.registry import load, names, require
from splitroute.report import cost_text, pluralize

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Picture:
    """A figure or map as SVG."""

    title: str
    caption: str
    svg: str
    omitted: str = ""
    series: Sequence[dict[str, Any]] = ()  # what to show at which point


def draw_figures(results: Results) -> tuple[dict[str, Picture], list[str]]:
    """Draw the figures that the records have data for, by name; and list what others require."""
    require("matplotlib", "bench")
    pictures, not_drawn = {}, []
    for name in names(figures):
        module = load(figures, name)
        figure = module.draw(results)
        if figure is None:
            not_drawn.append(f"{module.TITLE}: requires {module.REQUIRES}")
            continue
        mark_methods(figure, results.methods)
        svg = marked_svg(_to_svg(figure, f"{module.TITLE}. {module.CAPTION}"))
        omitted = "; ".join(module.omitted(results))
        series = series_of(figure, results.methods)
        pictures[name] = Picture(module.TITLE, module.CAPTION, svg, omitted, series)
    return pictures, not_drawn


def draw_best_routes(results: Results) -> dict[tuple[str, str], Picture]:
    """Draw the best routes of each instance, by set and instance."""
    pictures = {}
    for key, record in best_drawable(results).items():
        solution, points = solution_of(record), points_of(record)
        assert points is not None
        caption = (
            f"{results.label(record)}, cost {cost_text(float(record['cost']))}; "
            f"{pluralize(len(solution.routes), 'route')}, "
            f"{pluralize(len(solution.split_customers()), 'customer')} split"
        )
        name = str(record["instance"])
        svg = thumbnail_svg(points, solution, f"{name}: {caption}")
        pictures[key] = Picture(name, caption, svg)
    return pictures


def _to_svg(figure: Figure, description: str) -> str:
    """Return inline SVG with a transparent background and text in the colour of the page."""
    import matplotlib as mpl

    for axes in figure.axes:
        axes.patch.set_alpha(0)
        axes.tick_params(which="both", colors=INK, labelcolor=INK)
        for text in (axes.title, axes.xaxis.label, axes.yaxis.label, axes._left_title):  # type: ignore[attr-defined]
            text.set_color(INK)
        for spine in axes.spines.values():
            spine.set_edgecolor(INK)
        if legend := axes.get_legend():
            for text in legend.get_texts():
                text.set_color(INK)
    data = io.StringIO()
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "splitroute"}):
        nothing = dict.fromkeys(("Creator", "Date", "Format", "Type"))
        figure.savefig(data, format="svg", transparent=True, metadata=nothing)
    svg = data.getvalue()
    svg = svg[svg.index("<svg") + len("<svg") :].replace(INK, "currentColor")
    return f'<svg role="img" aria-label="{escape(description)}"{shortened(svg)}'
