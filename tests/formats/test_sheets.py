"""Driver sheets: what each driver has to know, and nothing that a browser would run."""

import re

import splitroute as sr
from conftest import routes
from splitroute.formats import sheets

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


def test_an_instance_without_coordinates_has_sheets_without_locations() -> None:
    matrix = sr.Instance.create(9, [5, 3], matrix=[[0, 1, 2.5], [1.5, 0, 1], [2, 1, 0]])
    html = sheets.dump_solution(matrix, routes([(1, 5), (2, 3)]))
    assert "<h1>vehicle 1 of 1</h1>" in html
    assert "distance 4" in html


def test_kilometres_are_in_straight_lines() -> None:
    globe = sr.Instance.create(7, [5], lat=[53.6, 53.5], lon=[10.5, 9.25])
    html = sheets.dump_solution(globe, routes([(1, 5)]))
    assert "km in straight lines" in html
    assert "<td>53.50000, 9.25000</td>" in html


def test_times_vehicles_and_depots(two_depots: tuple[sr.Instance, sr.Solution]) -> None:
    html = sheets.dump_solution(*two_depots)
    first, second, third = (" ".join(text_of(part).split()) for part in html.split("<section>")[2:])
    assert "bakery: van 1, trip 1 2 visits, load 9 of 10, distance 50.52 km" in first
    assert "1 h 21 min; travel times: 50 km/h, straight lines" in first
    assert "depart 07:50 north" in first
    assert "1 08:00–08:10 open 08:00–10:00, 15:00–16:00 Anna" in first
    assert "2 08:33–08:43 Bert also served by truck 1; van 1, trip 2" in first
    assert first.endswith(
        "Return to north at 09:10. Then load 3 for trip 2, 09:10–09:25; it starts at 09:25."
    )
    assert second.endswith("Return to north at 10:29.")
    assert "van 1, trip 2 1 visit" in second
    assert "depart 09:25 north" in second
    assert "bakery: truck 1 2 visits, load 6 of 15" in third
    assert third.endswith("End at north at 08:08.")


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
    titles = ["van 2, trip 1", "van 2, trip 2", "van 9", "van 10", "bike 1"]
    assert re.findall("<h1>(.*?)</h1>", html) == titles
    assert "Then load 6 for trip 2." in html
