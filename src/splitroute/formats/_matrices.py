"""Give an instance the distances and travel times of a matrix, whose rows may be in any order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from splitroute.distances import Floats
from splitroute.errors import InputError
from splitroute.formats._decimals import Column
from splitroute.formats._matrix_files import Cells, parse_number, read_cells
from splitroute.formats._numbers import Field, excerpt
from splitroute.instance import Customer, Depot, Instance
from splitroute.reachability import complete_tables

ENTRIES = {"matrix": "distance", "durations": "duration"}
MAX_LABELS = 8  # in a message


def with_matrices(instance: Instance, matrix: Any = None, durations: Any = None) -> Instance:
    """Return the instance with distances and travel times from files or arrays.

    Without labels the depots come first, then the customers. Pairs without a value are bridged
    over other places. A .npz file of distances may have durations too.
    """
    if instance.origin is not None:
        for field, source in (("matrix", matrix), ("durations", durations)):
            if source is not None:
                message = f"requests have distances and travel times of their own; omit {field}"
                raise InputError(message, field=field)
    lengths = times = None
    if matrix is not None:
        cells = read_cells(matrix, "matrix")
        lengths = _table(instance, cells, "matrix")
        if durations is None and cells.durations is not None:
            times = _table(instance, replace(cells, numbers=cells.durations), "durations")
    if durations is not None:
        times = _table(instance, read_cells(durations, "durations"), "durations")
    if lengths is None:
        if times is None:
            return instance
        times, _ = complete_tables(instance, times, None, "no duration", field="durations")
        return replace(instance, durations=times)
    lengths, times = complete_tables(instance, lengths, times, "no distance", field="matrix")
    times = instance.durations if times is None else times
    return replace(instance, metric="matrix", matrix=lengths, durations=times, roads="")


def _table(instance: Instance, cells: Cells, field: str) -> Floats:
    """The entries between all places of the instance."""
    owners: list[Depot | Customer] = [*instance.depots, *instance.customers]
    places = [owner.place for owner in owners]
    table = np.full((max(places) + 1,) * 2, np.nan)
    table[np.ix_(places, places)] = _aligned(instance, cells, [o.id for o in owners], field)
    np.fill_diagonal(table, 0.0)
    if len(table) != len(instance.places or instance.table):
        message = "the instance has places that are neither a depot nor a customer's"
        raise InputError(message, field=field)
    return table


def _aligned(instance: Instance, cells: Cells, ids: list[str], field: str) -> Floats:
    """The numbers in the order of the ids."""
    if cells.numbers is not None:
        return _aligned_numbers(instance, cells, ids, field)
    texts = cells.texts or []
    height, width, count = len(texts), len(texts[0]) if texts else 0, len(ids)
    header, stub = _label_layout(height, width, count)
    if header is None or stub is None:
        raise _wrong_shape(instance, cells, field, height, width)
    order: list[Sequence[int]] = [range(count), range(count)]
    if header or stub:
        titles = texts[0][stub:] if header else [row[0] for row in texts]
        sides = [[row[0] for row in texts[header:]] if stub else titles, titles]
        order = [
            _find(instance, labels, ids, cells, field, side)
            for labels, side in zip(sides, ("row", "column"), strict=True)
        ]
    numbers = Column([t for row in texts[header:] for t in row[stub:]], separator=cells.separator)
    table = np.empty((count, count))
    for i, row in enumerate(order[0]):
        line, cellrow = cells.lines[row + header], texts[row + header]
        place = Field(field, cells.file, line, repr(excerpt(ids[i])))
        for j, column in enumerate(order[1]):
            text = cellrow[column + stub]
            try:
                value = parse_number(numbers.read(text, place))
            except ValueError:
                value = -1.0
            if value < 0 and i != j:
                raise InputError(
                    f"the {ENTRIES[field]} from {excerpt(ids[i])!r} to {excerpt(ids[j])!r}, "
                    f"in column {column + stub + 1}, is {excerpt(text)!r}; it must be a number "
                    "of at least 0, or empty if there is no way",
                    field=field,
                    file=cells.file,
                    line=line,
                    value=text,
                )
            table[i, j] = value
    return table


def _aligned_numbers(instance: Instance, cells: Cells, ids: list[str], field: str) -> Floats:
    assert cells.numbers is not None
    table = cells.numbers
    if cells.labels is None:
        if table.shape != (len(ids), len(ids)):
            raise _wrong_shape(instance, cells, field, *table.shape)
    else:
        if table.shape != (len(cells.labels),) * 2:
            message = f"{len(cells.labels)} labels for {table.shape[0]} x {table.shape[1]} entries"
            raise InputError(message, field=field, file=cells.file, value=len(cells.labels))
        order = _find(instance, cells.labels, ids, cells, field, "row")
        table = table[np.ix_(order, order)]
    for i, j in np.argwhere(table < 0).tolist():
        if i != j:
            raise InputError(
                f"the {ENTRIES[field]} from {excerpt(ids[i])!r} to {excerpt(ids[j])!r}, entry "
                f"[{i}, {j}], is {table[i, j]:g}; it must be a number of at least 0, or NaN if "
                "there is no way",
                field=field,
                file=cells.file,
                value=float(table[i, j]),
            )
    return table


def _label_layout(height: int, width: int, count: int) -> tuple[int | None, int | None]:
    """Number of rows and of columns with labels; labelled matrices may have further places."""
    if height == width:
        return (0, 0) if height == count else (1, 1) if height > count else (None, None)
    if abs(height - width) == 1 and min(height, width) >= count:
        return int(height > width), int(width > height)
    return (1, 1) if min(height, width) > count else (None, None)


def _find(
    instance: Instance, labels: Sequence[str], ids: list[str], cells: Cells, field: str, side: str
) -> Sequence[int]:
    """Index of the label of each id."""
    indices: dict[str, int] = {}
    for k, label in enumerate(labels):
        key = label.strip().lower()
        if indices.setdefault(key, k) != k:
            message = f"two {side}s are labelled {excerpt(label)!r}"
            raise InputError(message, field=field, file=cells.file, value=label)
    keys = [id.strip().lower() for id in ids]
    if len(instance.depots) == 1 and keys[0] not in indices:
        # A file of customers may call its depot by another name, which the instance does not keep.
        others = [key for key in indices if key not in keys[1:]]
        keys[0] = "0" if "0" in others else others[0] if len(others) == 1 else keys[0]
    for key, id in zip(keys, ids, strict=True):
        if key not in indices:
            shown = ", ".join(map(repr, map(excerpt, labels[:MAX_LABELS])))
            more = ", ..." if len(labels) > MAX_LABELS else ""
            raise InputError(
                f"no {side} is labelled {excerpt(id)!r}; the labels are {shown}{more}",
                field=field,
                file=cells.file,
                value=id,
            )
    return [indices[key] for key in keys]


def _wrong_shape(
    instance: Instance, cells: Cells, field: str, height: int, width: int
) -> InputError:
    depots = "the depot" if len(instance.depots) == 1 else f"{len(instance.depots)} depots"
    count = len(instance.depots) + len(instance.customers)
    return InputError(
        f"{height} rows of {width} cells; {depots} and {len(instance.customers)} customers need "
        f"{count} rows of {count}, or one more of each with labels",
        field=field,
        file=cells.file,
        value=(height, width),
    )
