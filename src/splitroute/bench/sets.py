"""SET-1 to SET-4, and any file or folder of instances, as cases to run methods on.

SET-1 is made here; the others are files, looked for in the folder given, in the one that the
variable SPLITROUTE_INSTANCES names, or in the user's data folder, where `bench fetch` puts them.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from platformdirs import user_data_path

from splitroute.bench.references import best_known
from splitroute.distances import Metric
from splitroute.errors import InputError
from splitroute.formats import endings, read
from splitroute.generate import SCALE_OF_SET_1, SET_1, set1
from splitroute.instance import Instance
from splitroute.report import by_number

VARIABLE = "SPLITROUTE_INSTANCES"


@dataclass(frozen=True, slots=True)
class BenchmarkSet:
    """A folder of instances read alike."""

    name: str
    suffix: str
    scale: int = 1  # coordinates in the files are the true ones times this
    table: int = 0  # its number in the paper

    def files(self, folder: Path) -> list[Path]:
        """The files of the set below a folder that holds all sets."""
        return sorted(
            (folder / self.name).glob(f"*{self.suffix}"), key=lambda path: by_number(path.name)
        )

    def read(self, path: Path, metric: Metric = "exact") -> Instance:
        """An instance under a metric: `exact` in true units, `dimacs` in the file's own."""
        return read(path, metric=metric, scale=self.scale if metric == "exact" else 1)


SETS = (
    BenchmarkSet("SET-1", ".txt", SCALE_OF_SET_1, table=2),
    BenchmarkSet("SET-2", ".sd", table=3),
    BenchmarkSet("SET-3", ".cri", table=4),
    BenchmarkSet("SET-4", ".sd", table=5),
)

# Files that repeat others: p10 is p05, and three of SET-3 are in SET-4 under other names.
REPEATS = {"p01_00": "eil51", "p02_00": "eilA76", "p03_00": "eilA101"} | {
    f"p10_{demands}": f"p05_{demands}"
    for demands in ("00", "110", "1030", "1050", "1090", "3070", "7090")
}


@dataclass(frozen=True)
class Case:
    """An instance of a benchmark, and the name of its set."""

    set: str
    instance: Instance

    @property
    def name(self) -> str:
        """The instance's name."""
        return self.instance.name

    def fingerprint(self) -> str:
        """Of what makes the problem: the same for equal instances alone."""
        i = self.instance
        matrix = b"" if i.matrix is None else i.matrix.tobytes()
        demands = [(c.demand, c.place) for c in i.customers]
        places = i.xy + 0.0  # which makes -0 a 0
        told: tuple[object, ...] = (
            i.capacity, i.metric, str(i.unit), i.pass_through, i.splittable, demands,
        )  # fmt: skip
        told += () if i.vehicles is None else (i.vehicles,)
        return hashlib.sha256(repr(told).encode() + places.tobytes() + matrix).hexdigest()[:12]


def data_folder(given: Path | None = None) -> Path:
    """The folder that holds SET-1 to SET-4."""
    if given is not None:
        return given
    return Path(os.environ.get(VARIABLE) or user_data_path("splitroute", False) / "instances")


def cases(
    wanted: Iterable[str],
    metric: Metric | None = None,
    folder: Path | None = None,
    pass_through: bool = False,
    repeats: bool = False,
) -> list[Case]:
    """What the words name: a set, one of its instances, a file, a folder, or `all` sets."""
    found: dict[tuple[str, str], Case] = {}
    for word in wanted:
        for case in _named(word, metric, data_folder(folder), repeats):
            passing = pass_through or case.instance.pass_through
            asked = Case(case.set, replace(case.instance, pass_through=passing))
            same = found.setdefault((case.set, case.name), asked)
            if same.fingerprint() != asked.fingerprint():
                raise InputError(f"two different instances {case.name!r} in folders {case.set!r}")
    return list(found.values())


def _named(word: str, metric: Metric | None, folder: Path, repeats: bool) -> Iterator[Case]:
    if word == "all":
        for each in SETS:
            yield from _of_set(each, metric, folder, repeats)
    elif owner := next((each for each in SETS if each.name == word), None):
        yield from _of_set(owner, metric, folder, repeats)
    elif (path := Path(word)).is_dir():
        known = endings("instance")
        files = [
            p for p in sorted(path.iterdir(), key=lambda p: by_number(p.name)) if p.suffix in known
        ]
        if not files and any((path / each.name).is_dir() for each in SETS):
            for each in SETS:
                yield from _of_set(each, metric, path, repeats)
            return
        if not files:
            raise InputError(f"{path}: no instances ({' '.join(known)}) in this folder")
        yield from (_of_file(p, metric) for p in files)
    elif path.is_file():
        yield _of_file(path, metric)
    else:
        yield _of_name(word, metric, folder)


def _of_set(
    owner: BenchmarkSet, metric: Metric | None, folder: Path, repeats: bool
) -> Iterator[Case]:
    metric = metric or "exact"
    files = owner.files(folder)
    if not files and owner is SETS[0]:
        for number in range(1, len(SET_1) + 1):
            yield _generated(number, metric)
    elif not files:
        raise InputError(
            f"{owner.name}: no files in {folder / owner.name}; "
            f"name the folder as `data` or in {VARIABLE}, or run: splitroute bench fetch"
        )
    for path in files:
        if repeats or path.stem not in REPEATS:
            yield Case(owner.name, owner.read(path, metric))


def _of_name(name: str, metric: Metric | None, folder: Path) -> Case:
    for owner in SETS:
        for path in owner.files(folder):
            if path.stem == name:
                return Case(owner.name, owner.read(path, metric or "exact"))
    if re.fullmatch(r"SD\d{1,2}", name) and 1 <= int(name[2:]) <= len(SET_1):
        return _generated(int(name[2:]), metric or "exact")
    if any(name == row.instance for row in best_known().values()):
        raise InputError(
            f"{name!r} is a benchmark whose file is not in {folder}; name the folder as `data`, "
            "or run `splitroute bench fetch`"
        )
    names = ", ".join(each.name for each in SETS)
    raise InputError(f"{name!r} is no file, folder or set; sets are {names} and all")


def _of_file(path: Path, metric: Metric | None) -> Case:
    folder = path.resolve().parent.name
    owner = next((s for s in SETS if (s.name, s.suffix) == (folder, path.suffix)), None)
    if owner is not None:
        return Case(owner.name, owner.read(path, metric or "exact"))
    return Case(folder, read(path, metric=metric))


def _generated(number: int, metric: Metric) -> Case:
    # As the files have it: rounded times 100, and divided again for the true units.
    made = set1(number)
    scale = SCALE_OF_SET_1 if metric == "exact" else 1
    places = tuple(type(p)(p.x / scale, p.y / scale) for p in made.places)
    return Case(SETS[0].name, replace(made, metric=metric, places=places))
