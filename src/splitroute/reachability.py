"""Pairs of places without a direct way: they are bridged over other places, or reported."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from splitroute import distances as kernels
from splitroute.distances import Floats
from splitroute.errors import InputError, InputWarning, issue
from splitroute.instance import Instance

FAR = 1e15  # instead of infinity; longer than any path
MAX_NAMES = 10  # in a message


def complete_tables(
    instance: Instance, distances: Floats, durations: Floats | None, reason: str, *, field: str
) -> tuple[Floats, Floats | None]:
    """Return tables without NaN: where a pair has none, the shortest way over other places.

    Raise an InputError that names the places which cannot be reached at all, after `reason`.
    """
    is_missing = np.isnan(distances)
    if durations is not None:
        is_missing = is_missing | np.isnan(durations)
    np.fill_diagonal(is_missing, False)
    if not is_missing.any():
        return distances, durations
    known = np.where(is_missing, FAR, distances)
    np.fill_diagonal(known, 0.0)
    lengths, via = kernels.shortest_paths(known)
    _check_connected(instance, lengths >= FAR, reason, field)
    count = int(is_missing.sum())
    pairs = "1 pair of places" if count == 1 else f"{count:,} pairs of places"
    message = f"{reason} for {pairs}; using the shortest way over other places"
    issue(InputWarning(message, field=field, value=count))
    distances = distances.copy()
    distances[is_missing] = lengths[is_missing]
    if durations is not None:
        durations = durations.copy()
        direct = durations.copy()
        for i, j in np.argwhere(is_missing).tolist():
            durations[i, j] = _along(i, j, direct, via)
    return distances, durations


def list_names(names: Sequence[str]) -> str:
    """Return the names for a message, or the first of them and the number of others."""
    more = f" and {len(names) - MAX_NAMES} more" if len(names) > MAX_NAMES else ""
    return ", ".join(names[:MAX_NAMES]) + more


def _along(i: int, j: int, direct: Floats, via: kernels.Places) -> float:
    """Sum of a table over the shortest path."""
    total, stack = 0.0, [(i, j)]
    while stack:
        a, b = stack.pop()
        k = int(via[a, b])
        if k < 0:
            total += float(direct[a, b])
        else:
            stack += [(a, k), (k, b)]
    return total


def _check_connected(
    instance: Instance, is_cut_off: NDArray[np.bool_], reason: str, field: str
) -> None:
    """Raise unless every place can be reached from every other."""
    if not is_cut_off.any():
        return
    names = instance.place_names
    # A place is at fault if most others are cut off from it; there may be two islands, though.
    shares = (is_cut_off | is_cut_off.T).mean(axis=1)
    isolated = np.flatnonzero(shares > 0.5).tolist()
    if isolated:
        message = f"{reason} between most places and {list_names([names[k] for k in isolated])}"
        value = names[isolated[0]]
    else:
        i, j = np.argwhere(is_cut_off)[0].tolist()
        count = int(is_cut_off.sum())
        more = f", and for {count - 1} more pairs" if count > 1 else ""
        message = f"{reason} from {names[i]} to {names[j]}{more}"
        value = names[i]
    raise InputError(
        f"{message}; all must be connected", code="unreachable", field=field, value=value
    )
