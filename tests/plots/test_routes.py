from pathlib import Path

import numpy as np
import pytest
from matplotlib.colors import to_rgba

import splitroute as sr
from conftest import routes
from splitroute.engines._sweep import sweep
from splitroute.formats import html
from splitroute.generate import random_instance, set1
from splitroute.plots.axes import PALE
from splitroute.plots.legend import MAX_ROWS
from splitroute.plots.routes import check_drawable, draw_routes, draw_thumbnail


def test_split_customers_are_pies_of_their_visits() -> None:
    instance = set1(1)
    result = sr.solve(instance, stop=sr.Stop(iterations=50))
    axes = draw_routes(instance, result.solution, sr.split(instance)).axes[0]
    wedges = next(c for c in axes.collections if c.get_zorder() == 4)
    rims = next(c for c in axes.collections if c.get_zorder() == 5)
    split = result.solution.split_customers()
    assert split
    assert len(rims.get_paths()) == len(split)
    assert len(wedges.get_paths()) == result.solution.num_visits
    assert len(axes.patches) == 2  # the rings


def test_undelivered_demand_is_grey_and_named() -> None:
    points = [(0, 0), (3, 4), (6, 8), (5, 0)]
    instance = sr.Instance.create(9, [9, 6, 5], points, name="it", partial=True)
    solution = sr.Solution((sr.Route((sr.Visit(1, 9),)), sr.Route((sr.Visit(2, 2),))))
    axes = draw_routes(instance, solution).axes[0]
    assert axes.get_title("left").endswith("0 of 3 customers split, 9 undelivered at 2 customers")
    legend = axes.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == ["undelivered"]
    discs = next(c for c in axes.collections if c.get_zorder() == 4)
    assert len(discs.get_paths()) == 4  # one customer is a pie of both
    is_grey = np.isclose(np.asarray(discs.get_facecolor()), to_rgba(PALE)).all(axis=1)
    assert is_grey.sum() == 2
    complete = draw_routes(instance, None).axes[0]
    assert complete.get_legend() is None


def test_only_deliveries_are_slices() -> None:
    points = [(0, 0), (3, 4), (6, 8)]
    instance = sr.Instance.create(9, [0, 6], points, name="it")
    passing = routes([(1, 0), (2, 6)], [(1, 0)], [(2, 0)])
    wrong = routes([(1, -3), (2, 6)], [(1, 3)])  # as a file may state
    for solution in (passing, wrong):
        axes = draw_routes(instance, solution).axes[0]
        discs = next(c for c in axes.collections if c.get_zorder() == 4)
        assert len(discs.get_paths()) == 2
        assert 'class="rim"' not in html.dump_solution(instance, solution)


@pytest.mark.parametrize("place", [(0.0, 0.0), (500_000.0, 5_900_000.0), (-1e9, 1e9)])
@pytest.mark.filterwarnings("error")
def test_a_single_place_is_drawn(place: tuple[float, float]) -> None:
    instance = sr.Instance.create(9, [6], [place, place])
    axes = draw_routes(instance, routes([(1, 6)])).axes[0]
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    assert left < place[0] < right
    assert bottom < place[1] < top


def test_the_legend_lists_every_route_and_stays_readable() -> None:
    instance = random_instance(110, low=0.7, high=0.9)
    solution = sweep(sr.split(instance, "none").to_cvrp())
    figure = draw_routes(instance, solution)
    legend = figure.axes[1]
    numbers = [text for text in legend.texts if text.get_text().isdecimal()]
    assert [text.get_text() for text in numbers] == [str(k) for k in range(1, 111)]
    assert min(float(text.get_fontsize()) for text in numbers) >= 7
    rows = {text.get_position()[1] for text in numbers}
    assert len(rows) <= MAX_ROWS
    inches = figure.get_size_inches()[1] / (len(rows) + 2)
    assert inches > 7 / 72 * 1.3  # rows do not touch


def test_an_instance_without_a_solution_is_drawn_on_the_globe() -> None:
    instance = sr.Instance.create(10, [6, 0], lat=[50, 50.1, 50.3], lon=[10, 10.2, 9.9])
    axes = draw_routes(instance, None, sr.split(instance)).axes[0]
    assert axes.get_aspect() == pytest.approx(1.56, abs=0.01)


def test_a_map_without_a_name_in_axes_of_others() -> None:
    from matplotlib.figure import Figure

    figure = Figure()
    left, right = figure.subplots(1, 2)
    instance = sr.Instance.create(10, [6, 1], [(0, 0), (1, 2), (3, 1)])
    solution = sr.Solution.unsplit(instance, [[1, 2]])
    assert draw_routes(instance, solution, axes=right) is figure
    assert figure.axes == [left, right]
    assert right.get_title(loc="left").startswith("cost ")
    assert draw_routes(instance).axes[0].get_title(loc="left") == "2 customers"


def test_instances_that_cannot_be_drawn_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    matrix = sr.Instance.create(5, [3], matrix=[[0, 1], [2, 0]])
    with pytest.raises(sr.InputError, match="without coordinates"):
        check_drawable(Path("it.png"), matrix)
    monkeypatch.setattr("splitroute.registry.find_spec", lambda name: None)
    with pytest.raises(sr.EngineError, match=r"matplotlib is not .* pip install 'splitroute\[plot"):
        check_drawable(Path("it.png"), set1(1))


def test_a_thumbnail_shows_routes_customers_and_depot_without_labels() -> None:
    from matplotlib.figure import Figure

    instance = set1(1)
    solution = sr.solve(instance, stop=sr.Stop(iterations=50)).solution
    axes = Figure().add_subplot()
    draw_thumbnail(axes, instance.xy[instance.sites], solution)
    legs, tours = axes.collections
    assert len(legs.get_paths()) == len(tours.get_paths()) == len(solution.routes)
    customers, depot = axes.lines
    assert np.size(customers.get_xdata()) == len(instance.customers)
    assert np.size(depot.get_xdata()) == 1
    assert not axes.axison
    assert not axes.texts


def test_every_depot_is_drawn_and_routes_end_where_they_should(
    two_depots: tuple[sr.Instance, sr.Solution],
) -> None:
    axes, legend = draw_routes(*two_depots).axes
    texts = {text.get_text() for text in axes.texts}
    assert {"north", "south", "1", "2", "3"} <= texts
    legs = axes.collections[0].get_segments()  # type: ignore[attr-defined]
    truck = [[list(point) for point in leg] for leg in legs[1:3]]
    assert truck == [[[9.9, 53.5], [10.2, 53.45]], [[9.95, 53.4], [10.0, 53.6]]]
    shown = " ".join(text.get_text() for text in legend.texts)
    assert "visits · cost · vehicle" in shown
    assert "van 1, trip 1" in shown
    assert "truck 1" in shown
