"""Instances with vehicle types, depots, windows and other rules, as the JSON of a file."""

from __future__ import annotations

import json
from typing import Any


def town(customers: int = 8, *, count: int = 2, **fields: Any) -> dict[str, Any]:
    """Return customers with windows around two depots, each with a type of vehicle."""
    return {
        "name": "town",
        "depots": [
            {"id": "north", "x": 0, "y": 10},
            {"id": "south", "x": 0, "y": -10, "windows": [[0, 400]]},
        ],
        "vehicles": [
            {
                "type": "large", "count": count, "capacity": 20, "depot": "north",
                "fixed_cost": 10, "cost_per_time": 0.1, "shift": [0, 400],
            },
            {
                "type": "small", "count": count, "capacity": 9, "depot": "south",
                "fixed_cost": 5, "shift": [0, 400], "max_trips": 2, "loading": 6,
            },
        ],
        "customers": [
            {
                "id": f"Shop {k + 1}", "x": 7 * k % 23 - 11, "y": 11 * k % 29 - 14,
                "demand": 4 + 3 * k % 5, "windows": [[20 + 10 * (k % 3), 300]], "service": 4,
                "service_per_unit": 0.5,
            }
            for k in range(customers)
        ],
        **fields,
    }  # fmt: skip


def town_with_leftovers() -> dict[str, Any]:
    """Return a town with a customer that closes before any vehicle can arrive."""
    instance = town(partial=True)
    far = {"id": "Far", "x": 300, "y": 0, "demand": 3, "windows": [[0, 5]]}
    instance["customers"].append(far)
    return instance


def as_job(instance: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """Return the fields of a job for the instance."""
    source = {"format": "json", "text": json.dumps(instance), "name": instance.get("name", "")}
    return {"instance": source, "metric": None, "seconds": 1, **fields}
