"""Driver sheets: what each driver has to know, and nothing that a browser would run."""

import re
import sys
from dataclasses import replace
from html import escape
from itertools import pairwise
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
import segno

import splitroute as sr
from conftest import routes
from splitroute.formats import sheets
from splitroute.formats._sheet_links import route_links

TOUR = sr.Instance.create(
    10, [6, 8], [(0, 0), (1, 2), (3000, 1)], ids=["<b>Anna</b>", "Bert"], name="a & b"
)


def text_of(html: str) -> str:
    return re.sub(r"<style>.*?</style>|<[^>]+>", " ", html, flags=re.DOTALL)


def test_each_vehicle_has_a_sheet_with_what_it_unloads_and_has_left() -> None:
    html = sheets.dump_solution(TOUR, routes([(1, 6), (2, 4)], [(2, 4)]))
    assert html.count("<section>") == 2
    words = text_of(html).split()
    first = " ".join(words[: words.index("Return")])
    assert "vehicle 1 of 2" in first
    assert "2 visits, load 10 of 10" in first
    assert "1 &lt;b&gt;Anna&lt;/b&gt; 1 / 2 6 4" in first
    assert "2 Bert also served by vehicle 2 3,000 / 1 4 0" in first
    assert "a &amp; b: vehicle 2 of 2" in html


def test_names_are_escaped() -> None:
    html = sheets.dump_solution(TOUR, routes([(1, 6), (2, 4)], [(2, 4)]))
    assert "<b>" not in html
    assert "<title>a &amp; b</title>" in html


def test_what_distances_are_based_on_is_escaped() -> None:
    globe = sr.Instance.create(7, [5], lat=[53.6, 53.5], lon=[10.5, 9.25], windows=[((0, 900),)])
    table = np.array([[0.0, 3.0], [3.0, 0.0]])
    hostile = replace(
        globe, metric="matrix", matrix=table, durations=table, roads="<script>alert(1)</script>"
    )
    html = sheets.dump_solution(hostile, routes([(1, 5)]))
    assert "<script" not in html
    assert html.count("roads (&lt;script&gt;") == 2


def test_an_instance_without_coordinates_has_sheets_without_locations() -> None:
    matrix = sr.Instance.create(9, [5, 3], matrix=[[0, 1, 2.5], [1.5, 0, 1], [2, 1, 0]])
    html = sheets.dump_solution(matrix, routes([(1, 5), (2, 3)]))
    assert "<h1>vehicle 1 of 1</h1>" in html
    assert "distance 4" in html


def test_kilometres_are_in_straight_lines() -> None:
    globe = sr.Instance.create(7, [5], lat=[53.6, 53.5], lon=[10.5, 9.25])
    html = sheets.dump_solution(globe, routes([(1, 5)]))
    assert "km in straight lines" in html
    assert "<a href='geo:53.50000,9.25000'>53.50000, 9.25000</a>" in html


def test_times_vehicles_and_depots(two_depots: tuple[sr.Instance, sr.Solution]) -> None:
    html = sheets.dump_solution(*two_depots)
    first, second, third = (" ".join(text_of(part).split()) for part in html.split("<section>")[2:])
    assert "bakery: van 1, trip 1 2 visits, load 9 of 10, distance 50.52 km" in first
    assert "1 h 21 min; travel times: 50 km/h, straight lines" in first
    assert "depart 07:50 north" in first
    assert "1 08:00–08:10 open 08:00–10:00, 15:00–16:00 Anna" in first
    assert "2 08:33–08:43 Bert also served by truck 1; van 1, trip 2" in first
    end = "Return to north at 09:10. Then load 3 for trip 2, 09:10–09:25; it starts at 09:25."
    assert first.endswith(f"{end} Signature of the driver:")
    assert "Return to north at 10:29." in second
    assert "van 1, trip 2 1 visit" in second
    assert "depart 09:25 north" in second
    assert "bakery: truck 1 2 visits, load 6 of 15" in third
    assert "End at north at 08:08." in third


