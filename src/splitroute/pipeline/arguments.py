"""Checks of the arguments of `solve`; each error names the call that works."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import fields
from numbers import Integral, Real
from typing import Any

import numpy as np

from splitroute import rules
from splitroute.engines import Capabilities, Engine, supporting_engines
from splitroute.errors import InputError, InputWarning, issue, wrong_type
from splitroute.instance import Instance
from splitroute.instance.feasibility import RULES_OF_CUSTOMERS, Feasibility
from splitroute.instance.rules import RULES, SPLIT_RULES
from splitroute.registry import check_options, load, name_of, names, options_of
from splitroute.solution import Solution
from splitroute.split_plan import SplitPlan
from splitroute.stop import Stop
from splitroute.validation import check_instance, check_solution

MAX_SEED = 2**31 - 1
MAX_PLAUSIBLE_LOADS = 1000  # of one customer


def check_arguments(
    instance: Instance,
    stop: Stop,
    seed: int,
    start: Solution | None,
    polish: float,
    bound: float | None,
    listener: object,
    options: Mapping[str, Any],
) -> None:
    """Raise an InputError for the first argument of the wrong type or out of range."""
    check_instance(instance, "solve")
    if not isinstance(stop, Stop):
        raise wrong_type("stop", stop, "a Stop", f"solve(.., stop=Stop(seconds={stop!r}))")
    limits = [field.name for field in fields(Stop)]
    for name, value in options.items():
        if name in limits:
            call = f"solve(.., stop=Stop({name}={value!r}))"
            raise InputError(f"{name} is a limit of a Stop; call {call}", field=name, value=value)
    if isinstance(seed, bool) or not isinstance(seed, Integral) or not 0 <= seed <= MAX_SEED:
        raise InputError(
            f"seed is {seed!r}; it must be a whole number from 0 to {MAX_SEED}",
            field="seed",
            value=seed,
        )
    _check_seconds("polish", polish)
    if bound is not None:
        _check_seconds("bound", bound)
    if listener is not None and not callable(listener):
        call = "solve(.., listener=print)"
        raise wrong_type("listener", listener, "a function of a Progress", call)
    if start is not None:
        check_solution(instance, start, "start", "solve")
    warn_about_instance(instance)


def warn_about_instance(instance: Instance) -> None:
    """Warn of what is valid and may not be what was meant."""
    _warn_about_units(instance)
    if instance.partial and instance.fleet:
        _warn_about_vehicle_types(instance)


def _warn_about_vehicle_types(instance: Instance) -> None:
    """Warn of types that can serve nobody, which are errors without `partial`."""
    feasibility = Feasibility(instance)
    for kind in instance.fleet:
        reason = feasibility.useless(kind)
        if reason is not None and reason.rule not in RULES_OF_CUSTOMERS:
            issue(InputWarning(reason.message, field=reason.rule, value=kind.type))


def _warn_about_units(instance: Instance) -> None:
    """Warn of a demand that fills implausibly many vehicles."""
    if not instance.customers:
        return
    number = int(np.argmax(instance.demands))
    loads = int(instance.demands[number]) // instance.capacity
    if loads > MAX_PLAUSIBLE_LOADS:
        message = (
            f"customer {instance.customers[number - 1].id!r} needs {loads:,} full vehicles; "
            "are demand and capacity in the same unit?"
        )
        issue(InputWarning(message, field="demands", value=loads))


def _check_seconds(field: str, value: object) -> None:
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    if not is_number or not 0 <= value < math.inf:  # type: ignore[operator]
        raise InputError(
            f"{field} is {value!r}; it must be a number of seconds of at least 0",
            field=field,
            value=value,
        )


def check_method(
    instance: Instance,
    rule: str | Callable[..., SplitPlan],
    rule_options: dict[str, Any],
    engine: str,
    run: Engine,
    engine_options: dict[str, Any],
    capabilities: Capabilities,
) -> None:
    """Raise if rule, engine, their options and the instance do not go together."""
    if rule == "free" and instance.splittable and not capabilities.splits:
        raise InputError(
            f'the engine {engine} cannot split; use a rule that does, such as rule="pasa"',
            field="rule",
            value=rule,
        )
    if rule != "free" and capabilities.requires_splitting:
        raise InputError(
            f'the engine {engine} splits by itself; it needs rule="free"',
            field="rule",
            value=rule,
        )
    _check_rule_options(engine, run, rule, rule_options)
    _check_shared_options(engine, rule, engine_options)
    check_options(f"engine {engine}", run, engine_options)
    is_free = rule == "free" and instance.splittable
    _check_rules(instance, engine, capabilities, is_free=is_free)
    is_limited = capabilities.supports_fleet_limit and (is_free or instance.rules)
    if instance.vehicles is not None and not is_limited:
        raise InputError(
            'vehicles needs rule="free" and an engine with a fleet limit, such as "native"',
            field="vehicles",
            value=instance.vehicles,
        )


def _check_rules(
    instance: Instance, engine: str, capabilities: Capabilities, *, is_free: bool
) -> None:
    """Raise unless the engine respects all rules of the instance, or of its pieces."""
    # Pieces are admissible, and extra visits cost what they cost after merging.
    guaranteed = frozenset() if is_free else SPLIT_RULES | {"extra_visit_cost"}
    needed = instance.rules - guaranteed
    if not (missing := needed - capabilities.rules):
        return
    others = supporting_engines(needed, splits=is_free)
    if others:
        hint = f"use {' or '.join(f'engine={name!r}' for name in others)}"
    else:
        hint = "no engine does"
    names = ", ".join(rule for rule in RULES if rule in missing)
    message = f"the engine {engine} does not support {names}; {hint}"
    raise InputError(message.replace("'", '"'), field="engine", value=engine)


def _check_rule_options(
    engine: str, search: Engine, rule: str | Callable[..., SplitPlan], options: dict[str, Any]
) -> None:
    """Raise unless all of these are options of the rule."""
    run = load(rules, rule).run
    for name, value in options.items():
        if name in (known := options_of(run)):
            continue
        owners = [owner for owner in names(rules) if name in options_of(load(rules, owner).run)]
        if owners:
            hint = f'it is an option of rule="{owners[0]}"'
            message = f"the rule {name_of(rule)} has no option {name!r}; {hint}"
            raise InputError(message, field=name, value=value)
        message = f"the engine {engine} has no option {name!r}"
        if known:
            message = (
                f"neither the rule {name_of(rule)} nor the engine {engine} has an option {name!r}; "
                f"they have: {', '.join([*known, *options_of(search)])}"
            )
        raise InputError(message, field=name, value=value)
    check_options(f"rule {name_of(rule)}", run, options)


def _check_shared_options(
    engine: str, rule: str | Callable[..., SplitPlan], options: dict[str, Any]
) -> None:
    """Raise if an option of the engine is also one of the rule: which of them is meant?"""
    shared = [name for name in options_of(load(rules, rule).run) if name in options]
    if shared:
        message = (
            f"{shared[0]} is an option of the rule {name_of(rule)} and of the engine {engine}; "
            "rename one of them"
        )
        raise InputError(message, field=shared[0], value=options[shared[0]])
