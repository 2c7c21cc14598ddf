"""Read an instance from VRPLIB."""

from collections.abc import Iterator
from itertools import islice

import numpy as np

from splitroute.distances import Floats, Metric
from splitroute.errors import InputError
from splitroute.formats import ReadOptions
from splitroute.formats._coordinates import Point, place_arguments
from splitroute.formats._errors import ErrorCollector, input_error, warn
from splitroute.formats._numbers import Field, Quantities, excerpt, parse_coordinate
from splitroute.formats._tsplib import (
    DISTANCES,
    EDGE_WEIGHT_FORMATS,
    Parts,
    distance_matrix,
    explicit_matrix,
    parse_parts,
    to_degrees,
)
from splitroute.instance import Instance

# TSPLIB rounds EUC_2D to the nearest integer; EXACT_2D is VRPH's name for unrounded distances.
METRICS: dict[str, Metric] = {"EUC_2D": "dimacs", "EXACT_2D": "exact"}
UNSUPPORTED = {
    "BACKHAUL", "DISTANCE", "LINEHAUL", "PICKUP_AND_DELIVERY", "SERVICE_TIME", "STANDTIME",
    "SVC_TIME", "TIME_WINDOW", "VEHICLE_CAPACITY",
}  # fmt: skip
MAX_HEADER = 100_000  # characters that must contain the DIMENSION
MAX_DIGITS = 9  # of a count
MAX_DEPOTS_SHOWN = 10


def parse_instance(text: str, options: ReadOptions) -> Instance:
    """Return the instance, with the depot of the DEPOT_SECTION as place 0."""
    if "DIMENSION" not in text[:MAX_HEADER]:
        message = "no DIMENSION near the start; not a VRPLIB instance"
        raise input_error(message, options.name, field="DIMENSION")
    return _Builder(parse_parts(text, options.name), options).build()


