from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import splitroute as sr
from splitroute.bench.filo2 import filo2
from splitroute.bench.sets import BELGIUM, DUPLICATES, SETS, BenchmarkInstance, load_instances
from splitroute.errors import InputError
from splitroute.generate import set1
from splitroute.instance import VehicleType

NOWHERE = Path("/nonexistent")


def test_set_1_is_generated_without_files() -> None:
    loaded = load_instances(["SET-1"], "dimacs", NOWHERE)
    assert [b.name for b in loaded] == [f"SD{k}" for k in range(1, 22)]
    assert loaded[5].instance.places == set1(6).places


def test_the_metric_decides_the_scale_of_set_1() -> None:
    (exact,) = load_instances(["SD6"], "exact", NOWHERE)
    (dimacs,) = load_instances(["SD6"], "dimacs", NOWHERE)
    assert exact.instance.table.max() == pytest.approx(dimacs.instance.table.max() / 100, rel=1e-3)


def test_generated_instances_match_the_files(benchmark_file: object) -> None:
    path = benchmark_file("SET-1/SD6.txt")  # type: ignore[operator]
    (from_file,) = load_instances(["SD6"], None, path.parents[1])
    (generated,) = load_instances(["SD6"], None, NOWHERE)
    assert from_file.fingerprint() == generated.fingerprint()


def test_duplicates_are_excluded_by_default(benchmark_file: object) -> None:
    folder = benchmark_file("SET-3/p01_00.cri").parents[1]  # type: ignore[operator]
    assert len(load_instances(["all"], folder=folder)) == 85
    by_name = {b.name: b.instance for b in load_instances(["all"], folder=folder, duplicates=True)}
    assert len(by_name) == 95
    for copy, original in DUPLICATES.items():
        assert by_name[copy].places == by_name[original].places
        assert list(by_name[copy].demands) == list(by_name[original].demands)


def test_any_folder_of_instances_is_a_set(tmp_path: Path, square: sr.Instance) -> None:
    for name in ("b10", "b2"):
        sr.write(square, tmp_path / f"{name}.txt")
    loaded = load_instances([str(tmp_path)])
    assert [(b.set_name, b.name) for b in loaded] == [
        (tmp_path.name, "b2"),
        (tmp_path.name, "b10"),
    ]


def test_instances_named_twice_are_loaded_once(tmp_path: Path) -> None:
    assert len(load_instances(["SD1", "SD1", "SET-1"], folder=NOWHERE)) == 21


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "SET-9",
            "no instance, file, .*; known sets: SET-1, .*, mdvrp, belgium, all",
        ),
        ("SET-2", "SET-2: no files in "),
        ("solomon", "solomon: no files in "),
        ("SD22", "no instance, file, folder or set 'SD22'"),
    ],
)
def test_unknown_names_are_refused(name: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        load_instances([name], folder=NOWHERE)


def test_the_command_line_says_how_to_get_the_files(run: Callable[..., Any]) -> None:
    with pytest.raises(InputError) as caught:
        load_instances(["SET-2"], folder=NOWHERE)
    assert caught.value.code == "no_benchmark_files"
    assert "splitroute" not in caught.value.message.replace(str(NOWHERE), "")
    done = run("bench", "run", "--instances", "SET-2", "--methods", "native", "--data", NOWHERE)
    assert (
        "; run `splitroute bench fetch`, or set SPLITROUTE_INSTANCES (--instances)" in done.stderr
    )


def test_the_working_directory_does_not_matter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "SET-1").mkdir()
    sr.write(set1(1), tmp_path / "SET-1" / "SD1.txt")
    (absolute,) = load_instances([str(tmp_path / "SET-1" / "SD1.txt")])
    monkeypatch.chdir(tmp_path / "SET-1")
    (relative,) = load_instances(["SD1.txt"])
    assert relative.fingerprint() == absolute.fingerprint()
    assert relative.set_name == "SET-1"


def test_different_instances_with_the_same_name_are_refused(
    tmp_path: Path, square: sr.Instance
) -> None:
    for k, instance in enumerate((square, set1(1))):
        (tmp_path / str(k) / "data").mkdir(parents=True)
        sr.write(instance, tmp_path / str(k) / "data" / "x.txt")
    with pytest.raises(InputError, match="two different instances 'x'"):
        load_instances([str(tmp_path / "0" / "data"), str(tmp_path / "1" / "data")])


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no instances"):
        load_instances([str(tmp_path)])


def test_each_set_has_its_table_in_the_paper() -> None:
    assert [s.paper_table for s in SETS] == [2, 3, 4, 5]


RICH = sr.Instance.create(
    10, [6, 8], [(0, 0), (3, 4), (6, 8)], name="C999", windows=[((0, 50),), ()], service=2
)


def test_sets_with_rules_are_read_in_any_format(tmp_path: Path) -> None:
    (tmp_path / "solomon").mkdir()
    sr.write(RICH, tmp_path / "solomon" / "C999.json")
    for names in (["solomon"], ["C999"], [str(tmp_path)]):
        (loaded,) = load_instances(names, folder=tmp_path)
        assert (loaded.set_name, loaded.instance) == ("solomon", RICH)


def test_the_belgian_set_has_rounded_distances(tmp_path: Path) -> None:
    (tmp_path / "belgium").mkdir()
    dimacs = sr.Instance.create(
        10, [6, 8], [(0, 0), (1, 1), (6, 8)], name="Leuven1", metric="dimacs"
    )
    sr.write(dimacs, tmp_path / "belgium" / "Leuven1.vrp")
    for names in (["belgium"], ["Leuven1"], [str(tmp_path)]):
        (loaded,) = load_instances(names, folder=tmp_path)
        assert (loaded.set_name, loaded.name) == ("belgium", "Leuven1")
        assert (loaded.instance.metric, loaded.instance.pass_through) == ("dimacs", False)


def test_the_belgian_set_is_complete(benchmark_file: Callable[[str], Path]) -> None:
    path = benchmark_file("belgium/Leuven1.vrp")
    assert {p.stem for p in BELGIUM.files(path.parents[1])} == {name for _, name in filo2()}
    (loaded,) = load_instances(["Leuven1"], folder=path.parents[1])
    assert loaded.name == "Leuven1"
    assert len(loaded.instance.customers) == 3000


def test_rules_are_part_of_the_fingerprint() -> None:
    variants = [
        RICH,
        replace(RICH, customers=tuple(replace(c, service=3.0) for c in RICH.customers)),
        replace(RICH, speed=2.0),
        replace(RICH, fleet=(VehicleType("a", 10, max_distance=90.0),)),
    ]
    assert len({BenchmarkInstance("x", v).fingerprint() for v in variants}) == len(variants)
