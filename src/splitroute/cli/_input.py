"""How commands read instances and solutions."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from splitroute import formats
from splitroute.cli import _options as o
from splitroute.cli._columns import parse_columns
from splitroute.cli._progress import RoadProgress
from splitroute.cli._streams import DASH, STDIN, STDOUT, BinaryFile, check_single, source
from splitroute.distances import METRICS
from splitroute.errors import InputError, InputWarning, RoadServerError, issue
from splitroute.files import check_distinct, check_writable
from splitroute.instance import Instance
from splitroute.registry import check_choice
from splitroute.roads import with_geometry
from splitroute.solution import Solution

File = Path | BinaryFile


@dataclass(frozen=True)
class InputOptions:
    """How to read an instance."""

    metric: o.MetricName = None
    format: o.Format = None
    unit: o.Unit = None
    scale: o.Scale = 1.0
    capacity: o.Capacity = None
    depot: o.Depot = None
    vehicles: o.Vehicles = None
    fleet: o.Fleet = None
    depots: o.Depots = None
    speed: o.Speed = None
    partial: o.Partial = False
    columns: o.Columns = None
    sheet: o.Sheet = None
    matrix: o.Matrix = None
    durations: o.Durations = None
    roads: o.Roads = None
    roads_cache: o.RoadsCache = None
    pass_through: o.PassThrough = False

    def read(self, file: File) -> Instance:
        """Read an instance."""
        check_single(STDIN, (file, *self._tables))
        if self.metric is not None:
            check_choice(list(METRICS), "metric", self.metric)
        instance = formats.read(
            source(file),
            metric=self.metric,  # type: ignore[arg-type]
            unit=self.unit,
            scale=self.scale,
            capacity=self.capacity,
            depot=None if self.depot is None else _parse_depot(self.depot),
            fleet=source(self.fleet),
            depots=source(self.depots),
            speed=self.speed,
            partial=self.partial,
            columns=None if self.columns is None else parse_columns(self.columns),
            sheet=self.sheet,
            matrix=source(self.matrix),
            durations=source(self.durations),
            roads=self.roads,
            roads_cache=self.roads_cache,
            roads_listener=RoadProgress(),
            format=self.format,
        )
        if self.vehicles is not None:
            instance = _limit_vehicles(instance, self.vehicles)
        return replace(instance, pass_through=True) if self.pass_through else instance

    @property
    def _tables(self) -> tuple[Path | None, ...]:
        return self.fleet, self.depots, self.matrix, self.durations

    def with_geometry(self, instance: Instance, solution: Solution) -> Solution:
        """Return the solution with lines along the roads, if there is a road server."""
        if self.roads is None or solution.geometry:
            return solution
        try:
            return with_geometry(instance, solution, self.roads, cache=self.roads_cache)
        except RoadServerError as error:
            # What was computed is worth more than how it is drawn.
            message = f"routes are drawn as straight lines: {error.message}"
            issue(InputWarning(message, field="roads"))
            return solution

    def check_outputs(self, outputs: Iterable[Path], *inputs: Path | None) -> None:
        """Raise unless files can be written, and are neither read nor written twice."""
        outputs = list(outputs)
        check_single(STDOUT, outputs)
        used = [path for path in (*self._tables, *inputs) if path is not None]
        for path in outputs:
            if path == DASH:
                continue
            check_distinct(path, *used)
            check_writable(path)
            used.append(path)

    def read_with_solution(
        self, file: File, solution_file: File, solution_format: str | None = None
    ) -> tuple[Instance, formats.ParsedSolution]:
        """Read an instance and a solution, in the metric of the solution unless one is given."""
        check_single(STDIN, (file, solution_file, *self._tables))
        file = source(file)  # which may be read again
        instance = self.read(file)
        try:
            parsed = formats.read_solution(source(solution_file), instance, format=solution_format)
        except InputError as error:
            if error.field == "format":  # --format is that of the instance
                error.field = "solution_format"
            raise
        is_other = parsed.metric not in (None, "matrix", instance.metric)  # no file has a matrix
        if self.metric is None and self.roads is None and self.matrix is None and is_other:
            instance = replace(self, metric=parsed.metric).read(file)
        return instance, parsed


def _limit_vehicles(instance: Instance, count: int) -> Instance:
    """Return the instance with so many vehicles, which must all be of one type."""
    if instance.origin is not None:
        message = f"vehicles is {count}, but requests have vehicles of their own; omit it"
        raise InputError(message, field="vehicles", value=count)
    if not instance.fleet:
        return replace(instance, vehicles=count)
    if len(instance.fleet) == 1:
        return replace(instance, fleet=(replace(instance.fleet[0], count=count),))
    raise InputError(
        f"vehicles is {count}, but there are {len(instance.fleet)} vehicle types; "
        "set the count of each type instead",
        field="vehicles",
        value=count,
    )


def _parse_depot(text: str) -> tuple[float, float] | str:
    """Return a point if the text is one, otherwise the id of a row."""
    first, comma, second = text.partition(",")
    try:
        point = float(first), float(second)
    except ValueError:
        return text
    if comma and all(map(math.isfinite, point)):
        return point
    raise InputError(
        f"depot is {text}; it must be two finite numbers, X,Y or LAT,LON, or the id of a row",
        field="depot",
        value=text,
    )
