"""Against the real Valhalla: matrix, solution and geometry."""

from pathlib import Path

import numpy as np
import pytest

import splitroute as sr
from road_servers import monaco


def test_from_matrix_to_geometry(valhalla: str, tmp_path: Path) -> None:
    straight = monaco(60)  # 2 x 2 blocks
    instance = sr.with_roads(straight, valhalla, cache=tmp_path)
    assert (instance.roads, instance.symmetric) == ("valhalla", False)
    assert 1.2 < instance.table.sum() / straight.table.sum() < 4
    assert instance.durations is not None
    is_far = instance.table > 1
    speeds = 60 * instance.table[is_far] / instance.durations[is_far]
    assert 10 < speeds.mean() < 60
    solution = sr.Solution.unsplit(instance, [[1, 2, 3], list(range(4, 40))])
    drawn = sr.with_geometry(instance, solution, valhalla, cache=tmp_path)
    assert drawn == solution
    for line, route in zip(drawn.geometry, solution.routes, strict=True):
        assert len(line) > 10 * len(route.visits)
        assert np.abs(line - instance.xy[0]).max() < 0.1  # degrees: it is all in Monaco
        assert np.abs(line[[0, -1]] - instance.xy[0]).max() < 0.002


def test_profiles_differ(valhalla: str, tmp_path: Path) -> None:
    car = sr.with_roads(monaco(10), valhalla, cache=tmp_path)
    bicycle = sr.with_roads(
        monaco(10), valhalla.replace("valhalla:", "valhalla:profile=bicycle:"), cache=tmp_path
    )
    assert car.durations is not None
    assert bicycle.durations is not None
    assert bicycle.durations.sum() > 1.2 * car.durations.sum()


def test_a_customer_far_from_any_road_is_named(valhalla: str, tmp_path: Path) -> None:
    at_sea = sr.Instance.create(
        10, [1, 1], lat=[43.7384, 43.735, 43.7270], lon=[7.4246, 7.42, 7.4330], ids=["Ann", "Boat"]
    )
    with pytest.warns(sr.InputWarning, match=r"customer 'Boat' is [\d,]+ m from the nearest road"):
        sr.with_roads(at_sea, valhalla, cache=tmp_path)


def test_an_unknown_profile_is_refused(valhalla: str, tmp_path: Path) -> None:
    flying = valhalla.replace("valhalla:", "valhalla:profile=flying_carpet:")
    with pytest.raises(sr.RoadServerError, match=r"flying_carpet|costing"):
        sr.with_roads(monaco(3), flying, cache=tmp_path)
