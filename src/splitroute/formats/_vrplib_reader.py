"""Makes an instance of the parts of a VRPLIB file."""

from collections.abc import Iterator
from itertools import islice

import numpy as np

from splitroute.distances import Floats, Metric
from splitroute.errors import InputError
from splitroute.formats import Reading
from splitroute.formats._faults import Faults, at, warn
from splitroute.formats._numbers import Quantities, coordinate, shown
from splitroute.formats._places import Point, located
from splitroute.formats._tsplib import FORMATS, KINDS, Parts, degrees, distances, explicit
from splitroute.instance import Instance

# TSPLIB rounds EUC_2D to the nearest whole number; EXACT_2D is VRPH's name for unrounded.
METRICS: dict[str, Metric] = {"EUC_2D": "dimacs", "EXACT_2D": "exact"}
UNSUPPORTED = {
    "BACKHAUL", "DISTANCE", "LINEHAUL", "PICKUP_AND_DELIVERY", "SERVICE_TIME", "STANDTIME",
    "SVC_TIME", "TIME_WINDOW", "VEHICLE_CAPACITY",
}  # fmt: skip
MAX_DIGITS = 9  # of a count


class Reader:
    """Makes an instance of the parts of a file."""

    def __init__(self, found: Parts, reading: Reading) -> None:
        self._stated, self._sections = found.stated, found.sections
        self._reading, self._file = reading, reading.name
        self._faults = Faults(reading.name)
        if refused := sorted(UNSUPPORTED & (found.stated.keys() | found.sections.keys())):
            raise InputError(
                f"{self._file}: {', '.join(refused)} is a constraint that is not supported; "
                "remove it if the solution need not satisfy it"
            )
        size = self._count("DIMENSION")
        if size is None:
            raise InputError(f"{self._file}: no DIMENSION is given", field="DIMENSION")
        self._size = size
        self._kind = self._edge_weight_type()
        self._metric = self._chosen_metric()

    def instance(self) -> Instance:
        """The instance; every section is counted before anything is made of the DIMENSION."""
        unit, (capacity, *demands) = self._quantities().whole()
        points = self._points()
        self._faults.check()
        depot = self._depot()
        if demands[depot]:
            said = f"the depot, node {depot + 1}, has a demand, which is ignored"
            warn(said, self._file, field="demand")
        order = [depot, *(k for k in range(self._size) if k != depot)]
        on_globe = self._kind == "GEO"
        places: list[Point] = []
        if points is not None:
            places = (degrees(points[order]) if on_globe else points[order][:, :2]).tolist()
        return Instance.create(
            capacity=capacity,
            demands=[demands[k] for k in order[1:]],
            **located(places, on_globe, self._reading.scale),
            matrix=self._matrix(points, order) if self._metric == "matrix" else None,
            metric=self._metric,
            name=self._stated.get("NAME", ("", 0))[0] or self._reading.stem,
            unit=unit,
            vehicles=self._count("VEHICLES"),
        )

    def _quantities(self) -> Quantities:
        quantities = Quantities(self._file, self._reading.unit, self._faults)
        capacity, line = self._stated.get("CAPACITY", (None, None))
        if self._reading.capacity is not None:
            capacity, line = str(self._reading.capacity), None
        if capacity is None:
            self._faults.add("no CAPACITY is given", field="capacity")
        else:
            quantities.add(capacity, "capacity", line)
        for node, line, words in self._rows("DEMAND"):
            if len(words) == 1:
                quantities.add(words[0], f"demand of node {node}", line)
            else:
                self._faults.add(f"node {node} has {len(words)} demands; it has 1", line)
        return quantities

    def _points(self) -> Floats | None:
        """Coordinates of the nodes in their order, if there are any."""
        drawn = "NODE_COORD" if "NODE_COORD" in self._sections else "DISPLAY_DATA"
        if drawn not in self._sections and self._kind == "EXPLICIT":
            return None
        points = []
        width = 3 if self._kind.endswith("3D") else 2
        for node, line, words in self._rows(drawn if self._kind == "EXPLICIT" else "NODE_COORD"):
            if len(words) != width:
                said = f"node {node} has {len(words)} coordinates; there are {width}"
                self._faults.add(said, line)
            with self._faults:
                what = f"a coordinate of node {node}"
                points.append([coordinate(word, what, self._file, line) for word in words])
        return None if self._faults else np.array(points)

    def _matrix(self, points: Floats | None, order: list[int]) -> Floats:
        if self._kind != "EXPLICIT":
            assert points is not None
            return distances(self._kind, points[order])
        form, line = self._stated.get("EDGE_WEIGHT_FORMAT", ("FULL_MATRIX", None))
        if form not in FORMATS:
            raise self._unknown("EDGE_WEIGHT_FORMAT", form, line, list(FORMATS))
        if "EDGE_WEIGHT" not in self._sections:
            raise InputError(f"{self._file}: no EDGE_WEIGHT_SECTION", field="EDGE_WEIGHT_SECTION")
        matrix = explicit(self._sections["EDGE_WEIGHT"], form, self._size, self._file)
        return matrix if order[0] == 0 else matrix[np.ix_(order, order)]

    def _depot(self) -> int:
        """The index of the depot, which is the first node unless it is stated."""
        if "DEPOT" not in self._sections:
            return 0
        words = (word for _, row in self._sections["DEPOT"].rows() for word in row)
        named = list(islice((word for word in words if word != "-1"), 10))
        line = self._sections["DEPOT"].line
        node = self._whole(named[0]) if len(named) == 1 else None
        if node is None or node > self._size:
            raise InputError(
                f"{self._file}:{line}: DEPOT_SECTION names {shown(' '.join(named))}; one node from "
                f"1 to {self._size} is expected",
                field="DEPOT_SECTION",
                line=line,
            )
        return node - 1

    def _rows(self, section: str) -> Iterator[tuple[int, int, list[str]]]:
        """Node, line and the other words of each row, as many as DIMENSION says or an error."""
        title = f"{section}_SECTION"
        if section not in self._sections:
            self._faults.add(f"no {title}", field=title)
            return
        found = 0
        header = self._sections[section].line
        for found, (line, (first, *words)) in enumerate(self._sections[section].rows(), 1):
            if found > self._size:
                break
            if first != str(found):
                said = f"node {shown(first)} stands where node {found} is expected"
                self._faults.add(f"{said}; nodes are numbered 1, 2, 3 and so on", line, value=first)
                return
            yield found, line, words
        if found != self._size:
            many = f"more than {self._size}" if found > self._size else found
            said = f"{title} has {many} rows; DIMENSION is {self._size}"
            self._faults.add(said, header, field=title)

    def _edge_weight_type(self) -> str:
        usual = "EXPLICIT" if "EDGE_WEIGHT" in self._sections else "EUC_2D"
        kind, line = self._stated.get("EDGE_WEIGHT_TYPE", (usual, None))
        if kind not in (known := [*METRICS, *KINDS, "EXPLICIT"]):
            raise self._unknown("EDGE_WEIGHT_TYPE", kind, line, known)
        return kind

    def _chosen_metric(self) -> Metric:
        natural = METRICS.get(self._kind, "matrix")
        wanted = self._reading.metric or natural
        fits = {"GEO": ("matrix", "haversine"), "EXPLICIT": ("matrix",)}
        allowed = fits.get(self._kind, ("exact", "dimacs", natural))
        if wanted not in allowed:
            raise InputError(
                f"{self._file}: the metric {wanted!r} does not go with the EDGE_WEIGHT_TYPE "
                f"{self._kind}; possible: {', '.join(dict.fromkeys(allowed))}",
                field="metric",
                value=wanted,
            )
        return wanted

    def _count(self, key: str) -> int | None:
        """A count that is stated, if it is."""
        text, line = self._stated.get(key, (None, None))
        if text is None:
            return None
        value = self._whole(text)
        if value is None:
            raise InputError(
                f"{self._file}:{line}: {key} is {shown(text)}; it is a whole number from 1 to "
                f"{10**MAX_DIGITS - 1}",
                field=key,
                line=line,
                value=text,
            )
        return value

    def _whole(self, text: str) -> int | None:
        fine = text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS and int(text) > 0
        return int(text) if fine else None

    def _unknown(self, key: str, value: str, line: int | None, known: list[str]) -> InputError:
        said = f"{at(self._file, line)}{key} is {shown(value)}; known: {', '.join(known)}"
        return InputError(said, field=key, line=line, value=value)
