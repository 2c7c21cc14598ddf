"""Definitions of SET-1 to SET-4: their files, and what one unit of their coordinates is."""

from dataclasses import dataclass
from pathlib import Path

from splitroute.distances import Metric
from splitroute.formats import read
from splitroute.generate import SCALE_OF_SET_1
from splitroute.instance import Instance


@dataclass(frozen=True, slots=True)
class BenchmarkSet:
    """A folder of instances read alike."""

    name: str
    suffix: str
    scale: int = 1  # coordinates in the files are the true ones times this

    def files(self, folder: Path) -> list[Path]:
        """The files of the set below a folder that holds all sets."""
        return sorted((folder / self.name).glob(f"*{self.suffix}"))

    def read(self, path: Path, metric: Metric = "exact") -> Instance:
        """An instance under a metric: `exact` in true units, `dimacs` in the file's own."""
        return read(path, metric=metric, scale=self.scale if metric == "exact" else 1)


SETS = (
    BenchmarkSet("SET-1", ".txt", SCALE_OF_SET_1),
    BenchmarkSet("SET-2", ".sd"),
    BenchmarkSet("SET-3", ".cri"),
    BenchmarkSet("SET-4", ".sd"),
)
