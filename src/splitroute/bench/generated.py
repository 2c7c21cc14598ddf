"""Random instances to compare methods on: `customers=120,low=0.7,high=0.9,seeds=1-3`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from splitroute.bench.seeds import parse_seeds
from splitroute.bench.sets import BenchmarkInstance
from splitroute.distances import Metric
from splitroute.errors import InputError
from splitroute.generate import random_instance
from splitroute.registry import check_choice

OPTIONS: dict[str, Callable[[str], Any]] = {
    "customers": int,
    "low": float,
    "high": float,
    "capacity": int,
    "layout": str,
    "depot": str,
    "seeds": lambda text: parse_seeds(text.replace("/", ",")),
}
EXAMPLE = "customers=120,low=0.7,high=0.9,seeds=1-3"


def generated_instances(text: str, metric: Metric = "exact") -> list[BenchmarkInstance]:
    """Return an instance for each seed; options are those of `random_instance`.

    Seeds are a range such as 1-3, or a list such as 1/5. The other options are the set's name.
    """
    options: dict[str, Any] = {"seeds": [1]}
    for item in text.split(","):
        name, equals, value = (part.strip() for part in item.partition("="))
        if not equals:
            message = f"found {item!r}; write for example {EXAMPLE!r}"
            raise InputError(message, field="generate", value=text)
        check_choice(tuple(OPTIONS), "option of a generated instance", name, field="generate")
        try:
            options[name] = OPTIONS[name](value)
        except ValueError:
            message = f"{name} is {value!r}; it must be a number"
            raise InputError(message, field=name, value=value) from None
    if "customers" not in options:
        message = f"no number of customers; write for example {EXAMPLE!r}"
        raise InputError(message, field="generate", value=text)
    seeds = options.pop("seeds")
    set_name = ",".join(f"{name}={options[name]}" for name in OPTIONS if name in options)
    return [
        BenchmarkInstance(set_name, replace(random_instance(**options, seed=s), metric=metric))
        for s in seeds
    ]
