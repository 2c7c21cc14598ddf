from pathlib import Path

import numpy as np
import pytest

import splitroute as sr
from splitroute.errors import InputError
from splitroute.generate import set1
from splitroute.plots.convergence import draw_convergence, save_convergence
from splitroute.plots.files import check_plot_path


def test_cost_and_lower_bound_are_drawn_in_a_panel_per_result(tmp_path: Path) -> None:
    result = sr.solve(set1(1), stop=sr.Stop(iterations=50), bound=0.0)
    figure = draw_convergence([result, result])
    assert len(figure.axes) == 2
    assert [line.get_label() for line in figure.axes[0].lines] == ["cost", "lower bound"]
    assert np.asarray(figure.axes[0].lines[0].get_ydata())[-1] == result.cost
    assert "optimality gap" in figure.axes[0].get_title(loc="left")
    save_convergence(path := tmp_path / "convergence.svg", result)
    assert path.read_text().startswith("<?xml")


def test_unknown_plot_formats_are_refused() -> None:
    with pytest.raises(InputError, match=r"plot format '\.bmp'; known: \.png, \.svg, \.pdf"):
        check_plot_path(Path("convergence.bmp"))