class _Builder:
    """Builds an instance from the parts of a file."""

    def __init__(self, parts: Parts, options: ReadOptions) -> None:
        self._keywords, self._sections = parts.keywords, parts.sections
        self._options, self._file = options, options.name
        self._errors = ErrorCollector(options.name)
        if unsupported := sorted(UNSUPPORTED & (parts.keywords.keys() | parts.sections.keys())):
            raise input_error(
                f"{', '.join(unsupported)} is not supported; remove it if the solution need not "
                "satisfy it",
                self._file,
                field=unsupported[0],
            )
        size = self._count("DIMENSION")
        if size is None:
            raise input_error("no DIMENSION", self._file, field="DIMENSION")
        self._size = size
        self._type = self._edge_weight_type()
        self._metric = self._choose_metric()

    def build(self) -> Instance:
        """Return the instance; sections are counted before anything is allocated for DIMENSION."""
        unit, (capacity, *demands) = self._quantities().to_units()
        points = self._points()
        self._errors.raise_any()
        depot = self._depot()
        if demands[depot]:
            warn(f"ignoring the demand of the depot, node {depot + 1}", self._file, field="demand")
        order = [depot, *(k for k in range(self._size) if k != depot)]
        is_globe = self._type == "GEO"
        places: list[Point] = []
        if points is not None:
            places = (to_degrees(points[order]) if is_globe else points[order][:, :2]).tolist()
        return Instance.create(
            capacity=capacity,
            demands=[demands[k] for k in order[1:]],
            **place_arguments(places, is_globe, self._options.scale),
            matrix=self._matrix(points, order) if self._metric == "matrix" else None,
            metric=self._metric,
            name=self._keywords.get("NAME", ("", 0))[0] or self._options.stem,
            unit=unit,
            vehicles=self._count("VEHICLES"),
        )

    def _quantities(self) -> Quantities:
        """The capacity, followed by the demands."""
        quantities = Quantities(self._options.unit, self._errors)
        capacity, line = self._keywords.get("CAPACITY", (None, None))
        if self._options.capacity is not None:
            capacity, line = str(self._options.capacity), None
        if capacity is None:
            message = "no CAPACITY; add it, or pass `capacity`"
            self._errors.add(message, field="capacity", code="no_capacity")
        else:
            quantities.add(capacity, Field("capacity", self._file, line))
        for node, line, words in self._rows("DEMAND"):
            if len(words) == 1:
                quantities.add(words[0], Field("demand", self._file, line, f"node {node}"))
            else:
                self._errors.add(f"node {node} has {len(words)} demands; it must have 1", line)
        return quantities

    def _points(self) -> Floats | None:
        """Coordinates of the nodes in their order, if there are any."""
        section = "NODE_COORD"
        if self._type == "EXPLICIT" and section not in self._sections:
            section = "DISPLAY_DATA"
            if section not in self._sections:
                return None
        points = []
        axes = "xyz" if self._type.endswith("3D") else "xy"
        for node, line, words in self._rows(section):
            if len(words) != len(axes):
                message = f"node {node} has {len(words)} coordinates; it must have {len(axes)}"
                self._errors.add(message, line)
                continue
            with self._errors:
                fields = [Field(axis, self._file, line, f"node {node}") for axis in axes]
                points.append(list(map(parse_coordinate, words, fields)))
        return None if self._errors else np.array(points)

    def _matrix(self, points: Floats | None, order: list[int]) -> Floats:
        if self._type != "EXPLICIT":
            assert points is not None
            return distance_matrix(self._type, points[order])
        format, line = self._keywords.get("EDGE_WEIGHT_FORMAT", ("FULL_MATRIX", None))
        if format not in EDGE_WEIGHT_FORMATS:
            raise self._unknown("EDGE_WEIGHT_FORMAT", format, line, list(EDGE_WEIGHT_FORMATS))
        if "EDGE_WEIGHT" not in self._sections:
            message = "no EDGE_WEIGHT_SECTION"
            raise input_error(message, self._file, field="EDGE_WEIGHT_SECTION")
        matrix = explicit_matrix(self._sections["EDGE_WEIGHT"], format, self._size, self._file)
        return matrix if order[0] == 0 else matrix[np.ix_(order, order)]

    def _depot(self) -> int:
        """Index of the depot: the first node, unless there is a DEPOT_SECTION."""
        if "DEPOT" not in self._sections:
            return 0
        words = (word for _, row in self._sections["DEPOT"].rows() for word in row)
        nodes = list(islice((word for word in words if word != "-1"), MAX_DEPOTS_SHOWN))
        node = _positive(nodes[0]) if len(nodes) == 1 else None
        if node is None or node > self._size:
            field = Field("DEPOT_SECTION", self._file, self._sections["DEPOT"].line)
            raise field.error(" ".join(nodes), f"it must be one node from 1 to {self._size}")
        return node - 1

    def _rows(self, section: str) -> Iterator[tuple[int, int, list[str]]]:
        """Node, line and other words of each row; there must be as many as DIMENSION says."""
        title = f"{section}_SECTION"
        if section not in self._sections:
            self._errors.add(f"no {title}", field=title)
            return
        count = 0
        for count, (line, (first, *words)) in enumerate(self._sections[section].rows(), 1):
            if count > self._size:
                break
            if first != str(count):
                message = (
                    f"found node {excerpt(first)}; expected node {count} (nodes are 1, 2, ...)"
                )
                self._errors.add(message, line, field=title, value=first)
                return
            yield count, line, words
        if count != self._size:
            found = f"more than {self._size}" if count > self._size else count
            message = f"{title} has {found} rows; DIMENSION is {self._size}"
            self._errors.add(message, self._sections[section].line, field=title)

    def _edge_weight_type(self) -> str:
        default = "EXPLICIT" if "EDGE_WEIGHT" in self._sections else "EUC_2D"
        kind, line = self._keywords.get("EDGE_WEIGHT_TYPE", (default, None))
        if kind not in (known := [*METRICS, *DISTANCES, "EXPLICIT"]):
            raise self._unknown("EDGE_WEIGHT_TYPE", kind, line, known)
        return kind

    def _choose_metric(self) -> Metric:
        default = METRICS.get(self._type, "matrix")
        metric = self._options.metric or default
        others = {"GEO": ("matrix", "haversine"), "EXPLICIT": ("matrix",)}
        allowed = others.get(self._type, ("exact", "dimacs", default))
        if metric not in allowed:
            raise input_error(
                f"metric {metric!r} does not match the EDGE_WEIGHT_TYPE {self._type}; "
                f"allowed: {', '.join(dict.fromkeys(allowed))}",
                self._file,
                field="metric",
                value=metric,
            )
        return metric

    def _count(self, key: str) -> int | None:
        """The positive integer of a keyword, if there is one."""
        text, line = self._keywords.get(key, (None, None))
        if text is None:
            return None
        value = _positive(text)
        if value is None:
            field = Field(key, self._file, line)
            raise field.error(text, f"it must be a whole number from 1 to {10**MAX_DIGITS - 1}")
        return value

    def _unknown(self, key: str, value: str, line: int | None, known: list[str]) -> InputError:
        return Field(key, self._file, line).error(value, f"known: {', '.join(known)}")


def _positive(text: str) -> int | None:
    is_count = text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS and int(text) > 0
    return int(text) if is_count else None
