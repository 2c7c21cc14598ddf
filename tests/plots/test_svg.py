"""Small maps of reports: few bytes, and everything where it is."""

import re
from itertools import accumulate
from xml.etree import ElementTree

import splitroute as sr
from splitroute.generate import set1
from splitroute.plots.svg import THUMBNAIL, thumbnail_svg


def test_a_thumbnail_has_legs_tours_customers_and_depot() -> None:
    instance = set1(1)
    solution = sr.solve(instance, stop=sr.Stop(iterations=50)).solution
    svg = thumbnail_svg(instance.xy[instance.sites], solution, "<b> & co")
    root = ElementTree.fromstring(svg)
    legs, *tours, dots, depot = root
    longer = [route for route in solution.routes if len(route.visits) > 1]
    assert root.get("aria-label") == "<b> & co"
    assert (len(legs), len(tours)) == (len(solution.routes), len(longer))
    assert len(_places(tours[0].get("d"))) == len(longer[0].visits)
    places = _places(dots.get("d"))
    assert len(places) == len(instance.customers)
    assert all(0 < x < THUMBNAIL and 0 < y < THUMBNAIL for x, y in places)
    [(x, y)] = _places(str(depot.get("d")).partition("h")[0])
    centre = (x + 8, y + 8)
    assert all(_places(leg.get("d"))[1] == centre for leg in legs)


def test_a_thumbnail_of_100_customers_has_less_than_8_kilobytes() -> None:
    instance = sr.Instance.create(10, [4] * 100, [(k % 11, k // 11) for k in range(101)])
    solution = sr.solve(instance, stop=sr.Stop(iterations=100), bound=0).solution
    assert len(thumbnail_svg(instance.xy[instance.sites], solution, "grid")) < 8_000


def _places(path: str | None) -> list[tuple[int, int]]:
    """Places of a path of relative steps."""
    numbers = [int(number) for number in re.findall(r"-?\d+", path or "")]
    return list(zip(accumulate(numbers[::2]), accumulate(numbers[1::2]), strict=True))