def test_a_driver_who_is_early_is_told_to_wait() -> None:
    plane = sr.Instance.create(9, [5], [(0, 0), (3, 4)], windows=[((50, 60),)])
    route = sr.Route((sr.Visit(1, 5),), start=10.5)
    html = sheets.dump_solution(plane, sr.Solution((route,)))
    assert "15.50–50<small>wait until 50</small><small>open 50–60</small>" in html


def test_the_first_sheet_lists_what_is_not_delivered() -> None:
    plane = sr.Instance.create(
        10, [6, 8], [(0, 0), (1, 2), (3, 1)], ids=["Anna", "<i>"], vehicles=1, partial=True
    )
    html = sheets.dump_solution(plane, routes([(1, 6), (2, 4)]))
    first, second = (" ".join(text_of(part).split()) for part in html.split("<section>")[1:])
    assert first.startswith("4 undelivered at 1 customer customer undelivered demand reason")
    assert "&lt;i&gt; 4 8 the fleet is too small by 4: it carries 10" in first
    assert second.startswith("vehicle 1 of 1")
    assert "undelivered" not in sheets.dump_solution(TOUR, routes([(1, 6), (2, 4)], [(2, 4)]))


def test_sheets_are_in_the_order_of_vehicles_and_trips() -> None:
    vans = [sr.VehicleType("van", 10, 11, max_trips=2), sr.VehicleType("bike", 10, 1)]
    plane = sr.Instance.create(None, [6] * 5, [(k, 1) for k in range(6)], vehicles=vans)
    vehicles = [(1, 1, 1), (0, 10, 1), (0, 2, 2), (0, 9, 1), (0, 2, 1)]
    trips = [sr.Route((sr.Visit(k, 6),), *v) for k, v in enumerate(vehicles, 1)]
    html = sheets.dump_solution(plane, sr.Solution(tuple(trips)))
    titles = ["van 2, trip 1", "van 2, trip 2", "van 9", "van 10", "bike"]
    assert re.findall("<h1>(.*?)</h1>", html) == titles
    assert "Then load 6 for trip 2." in html


def globe(customers: int) -> tuple[sr.Instance, sr.Solution]:
    """A tour along a parallel."""
    instance = sr.Instance.create(
        100,
        [1] * customers,
        lat=[53.5] * (customers + 1),
        lon=[k / 10 for k in range(customers + 1)],
    )
    return instance, sr.Solution.unsplit(instance, [list(range(1, customers + 1))])


def test_the_date_is_printed_or_left_blank() -> None:
    plan = globe(1)
    assert "Date: Tuesday, 17 November 2026<" in sheets.dump_solution(*plan, {"date": "2026-11-17"})
    assert "Date: <i></i>" in sheets.dump_solution(*plan)
    with pytest.raises(sr.InputError, match="date is 'soon'; it must be a day such as"):
        sheets.dump_solution(*plan, {"date": "soon"})


def test_every_printed_page_says_whose_it_is() -> None:
    """Browsers repeat the head of a table, so nothing of a route follows its table."""
    html = sheets.dump_solution(*globe(3), {"date": "2026-11-17"})
    (head,) = re.findall("<thead>.*?</thead>", html)
    assert "vehicle 1 of 1, Tuesday, 17 November 2026" in head
    assert html.count("</table></section>") == 1
    assert "Return to the depot." in html[html.index("<tbody>") : html.index("</tbody>")]


