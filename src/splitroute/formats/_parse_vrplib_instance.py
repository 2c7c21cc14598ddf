"""Read an instance from VRPLIB."""

from collections.abc import Iterator
from itertools import islice

import numpy as np

from splitroute.distances import Floats, Metric
from splitroute.errors import InputError
from splitroute.formats import ReadOptions
from splitroute.formats._coordinates import Point, place_arguments
from splitroute.formats._errors import ErrorCollector, input_error, warn
from splitroute.formats._nodes import parse_duration, parse_window
from splitroute.formats._numbers import Field, Quantities, excerpt, parse_coordinate, parse_count
from splitroute.formats._tsplib import (
    DISTANCES,
    EDGE_WEIGHT_FORMATS,
    Parts,
    distance_matrix,
    explicit_matrix,
    parse_parts,
    to_degrees,
)
from splitroute.formats._vrplib_lines import located
from splitroute.formats._vrplib_vehicles import COLUMNS as VEHICLE_SECTIONS
from splitroute.formats._vrplib_vehicles import Fleet, parse_vehicles
from splitroute.instance import Depot, Instance, VehicleType, Windows

# TSPLIB rounds EUC_2D to the nearest integer; EXACT_2D is VRPH's name for unrounded distances.
METRICS: dict[str, Metric] = {"EUC_2D": "dimacs", "EXACT_2D": "exact"}
SECTIONS = {
    "DEMAND", "DEPOT", "DISPLAY_DATA", "EDGE_WEIGHT", "NODE_COORD", "SERVICE_TIME", "TIME_WINDOW",
    *VEHICLE_SECTIONS,
}  # fmt: skip
# Keywords that state a constraint; unknown ones, such as COMMENT, are taken for remarks.
UNSUPPORTED = {
    "BACKHAUL", "LINEHAUL", "MUTUALLY_EXCLUSIVE_GROUP", "PICKUP_AND_DELIVERY", "PRIZE",
    "RELEASE_TIME", "STANDTIME", "SVC_TIME", "VEHICLES_ALLOWED_CLIENTS", "VEHICLES_MAX_RELOADS",
    "VEHICLES_RELOAD_DEPOT", "VEHICLE_CAPACITY",
}  # fmt: skip
MAX_HEADER = 100_000  # characters that must contain the DIMENSION
MAX_DEPOTS = 1000


def parse_instance(text: str, options: ReadOptions) -> Instance:
    """Return the instance, with the depots of the DEPOT_SECTION as its first places."""
    if "DIMENSION" not in text[:MAX_HEADER]:
        message = "no DIMENSION near the start; not a VRPLIB instance"
        raise input_error(message, options.name, field="DIMENSION")
    return _Builder(parse_parts(text, options.name), options).build()


