"""Arguments of the wrong type are answered with a call that works."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import splitroute as sr
from conftest import routes


@pytest.mark.parametrize("suffix", ["json", "csv", "txt"])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"scale": "2"}, "scale is '2'; it must be a number above 0"),
        ({"scale": 0}, "scale is 0; it must be a number above 0"),
        ({"scale": True}, "scale is True; it must be a number above 0"),
        ({"speed": True}, "speed is True; it must be a number above 0"),
        ({"speed": 10**400}, "speed is 10+; it must be a number above 0"),
        ({"speed": "50"}, "speed is '50'; it must be a number above 0"),
        ({"depot": 5}, r"depot is int 5, not an id or a point; call read\(.., depot=\(x, y\)\)"),
        ({"depot": ("1", "2")}, r"not an id or a point; call read\(.., depot=\(x, y\)\)"),
        ({"metric": 5}, "unknown metric 5; known: exact, dimacs"),
    ],
)
def test_read(
    square: sr.Instance, tmp_path: Path, suffix: str, options: dict[str, Any], message: str
) -> None:
    sr.write(square, path := tmp_path / f"square.{suffix}")
    with pytest.raises(sr.InputError, match=message) as caught:
        sr.read(path, **options)
    assert caught.value.field in options


def test_a_point_may_be_a_list_and_a_format_must_be_a_name(tmp_path: Path) -> None:
    (path := tmp_path / "it.csv").write_text("# capacity: 9\nid,x,y,demand\na,1,2,3\n")
    assert sr.read(path, depot=[3, 4]).places[0] == (3, 4)  # type: ignore[arg-type]
    with pytest.raises(sr.InputError, match="unknown instance format 5; known: ") as caught:
        sr.read(path, format=5)  # type: ignore[arg-type]
    assert caught.value.field == "format"


def test_paths(square: sr.Instance) -> None:
    calls: list[Callable[..., object]] = [
        sr.read,
        lambda path: sr.read_solution(path, square),
        lambda path: sr.write(square, path),
    ]
    for call in calls:
        with pytest.raises(sr.InputError, match="path is int 3, not a path; call") as caught:
            call(3)
        assert caught.value.field == "path"
    with pytest.raises(sr.InputError, match="instance is NoneType None, not an Instance"):
        sr.read_solution("a.json", None)  # type: ignore[arg-type]


def test_write(square: sr.Instance, tmp_path: Path) -> None:
    result = sr.solve(square, stop=sr.Stop(iterations=1))
    with pytest.raises(sr.InputError, match=r"call write\(result.solution, path, instance=result"):
        sr.write(result, tmp_path / "a.json")  # type: ignore[arg-type]
    with pytest.raises(sr.InputError, match=r"call write\(solution, path, instance=instance\)"):
        sr.write(routes([(1, 6)]), tmp_path / "a.json")
    assert not list(tmp_path.iterdir())
