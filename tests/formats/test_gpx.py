"""GPX: a track per route, along the roads if their lines are known."""

import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import splitroute as sr
from splitroute.formats import check_output_format, geojson, gpx
from splitroute.formats import json as json_format
from splitroute.plots.routes import draw_routes

NAMES = {"g": gpx.NAMESPACE}


def parsed(instance: sr.Instance, solution: sr.Solution) -> ElementTree.Element:
    return ElementTree.fromstring(gpx.dump_solution(instance, solution).encode())


def test_tracks_and_waypoints(two_depots: tuple[sr.Instance, sr.Solution]) -> None:
    instance, solution = two_depots
    root = parsed(instance, solution)
    names = [e.text for e in root.findall("g:wpt/g:name", NAMES)]
    assert names == ["north", "south", "1.1 Anna", "1.2 Bert", "2.1 Cafe", "2.2 Bert", "3.1 Bert"]
    assert "deliver 6, arrival" in str(root.findall("g:wpt/g:desc", NAMES)[2].text)
    first, second, _ = root.findall("g:trk", NAMES)
    assert first.findtext("g:name", "", NAMES) == "route 1, van 1, trip 1"
    points = [(p.get("lon"), p.get("lat")) for p in second.iter(f"{{{gpx.NAMESPACE}}}trkpt")]
    assert points[0] == ("9.900000", "53.500000")  # south
    assert points[-1] == ("10.000000", "53.600000")  # north
    assert len(points) == 4


def test_names_are_escaped(two_depots: tuple[sr.Instance, sr.Solution]) -> None:
    instance, solution = two_depots
    odd = replace(instance.customers[0], id="A & <B>\x01", note='"q"')
    changed = replace(instance, customers=(odd, *instance.customers[1:]))
    names = [e.text for e in parsed(changed, solution).findall("g:wpt/g:name", NAMES)]
    assert "1.1 A & <B>" in names


def test_lines_along_the_roads(two_depots: tuple[sr.Instance, sr.Solution]) -> None:
    instance, solution = two_depots
    lines = tuple(np.array([[10, 53.6], [10.01, 53.5 + k], [10.02, 53.4]]) for k in range(3))
    drawn = replace(solution, geometry=lines)
    assert drawn == solution  # the same routes
    tracks = parsed(instance, drawn).findall("g:trk/g:trkseg", NAMES)
    assert [len(track) for track in tracks] == [3, 3, 3]
    features = json.loads(geojson.dump_solution(instance, drawn))["features"]
    assert features[1]["geometry"]["coordinates"] == lines[1].tolist()
    text = json_format.dump_solution(instance, drawn)
    again = json_format.parse_solution(text, instance, "s.json").solution
    assert [line.tolist() for line in again.geometry] == [line.tolist() for line in lines]
    assert replace(drawn).without_empty_visits().geometry == ()  # other routes have none
    figure = draw_routes(instance, drawn)
    collection = figure.axes[0].collections[0]
    assert [np.asarray(path.vertices).tolist() for path in collection.get_paths()] == [
        line.tolist() for line in lines
    ]


def test_gpx_needs_latitudes(square: sr.Instance) -> None:
    with pytest.raises(sr.InputError, match="GPX needs places with lat and lon"):
        gpx.dump_solution(square, sr.Solution(()))
    with pytest.raises(sr.InputError, match="the format needs places with lat and lon"):
        check_output_format("solution", Path("routes.gpx"), instance=square)


def test_a_solution_without_routes_has_no_tracks(
    two_depots: tuple[sr.Instance, sr.Solution],
) -> None:
    root = parsed(two_depots[0], sr.Solution(()))
    assert len(root.findall("g:wpt", NAMES)) == 2  # the depots
    assert not root.findall("g:trk", NAMES)