def test_masks_of_codes_are_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Comparing them takes most of the time of a plan with hundreds of routes."""
    monkeypatch.setattr("segno.encoder.evaluate_mask", None)
    assert 'class="code"' in sheets.dump_solution(*globe(3))


def test_each_visit_and_each_route_can_be_signed() -> None:
    html = sheets.dump_solution(*globe(3))
    assert html.count("<td class='sign'></td>") == 3
    assert html.count("Signature of the driver: <i></i>") == 1


def test_the_map_shows_the_visits_in_order() -> None:
    html = sheets.dump_solution(*globe(3))
    (picture,) = re.findall("<svg class='map'.*?</svg>", html)
    marks = re.findall(r"<circle cx='([\d.]+)'.*?<text.*?>(\d)</text>", picture)
    assert [number for _, number in marks] == ["1", "2", "3"]
    assert [float(x) for x, _ in marks] == sorted(float(x) for x, _ in marks)
    # 0.3 degrees are 19.8 km here, over 516 pixels.
    assert re.search(r"h52\.0v-4'/><text[^>]*>2 km</text>", picture)
    assert "http" not in picture


def test_a_map_of_a_single_place_has_no_scale() -> None:
    instance = sr.Instance.create(9, [1, 1], lat=[53.5] * 3, lon=[10.0] * 3)
    html = sheets.dump_solution(instance, sr.Solution.unsplit(instance, [[1, 2]]))
    assert "<svg class='map'" in html
    assert "class='scale'" not in html


@pytest.mark.parametrize("count", [10, 20, 90, 91, 99, 100])
def test_the_links_of_a_long_route_are_equal_parts_of_it(count: int) -> None:
    instance, solution = globe(count)
    links = route_links(instance, solution.routes[0])
    spans = [tuple(map(int, re.findall(r"\d+", link.text))) for link in links]
    assert (spans[0][0], spans[-1][1]) == (1, count)
    assert all(first <= last for first, last in spans)
    assert all(last + 1 == first for (_, last), (first, _) in pairwise(spans))
    stops = [link.url.count("%7C") for link in links]
    assert max(stops) <= 8
    assert max(stops) - min(stops) <= 1


def test_the_map_follows_the_roads() -> None:
    instance, solution = globe(1)
    detour = np.array([[0.0, 53.5], [0.05, 53.7], [0.1, 53.5], [0.0, 53.5]])
    html = sheets.dump_solution(instance, sr.Solution(solution.routes, (detour,)))
    (points,) = re.findall("<polyline points='(.*?)'", html)
    assert len(points.split()) == 4


def test_a_map_without_extent_is_drawn_too() -> None:
    one = sr.Instance.create(9, [1], [(3, 3), (3, 3)])
    html = sheets.dump_solution(one, routes([(1, 1)]))
    assert "<circle cx='280.0' cy='75.0'" in html
    assert "nan" not in html


@pytest.mark.parametrize(
    ("customers", "waypoints"), [(1, [1]), (9, [9]), (10, [4, 5]), (29, [9] * 3)]
)
def test_links_have_at_most_nine_waypoints(customers: int, waypoints: list[int]) -> None:
    instance, solution = globe(customers)
    links = route_links(instance, solution.routes[0])
    queries = [parse_qs(urlsplit(link.url).query) for link in links]
    assert [len(query["waypoints"][0].split("|")) for query in queries] == waypoints
    ends = [(query["origin"], query["destination"]) for query in queries]
    depot = ["53.50000,0.00000"]
    assert (ends[0][0], ends[-1][1]) == (depot, depot)
    assert all(a[1] == b[0] for a, b in pairwise(ends))


def test_the_code_and_the_link_are_the_same() -> None:
    instance, solution = globe(2)
    html = sheets.dump_solution(instance, solution)
    (link,) = route_links(instance, solution.routes[0])
    assert html.count(f"<a href='{escape(link.url)}'><svg") == 1
    code = segno.make_qr(link.url, error="l")
    assert code.svg_inline(omitsize=True, border=2, svgclass="code", lineclass=None) in html


def test_places_in_the_plane_have_a_map_but_no_link() -> None:
    html = sheets.dump_solution(TOUR, routes([(1, 6), (2, 4)], [(2, 4)]))
    assert html.count("<svg class='map'") == 2
    assert "href" not in html


def test_without_the_package_there_are_links_and_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "segno", None)
    with pytest.warns(sr.InputWarning, match=r"no QR codes.*pip install 'splitroute\[sheets\]'"):
        html = sheets.dump_solution(*globe(1))
    assert "google.com/maps/dir" in html
    assert 'class="code"' not in html