class _Builder:
    """Builds an instance from the parts of a file."""

    def __init__(self, parts: Parts, options: ReadOptions) -> None:
        self._parts = parts
        self._keywords, self._sections = parts.keywords, parts.sections
        self._options, self._file = options, options.name
        self._errors = ErrorCollector(options.name)
        self._check_supported()
        if "DIMENSION" not in parts.keywords:
            raise input_error("no DIMENSION", self._file, field="DIMENSION")
        text, line = parts.keywords["DIMENSION"]
        self._size = parse_count(text, Field("DIMENSION", self._file, line))
        self._type = self._edge_weight_type()
        self._metric = self._choose_metric()

    def _check_supported(self) -> None:
        """Raise for parts that state a constraint, or may do so."""
        keywords, sections = self._keywords, self._sections
        lines = {name: line for name, (_, line) in keywords.items() if name in UNSUPPORTED}
        lines |= {f"{n}_SECTION": part.line for n, part in sections.items() if n not in SECTIONS}
        for name, line in lines.items():
            message = f"{excerpt(name)} is not supported; remove it if solutions may violate it"
            self._errors.add(message, line, field=name)
        self._errors.raise_any()

    def build(self) -> Instance:
        """Return the instance; sections are counted before anything is allocated for DIMENSION."""
        depots = self._depots()
        fleet = self._fleet(depots)
        quantities = self._quantities(fleet)
        windows, service = self._windows(), self._service()
        same_service = self._number("SERVICE_TIME") or 0.0
        unit, amounts = quantities.to_units()
        capacities, demands = amounts[: len(fleet.counts)], amounts[len(fleet.counts) :]
        points = self._points()
        self._errors.raise_any()
        for depot in depots:
            if demands[depot]:
                message = f"ignoring the demand of the depot, node {depot + 1}"
                warn(message, self._file, field="demand")
        customers = [k for k in range(self._size) if k not in set(depots)]
        order = [*depots, *customers]
        is_globe = self._type == "GEO"
        places: list[Point] = []
        if points is not None:
            places = (to_degrees(points[order]) if is_globe else points[order][:, :2]).tolist()
        ids = [f"depot{k}" for k in range(1, len(depots) + 1)] if len(depots) > 1 else ["depot"]
        types = self._vehicle_types(fleet, capacities, dict(zip(depots, ids, strict=True)))
        is_plain = types == [VehicleType(types[0].type, capacities[0], types[0].count, ids[0])]
        with located(self._parts, self._file, customers, depots):
            return Instance.create(
                capacity=capacities[0] if is_plain else None,
                demands=[demands[k] for k in customers],
                **place_arguments(places, is_globe, self._options.scale),
                matrix=self._matrix(points, order) if self._metric == "matrix" else None,
                metric=self._metric,
                name=self._keywords.get("NAME", ("", 0))[0] or self._options.stem,
                unit=unit,
                vehicles=types[0].count if is_plain else types,
                depots=[
                    Depot(id, windows=windows.get(depot, ()))
                    for id, depot in zip(ids, depots, strict=True)
                ],
                windows=[windows.get(k, ()) for k in customers],
                service=[service.get(k, same_service) for k in customers],
                speed=self._options.speed,
                partial=self._options.partial,
            )

    def _fleet(self, depots: list[int]) -> Fleet:
        capacity = self._options.capacity
        text = None if capacity is None else str(capacity)
        return parse_vehicles(self._parts, depots, text, self._file, self._errors)

    def _vehicle_types(
        self, fleet: Fleet, capacities: list[int], depots: dict[int, str]
    ) -> list[VehicleType]:
        """Vehicle types with the limit of DISTANCE, which includes service times."""
        distance = {}
        if (limit := self._number("DISTANCE")) is not None:
            has_service = "SERVICE_TIME" in self._keywords.keys() | self._sections.keys()
            distance = {"max_duration" if has_service else "max_distance": limit}
        return [
            VehicleType(
                "vehicle" if len(fleet.counts) == 1 else f"type{k}",
                capacity,
                count,
                depots[vehicle.depot],
                **{**distance, **dict(vehicle.limits)},  # type: ignore[arg-type]
            )
            for k, (capacity, (vehicle, count)) in enumerate(
                zip(capacities, fleet.counts.items(), strict=True), 1
            )
        ]

    def _quantities(self, fleet: Fleet) -> Quantities:
        """The capacities, followed by the demands."""
        quantities = Quantities(self._options.unit, self._errors)
        for vehicle in fleet.counts:
            line = fleet.lines[vehicle.capacity]
            quantities.add(vehicle.capacity, Field("capacity", self._file, line))
        for node, line, (demand,) in self._values("DEMAND", "demands", 1):
            quantities.add(demand, Field("demand", self._file, line, f"node {node}"))
        return quantities

    def _windows(self) -> dict[int, Windows]:
        """Time window of each node, in which service must start; none if there are no windows."""
        windows: dict[int, Windows] = {}
        if "TIME_WINDOW" in self._sections:
            for node, line, (opening, closing) in self._values("TIME_WINDOW", "times", 2):
                with self._errors:
                    owner = Field("", self._file, line, f"node {node}")
                    windows[node - 1] = (parse_window(opening, closing, owner),)
        return windows

    def _service(self) -> dict[int, float]:
        """Service time of each node, if there are any."""
        service: dict[int, float] = {}
        if "SERVICE_TIME" in self._sections:
            for node, line, (text,) in self._values("SERVICE_TIME", "service times", 1):
                with self._errors:
                    field = Field("service", self._file, line, f"node {node}")
                    service[node - 1] = parse_duration(text, field)
        return service

    def _points(self) -> Floats | None:
        """Coordinates of the nodes in their order, if there are any."""
        section = "NODE_COORD"
        if self._type == "EXPLICIT" and section not in self._sections:
            section = "DISPLAY_DATA"
            if section not in self._sections:
                return None
        points = []
        axes = "xyz" if self._type.endswith("3D") else "xy"
        for node, line, words in self._values(section, "coordinates", len(axes)):
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
        is_ordered = order == list(range(self._size))
        return matrix if is_ordered else matrix[np.ix_(order, order)]

    def _depots(self) -> list[int]:
        """Indices of the depots: the first node, unless there is a DEPOT_SECTION."""
        if "DEPOT" not in self._sections:
            return [0]
        words = (word for _, row in self._sections["DEPOT"].rows() for word in row)
        nodes = list(islice((word for word in words if word != "-1"), MAX_DEPOTS + 1))
        field = Field("DEPOT_SECTION", self._file, self._sections["DEPOT"].line)
        if not nodes or len(nodes) > MAX_DEPOTS or len(set(nodes)) < len(nodes):
            allowed = f"it must be one to {MAX_DEPOTS} different nodes from 1 to {self._size}"
            raise field.error(" ".join(nodes), allowed)
        depots = [parse_count(node, field) - 1 for node in nodes]
        if max(depots) >= self._size:
            raise field.error(str(max(depots) + 1), f"it must be nodes from 1 to {self._size}")
        return depots

    def _values(self, section: str, noun: str, size: int) -> Iterator[tuple[int, int, list[str]]]:
        """Rows that have so many values; others are recorded as errors."""
        for node, line, words in self._rows(section):
            if len(words) == size:
                yield node, line, words
            else:
                message = f"node {node} has {len(words)} {noun}; it must have {size}"
                self._errors.add(message, line, field=f"{section}_SECTION")

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

    def _number(self, key: str) -> float | None:
        """The number of at least 0 of a keyword, if there is one."""
        if key not in self._keywords:
            return None
        text, line = self._keywords[key]
        return parse_duration(text, Field(key, self._file, line))

    def _unknown(self, key: str, value: str, line: int | None, known: list[str]) -> InputError:
        return Field(key, self._file, line).error(value, f"known: {', '.join(known)}")
