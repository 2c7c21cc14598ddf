"""Benchmark instances: SET-1 to SET-4, other sets, and any file or folder of instances.

SET-1 is generated. The files of the other sets are read from the folder given, from the folder in
the environment variable SPLITROUTE_INSTANCES, or from the user's data folder, which is where
`bench fetch` saves SET-2 to SET-4.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from platformdirs import user_data_path

from splitroute.bench.best_known import read_best_known
from splitroute.distances import Metric
from splitroute.errors import InputError
from splitroute.formats import read, suffixes
from splitroute.generate import SET_1, SET_1_SCALE, set1
from splitroute.instance import Instance
from splitroute.report import natural_key

FOLDER_VARIABLE = "SPLITROUTE_INSTANCES"


@dataclass(frozen=True, slots=True)
class BenchmarkSet:
    """A folder of instances with the same format and scale."""

    name: str
    suffix: str = ""  # of its files; empty for any format
    scale: int = 1  # factor of the coordinates in the files
    paper_table: int = 0
    metric: Metric = "exact"  # unless another one is asked for

    def files(self, folder: Path) -> list[Path]:
        """Return the files of the set in a folder of all sets."""
        return _files(folder / self.name, [self.suffix] if self.suffix else suffixes("instance"))

    def read(self, path: Path, metric: Metric = "exact") -> Instance:
        """Read an instance; metric `exact` removes the scale, `dimacs` keeps it."""
        return read(path, metric=metric, scale=self.scale if metric == "exact" else 1)


SETS = (
    BenchmarkSet("SET-1", ".txt", SET_1_SCALE, paper_table=2),
    BenchmarkSet("SET-2", ".sd", paper_table=3),
    BenchmarkSet("SET-3", ".cri", paper_table=4),
    BenchmarkSet("SET-4", ".sd", paper_table=5),
)
# Windows (Solomon 1987), mixed fleets (Golden et al. 1984, Taillard 1999) and several depots
# (Cordeau et al. 1997).
RICH_SETS = (BenchmarkSet("solomon"), BenchmarkSet("hfvrp"), BenchmarkSet("mdvrp"))
# Ten CVRP instances with 3,000 to 30,000 customers (Arnold et al. 2019).
BELGIUM = BenchmarkSet("belgium", ".vrp", metric="dimacs")
OTHER_SETS = (*RICH_SETS, BELGIUM)

# p10 is p05, and three instances of SET-3 are in SET-4 under other names.
DUPLICATES = {"p01_00": "eil51", "p02_00": "eilA76", "p03_00": "eilA101"} | {
    f"p10_{demands}": f"p05_{demands}"
    for demands in ("00", "110", "1030", "1050", "1090", "3070", "7090")
}


@dataclass(frozen=True)
class BenchmarkInstance:
    """An instance and the name of its set."""

    set_name: str
    instance: Instance

    @property
    def name(self) -> str:
        """Name of the instance."""
        return self.instance.name

    def fingerprint(self) -> str:
        """Hash of everything that affects the cost of a solution."""
        i = self.instance
        matrix = b"" if i.matrix is None else i.matrix.tobytes()
        demands = [(c.demand, c.place) for c in i.customers]
        coordinates = i.xy + 0.0  # turns -0.0 into 0.0
        values: tuple[object, ...] = (
            i.capacity, i.metric, str(i.unit), i.pass_through, i.splittable, demands,
        )  # fmt: skip
        values += () if i.vehicles is None else (i.vehicles,)
        if i.rules:
            rules = [replace(c, id="", note="") for c in i.customers]
            values += (rules, i.fleet, i.depots, i.travel_speed, i.partial)
            matrix += b"" if i.durations is None else i.durations.tobytes()
        data = repr(values).encode() + coordinates.tobytes() + matrix
        return hashlib.sha256(data).hexdigest()[:12]


def data_folder(folder: Path | None = None) -> Path:
    """Return the folder with one folder per set: the one given, or the default."""
    if folder is not None:
        return folder
    default = user_data_path("splitroute", False) / "instances"
    return Path(os.environ.get(FOLDER_VARIABLE) or default)


def load_instances(
    names: Iterable[str],
    metric: Metric | None = None,
    folder: Path | None = None,
    pass_through: bool = False,
    duplicates: bool = False,
) -> list[BenchmarkInstance]:
    """Load instances by name: a set, one of its instances, a file, a folder, or `all`.

    The last are SET-1 to SET-4.
    """
    loaded: dict[tuple[str, str], BenchmarkInstance] = {}
    for name in names:
        for found in _load(name, metric, data_folder(folder), duplicates):
            instance = found.instance
            if pass_through:
                instance = replace(instance, pass_through=True)
            benchmark = BenchmarkInstance(found.set_name, instance)
            first = loaded.setdefault((benchmark.set_name, benchmark.name), benchmark)
            if first.fingerprint() != benchmark.fingerprint():
                raise InputError(
                    f"two different instances {benchmark.name!r} in folders "
                    f"named {benchmark.set_name!r}",
                    field="instances",
                    value=benchmark.name,
                )
    return list(loaded.values())


def _load(
    name: str, metric: Metric | None, folder: Path, duplicates: bool
) -> Iterator[BenchmarkInstance]:
    path = Path(name)
    if name == "all":
        for each_set in SETS:
            yield from _load_set(each_set, metric, folder, duplicates)
    elif named_set := next((s for s in (*SETS, *OTHER_SETS) if s.name == name), None):
        yield from _load_set(named_set, metric, folder, duplicates)
    elif path.is_dir():
        extensions = suffixes("instance")
        if files := _files(path, extensions):
            yield from (_load_file(p, metric) for p in files)
        elif any((path / s.name).is_dir() for s in SETS):
            yield from _load("all", metric, path, duplicates)
        elif present := [s for s in OTHER_SETS if (path / s.name).is_dir()]:
            for each_set in present:
                yield from _load_set(each_set, metric, path, duplicates)
        else:
            message = f"no instances ({' '.join(extensions)}) in this folder"
            raise InputError(message, field="instances", file=name, value=name)
    elif path.is_file():
        yield _load_file(path, metric)
    else:
        yield _load_by_name(name, metric, folder)


def _files(folder: Path, extensions: Iterable[str]) -> list[Path]:
    files = (path for path in folder.glob("*") if path.suffix in extensions)
    return sorted(files, key=lambda path: natural_key(path.name))


def _load_set(
    benchmark_set: BenchmarkSet, metric: Metric | None, folder: Path, duplicates: bool
) -> Iterator[BenchmarkInstance]:
    metric = metric or benchmark_set.metric
    files = benchmark_set.files(folder)
    if not files and benchmark_set is SETS[0]:
        for number in range(1, len(SET_1) + 1):
            yield _generate(number, metric)
    elif not files:
        can_fetch = benchmark_set in SETS
        raise InputError(
            f"{benchmark_set.name}: no files in {folder / benchmark_set.name}",
            code="no_benchmark_files" if can_fetch else None,
            field="instances",
            value=benchmark_set.name,
        )
    for path in files:
        if duplicates or path.stem not in DUPLICATES:
            yield BenchmarkInstance(benchmark_set.name, benchmark_set.read(path, metric))


def _load_by_name(name: str, metric: Metric | None, folder: Path) -> BenchmarkInstance:
    for benchmark_set in (*SETS, *OTHER_SETS):
        for path in benchmark_set.files(folder):
            if path.stem == name:
                instance = benchmark_set.read(path, metric or benchmark_set.metric)
                return BenchmarkInstance(benchmark_set.name, instance)
    if re.fullmatch(r"SD\d{1,2}", name) and 1 <= int(name[2:]) <= len(SET_1):
        return _generate(int(name[2:]), metric or "exact")
    if any(name == row.instance for row in read_best_known().values()):
        raise InputError(
            f"the file of benchmark {name!r} is not in {folder}",
            code="no_benchmark_files",
            field="instances",
            value=name,
        )
    sets = ", ".join(s.name for s in (*SETS, *OTHER_SETS))
    raise InputError(
        f"no instance, file, folder or set {name!r}; known sets: {sets}, all",
        field="instances",
        value=name,
    )


def _load_file(path: Path, metric: Metric | None) -> BenchmarkInstance:
    folder = path.resolve().parent.name
    for benchmark_set in SETS:
        if (benchmark_set.name, benchmark_set.suffix) == (folder, path.suffix):
            return BenchmarkInstance(folder, benchmark_set.read(path, metric or "exact"))
    return BenchmarkInstance(folder, read(path, metric=metric))


def _generate(number: int, metric: Metric) -> BenchmarkInstance:
    # The files have coordinates times 100, rounded; `exact` divides them again.
    instance = set1(number)
    scale = SET_1_SCALE if metric == "exact" else 1
    places = tuple(type(p)(p.x / scale, p.y / scale) for p in instance.places)
    return BenchmarkInstance(SETS[0].name, replace(instance, metric=metric, places=places))
