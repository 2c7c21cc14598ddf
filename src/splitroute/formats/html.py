"""An interactive page in one file: a map, a timeline, tables and figures. Write-only."""

from collections.abc import Mapping
from html import escape

from splitroute.formats import Capabilities
from splitroute.formats._delivery_day import day_text
from splitroute.formats._html_bars import bars
from splitroute.formats._html_facts import details, key_figures
from splitroute.formats._html_map import solution_map
from splitroute.formats._html_tables import route_table, undelivered_table, visit_table
from splitroute.formats._route_colours import route_styles
from splitroute.instance import Instance
from splitroute.interactive import read_assets, security_policy
from splitroute.solution import Solution, explain_undelivered, timetable

CAPABILITIES = Capabilities(solution_suffixes=(".html",), holds_vehicles=True, holds_date=True)
SCRIPTS = ("tip.js", "tables.js", "solution.js", "map.js")
MAP_KEY = (
    '<ul class="key"><li><i class="depot"></i>depot</li>'
    '<li><i class="disc"></i>customer, by demand</li>'
    '<li><i class="pie"></i>split customer: a slice per visit</li>{undelivered}</ul>'
)


def dump_solution(
    instance: Instance, solution: Solution, about: Mapping[str, object] | None = None
) -> str:
    """Return the page; `about` is how the solution was found, and the `date` of the deliveries."""
    about = about or {}
    script = read_assets(*SCRIPTS)
    style = read_assets("base.css", "solution.css") + route_styles(len(solution.routes))
    times = timetable(instance, solution) if instance.has_times else None
    missing = explain_undelivered(instance, solution) if instance.rules else ()
    heading = escape(instance.name or "Solution")
    day = day_text(about.get("date"))
    picture = solution_map(instance, solution)
    if picture:
        grey = '<li><i class="none"></i>undelivered</li>' if missing else ""
        picture = f'<section class="chart">{picture}{MAP_KEY.format(undelivered=grey)}</section>'
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{security_policy(script)}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{heading}</title>\n<style>{style}</style></head>\n<body>"
        f'<header><h1>{heading}</h1><p class="soft">{day}</p></header>'
        f'<dl class="figures">{key_figures(instance, solution, missing, about)}</dl>'
        '<p class="selection" role="status"></p>'
        f'<div class="panels">{picture}{route_table(instance, solution, times)}</div>'
        f"{bars(instance, solution, times)}"
        f"{undelivered_table(instance, missing)}{visit_table(instance, solution, times)}"
        f"<details><summary>How it was found</summary>"
        f'<dl class="details">{details(instance, solution, about)}</dl></details>'
        f"<script>{script}</script></body></html>\n"
    )
