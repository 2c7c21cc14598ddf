"""Read the features of a GeoJSON file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic_core import from_json

from splitroute.errors import InputError
from splitroute.formats._columns import customer_names
from splitroute.formats._errors import input_error, warn
from splitroute.formats._features import Features
from splitroute.formats._parse_model import not_json

COLLECTION = "FeatureCollection"
MEMBERS = ("type", "features", "bbox")  # of every collection
COORDINATES = ("x", "y", "lat", "lon")  # properties of these names say less than the geometry


def load_collection(text: str, name: str) -> dict[str, Any]:
    """Return a FeatureCollection; raise an InputError for anything else."""
    try:
        data = from_json(text, allow_inf_nan=False)
    except ValueError:
        raise not_json(text, name) from None
    if not isinstance(data, dict) or data.get("type") != COLLECTION:
        raise input_error(f'not GeoJSON: the "type" must be {COLLECTION!r}', name, field="type")
    features = data.get("features")
    if not isinstance(features, list):
        raise input_error("features: expected a list", name, field="features")
    for k, feature in enumerate(features):
        is_feature = isinstance(feature, dict) and isinstance(feature.get("geometry"), dict)
        if not is_feature or not isinstance(feature.get("properties") or {}, dict):
            message = f"features[{k}]: expected a Feature with a geometry and properties"
            raise input_error(message, name, field=f"features[{k}]")
    return data


def read_features(text: str, name: str, is_globe: Callable[[Any], bool]) -> Features:
    """Return the points of a text; `is_globe` tells from the metric of the file, if it has one."""
    data = load_collection(text, name)
    points, others = {}, 0
    for k, feature in enumerate(data["features"]):
        if feature["geometry"].get("type") == "Point":
            points[k] = _properties(feature), _place(feature["geometry"], k, name)
        else:
            others += 1
    if others:
        warn(f"ignoring {others} of {len(data['features'])} features: they are no points", name)
    members = {key: v for key, v in data.items() if key not in MEMBERS and v is not None}
    axes = ("lon", "lat") if is_globe(members.get("metric")) else ("x", "y")
    return Features(name, axes, members, points)


def _properties(feature: dict[str, Any]) -> dict[str, Any]:
    """The properties without coordinates; the id of the feature if there is no other."""
    names = customer_names()
    known = {title: names.find(title) for title in feature.get("properties") or {}}
    keys = {title: found.key if found else None for title, found in known.items()}
    properties = {
        title: value
        for title, value in (feature.get("properties") or {}).items()
        if keys[title] not in COORDINATES
    }
    if "id" not in keys.values() and isinstance(feature.get("id"), str | int):
        properties["id"] = str(feature["id"])
    return properties


def _place(geometry: dict[str, Any], index: int, name: str) -> list[float]:
    place = geometry.get("coordinates")
    numbers = place[:2] if isinstance(place, list) else []
    if len(numbers) < 2 or any(type(value) not in (int, float) for value in numbers):
        field = f"features[{index}].geometry"
        raise InputError(f"{field}: expected two numbers as coordinates", field=field, file=name)
    return numbers
