"""Tables of distances and durations, requested in blocks that are cached one by one."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from splitroute.distances import Floats
from splitroute.roads._cache import Cache
from splitroute.roads._http import failure
from splitroute.roads._server import RoadServer

_log = logging.getLogger("splitroute")


@dataclass(frozen=True, slots=True)
class Tables:
    """Metres and seconds between points, NaN where there is no road, and metres to the roads."""

    distances: Floats
    durations: Floats
    snapped: Floats  # distance of each row's point from the nearest road; NaN if unknown


class TooLargeError(Exception):
    """A block with more places than the server allows."""


class NoRoadError(Exception):
    """The server knows no road near some of the points, whose indices are known later."""

    points: Sequence[int] = ()


def fetch_tables(
    server: RoadServer, points: Floats, cache: Cache, listener: Callable[[int, int], object]
) -> Tables:
    """Return the tables between all points; the listener is told the blocks done and in total."""
    size: int = server.module.MAX_PLACES
    while True:
        try:
            return _fetch_blocks(server, points, size, cache, listener)
        except TooLargeError:
            if size == 1:
                raise failure(server, "it refuses tables of any size") from None
            size //= 2
            _log.info("road server %s: blocks of at most %d places", server.address, size)


def _fetch_blocks(
    server: RoadServer,
    points: Floats,
    size: int,
    cache: Cache,
    listener: Callable[[int, int], object],
) -> Tables:
    count = len(points)
    starts = range(0, count, size)
    tables = Tables(np.empty((count, count)), np.empty((count, count)), np.full(count, np.nan))
    done, total = 0, len(starts) ** 2
    for i in starts:
        for j in starts:
            rows, columns = slice(i, i + size), slice(j, j + size)
            try:
                block = _block(server, points[rows], points[columns], cache)
            except NoRoadError as error:
                known = {*range(count)[rows], *range(count)[columns]}
                error.points = [k for k in sorted(known) if not _has_road(server, points[[k]])]
                raise
            tables.distances[rows, columns] = block.distances
            tables.durations[rows, columns] = block.durations
            tables.snapped[rows] = block.snapped
            done += 1
            listener(done, total)
    _log.info("road server %s: %d blocks for %d places", server.address, total, count)
    return tables


def _block(server: RoadServer, sources: Floats, targets: Floats, cache: Cache) -> Tables:
    """One block, from the cache if possible."""
    request = ("table", server.program, server.url, server.profile)
    places = (sources.tolist(), targets.tolist())
    shape = (len(sources), len(targets))
    arrays = cache.load(*request, *places)
    if arrays is None or not _is_complete(arrays, shape):
        block: Tables = server.module.table(server, sources, targets)
        arrays = {name: getattr(block, name) for name in Tables.__slots__}
        if not _is_complete(arrays, shape):
            raise failure(server, f"its response is not a table of {shape[0]} x {shape[1]} entries")
        cache.save(arrays, *request, *places)
    return Tables(**arrays)


def _has_road(server: RoadServer, point: Floats) -> bool:
    try:
        server.module.table(server, point, point)
    except NoRoadError:
        return False
    return True


def _is_complete(arrays: dict[str, Floats], shape: tuple[int, int]) -> bool:
    expected = {"distances": shape, "durations": shape, "snapped": shape[:1]}
    return {name: array.shape for name, array in arrays.items()} == expected
