"""Groups of whole routes as instances of the core, and their way back.

Routes are cut along the space-filling curve by which the core numbers its items. A customer that
is served from several groups has a share of its demand in each: so groups can be searched
independently, and their solutions together are one of the whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitroute import _core
from splitroute.core import Model, Visits

ROUTE, ITEM, QUANTITY = range(3)  # columns of visits


@dataclass(frozen=True)
class Part:
    """A group of routes, with items and routes numbered anew."""

    items: NDArray[np.int32]  # of the whole
    visits: Visits
    arguments: dict[str, Any]  # of its instance
    places: NDArray[np.int32]  # its sites in the whole

    def compiled(self, model: Model) -> _core.Instance:
        """Return its instance, which takes over neighbours from that of the whole."""
        return _core.Instance(
            **self.arguments,
            cancellation=model.cancellation,
            whole=model.compiled,
            places=self.places,
        )

    def whole(self, visits: Visits) -> Visits:
        """Return visits of the part with the items of the whole."""
        return np.column_stack((visits[:, ROUTE], self.items[visits[:, ITEM]], visits[:, QUANTITY]))


def cut(visits: Visits, count: int, offset: float) -> list[Visits]:
    """Cut visits into groups of whole routes with about as many visits each.

    The curve is taken as closed; `offset`, a share of a group, is where the first cut lies.
    """
    _, first, route = np.unique(visits[:, ROUTE], return_index=True, return_inverse=True)
    lengths = np.diff([*first, len(visits)])
    in_route = np.lexsort((visits[:, ITEM], route))
    middle = visits[in_route[first + lengths // 2], ITEM]
    order = np.argsort(middle, kind="stable")
    ends = np.cumsum(lengths[order])
    position = (ends - lengths[order] / 2) / len(visits) * count
    group = np.empty(len(order), dtype=np.int64)
    group[order] = np.floor(position + offset).astype(np.int64) % count
    members = (visits[group[route] == k] for k in range(count))
    return [visits for visits in members if len(visits)]


def make_part(model: Model, visits: Visits, spare_vehicles: int) -> Part:
    """Return what is needed to search a group of routes."""
    items, item = np.unique(visits[:, ITEM], return_inverse=True)
    demands = np.bincount(item, visits[:, QUANTITY]).astype(np.int32)
    route = np.cumsum(np.diff(visits[:, ROUTE], prepend=visits[0, ROUTE]) != 0)
    routes = int(route[-1]) + 1
    renumbered = np.column_stack((route, item, visits[:, QUANTITY])).astype(np.int32)
    return Part(items, renumbered, *model.restricted(items, demands, routes + spare_vehicles))


def merge(groups: list[Visits]) -> Visits:
    """Return all routes of the groups, numbered consecutively."""
    merged, routes = [], 0
    for group in groups:
        shifted = group.copy()
        shifted[:, ROUTE] += routes
        routes = int(shifted[-1, ROUTE]) + 1
        merged.append(shifted)
    return np.concatenate(merged)
