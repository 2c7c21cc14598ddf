"""The road servers of the service: requests name one of those that its operator configured."""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from splitroute.distances import Metric
from splitroute.errors import InputError, LimitError, RoadServerError
from splitroute.formats._distances import DistanceTables
from splitroute.instance import Instance
from splitroute.registry import check_choice
from splitroute.roads import RoadServer, RoadTables, road_tables, with_geometry
from splitroute.solution import Solution

NAME = re.compile(r"[\w -]{1,40}")
MAX_ROAD_CUSTOMERS = 3000  # per job: the table then has 9 million entries
MAX_ROAD_SECONDS = 600.0  # for the table and the lines of a job, beyond its time limit


@dataclass(frozen=True, slots=True)
class RoadServers:
    """Road servers by name, and the folder for their answers."""

    servers: tuple[tuple[str, RoadServer], ...] = ()
    cache: str | None = None

    @classmethod
    def parse(cls, texts: Sequence[str], cache: str | None = None) -> RoadServers:
        """Return the servers of texts such as truck=osrm:http://localhost:5000."""
        servers: dict[str, RoadServer] = {}
        for text in texts:
            name, equals, server = text.partition("=")
            if not equals or not NAME.fullmatch(name):
                raise InputError(
                    f"roads is {text!r}; it must be a name and a server, such as "
                    "truck=osrm:http://localhost:5000",
                    field="roads",
                    value=text,
                )
            if name in servers:
                message = f"two road servers are called {name!r}"
                raise InputError(message, field="roads", value=name)
            servers[name] = RoadServer.parse(server)
        return cls(tuple(servers.items()), cache)

    @property
    def names(self) -> list[str]:
        """Names that a request may state."""
        return [name for name, _ in self.servers]

    def check(
        self,
        instance: Instance,
        name: str,
        *,
        speed: float | None = None,
        metric: Metric | None = None,
    ) -> None:
        """Raise unless there is such a server, and the instance is one for roads."""
        if not self.servers:
            message = "this service has no road servers; omit `roads`"
            raise InputError(message, field="roads", value=name)
        check_choice(self.names, "road server", name, field="roads")
        DistanceTables(roads=dict(self.servers)[name]).check(speed, metric)
        if not instance.is_globe:
            message = "roads need places with lat and lon"
            raise InputError(message, field="roads", value=name)
        if len(instance.customers) > MAX_ROAD_CUSTOMERS:
            raise LimitError(
                f"{len(instance.customers):,} customers; at most {MAX_ROAD_CUSTOMERS:,} are "
                "allowed with roads",
                field="roads",
                value=len(instance.customers),
            )

    def tables(self, instance: Instance, name: str) -> RoadTables:
        """Return the distances and travel times by road, from the server of that name."""
        self.check(instance, name)
        server = dict(self.servers)[name]
        try:
            return road_tables(instance, server, cache=self.cache)
        except RoadServerError as error:
            # Clients need not know where the operator's servers are.
            message = error.message.replace(server.address, repr(name))
            raise RoadServerError(message, code=error.code, field="roads", value=name) from None

    def draw(self, instance: Instance, solution: Solution, name: str | None) -> Solution:
        """Return the solution with lines along the roads, if there are any."""
        if name is None:
            return solution
        try:
            return with_geometry(instance, solution, dict(self.servers)[name], cache=self.cache)
        except RoadServerError:
            return solution  # what was computed is worth more than how it is drawn


NO_ROADS = RoadServers()


def pack(tables: RoadTables) -> bytes:
    """Return the tables as a store keeps them."""
    numbers = np.stack([tables.distances, tables.durations]).tobytes()
    return tables.program.encode() + b"\n" + zlib.compress(numbers, level=1)  # six times faster


def unpack(data: bytes) -> RoadTables:
    """Return the tables that were packed."""
    program, _, packed = data.partition(b"\n")
    numbers = np.frombuffer(zlib.decompress(packed))
    count = math.isqrt(len(numbers) // 2)
    return RoadTables(program.decode(), *numbers.reshape(2, count, count))
