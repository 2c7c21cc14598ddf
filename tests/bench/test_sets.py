from pathlib import Path

import pytest

import splitroute as sr
from splitroute.bench.sets import REPEATS, SETS, cases
from splitroute.errors import InputError
from splitroute.generate import set1

NOWHERE = Path("/nonexistent")


def test_set_1_is_made_where_there_are_no_files() -> None:
    found = cases(["SET-1"], "dimacs", NOWHERE)
    assert [case.name for case in found] == [f"SD{k}" for k in range(1, 22)]
    assert found[5].instance.places == set1(6).places


def test_the_metric_decides_the_scale_of_set_1() -> None:
    (exact,), (dimacs,) = cases(["SD6"], "exact", NOWHERE), cases(["SD6"], "dimacs", NOWHERE)
    assert exact.instance.table.max() == pytest.approx(dimacs.instance.table.max() / 100, rel=1e-3)


def test_made_instances_are_those_of_the_files(benchmark_file: object) -> None:
    path = benchmark_file("SET-1/SD6.txt")  # type: ignore[operator]
    (from_file,), (made,) = cases(["SD6"], None, path.parents[1]), cases(["SD6"], None, NOWHERE)
    assert from_file.fingerprint() == made.fingerprint()


def test_repeated_files_are_left_out(benchmark_file: object) -> None:
    folder = benchmark_file("SET-3/p01_00.cri").parents[1]  # type: ignore[operator]
    assert len(cases(["all"], folder=folder)) == 85
    assert len(cases(["all"], folder=folder, repeats=True)) == 95
    by_name = {c.name: c.instance for c in cases(["all"], folder=folder, repeats=True)}
    for copy, original in REPEATS.items():
        assert by_name[copy].places == by_name[original].places
        assert list(by_name[copy].demands) == list(by_name[original].demands)


def test_any_folder_of_instances_is_a_set(tmp_path: Path, square: sr.Instance) -> None:
    for name in ("b10", "b2"):
        sr.write(square, tmp_path / f"{name}.txt")
    found = cases([str(tmp_path)])
    assert [(case.set, case.name) for case in found] == [
        (tmp_path.name, "b2"),
        (tmp_path.name, "b10"),
    ]


def test_named_twice_is_there_once(tmp_path: Path) -> None:
    assert len(cases(["SD1", "SD1", "SET-1"], folder=NOWHERE)) == 21


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("SET-9", "is no file, folder or set; sets are SET-1, SET-2, SET-3, SET-4 and all"),
        ("SET-2", "run: splitroute bench fetch"),
        ("SD22", "is no file, folder or set"),
    ],
)
def test_what_is_not_there_is_said(word: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        cases([word], folder=NOWHERE)


def test_a_file_is_read_alike_however_it_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "SET-1").mkdir()
    sr.write(set1(1), tmp_path / "SET-1" / "SD1.txt")
    (far,) = cases([str(tmp_path / "SET-1" / "SD1.txt")])
    monkeypatch.chdir(tmp_path / "SET-1")
    (near,) = cases(["SD1.txt"])
    assert near.fingerprint() == far.fingerprint()
    assert near.set == "SET-1"


def test_two_instances_of_one_name_are_refused(tmp_path: Path, square: sr.Instance) -> None:
    for k, instance in enumerate((square, set1(1))):
        (tmp_path / str(k) / "data").mkdir(parents=True)
        sr.write(instance, tmp_path / str(k) / "data" / "x.txt")
    with pytest.raises(InputError, match="two different instances 'x'"):
        cases([str(tmp_path / "0" / "data"), str(tmp_path / "1" / "data")])


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no instances"):
        cases([str(tmp_path)])


def test_the_paper_s_tables_are_numbered() -> None:
    assert [each.table for each in SETS] == [2, 3, 4, 5]
