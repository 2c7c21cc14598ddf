"""Benchmark methods and their names: `pasa:L=3+rtr`, `coins:25/10/5/1+pyvrp`, `native`.

A name is RULE+ENGINE, each with options after colons; or an engine alone, with rule `free` if it
can split and `pasa` otherwise; or a peer. The suffix `+polish` spends the second half of the time
improving the merged solution.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

from splitroute import engines, rules
from splitroute.bench import peers
from splitroute.engines import capabilities_of, check_installed
from splitroute.errors import EngineError, InputError
from splitroute.instance import Instance
from splitroute.pipeline import check_method, solve
from splitroute.registry import ABBREVIATIONS, load, names, options_of, parse_options
from splitroute.solution import Solution
from splitroute.stop import Stop

POLISH = "polish"
TINY_INSTANCE = Instance.create(1, [1], [(0, 0), (1, 0)])  # to try out the options of a method


@dataclass(frozen=True)
class MethodResult:
    """Solution, time and trace of a method on an instance."""

    solution: Solution
    seconds: float
    trace: tuple[tuple[float, float], ...] = ()
    pieces: int | None = None
    versions: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Method:
    """A rule and an engine with their options, or a peer."""

    name: str
    engine: str
    rule: str | None = None
    options: tuple[tuple[str, Any], ...] = ()
    polish: bool = False
    is_peer: bool = False

    @property
    def key(self) -> str:
        """What identifies it in the key of a run."""
        return self.name

    @classmethod
    def parse(cls, text: str) -> Method:
        """Return the method with its canonical name; `pasa:levels=3+rtr` is `pasa:L=3+rtr`."""
        text = text.strip()
        parts = text.split("+")
        peer_names = [name.replace("_", "-") for name in names(peers)]
        if text in peer_names:
            return cls(text, text.replace("-", "_"), is_peer=True)
        polish = len(parts) > 1 and parts[-1] == POLISH
        if polish:
            parts.pop()
        if len(parts) > 2 or not all(parts):
            raise InputError(
                f"invalid method {text!r}; write RULE+ENGINE, for example pasa:L=3+rtr",
                field="method",
                value=text,
            )
        engine, *engine_words = parts[-1].split(":")
        if len(parts) == 1 and engine not in names(engines):
            known = ", ".join([*names(engines), *peer_names])
            raise InputError(
                f"unknown method {text!r}; write RULE+ENGINE or one of: {known}",
                field="method",
                value=text,
            )
        engine_module = load(engines, engine)
        can_split = capabilities_of(engine_module).splits
        options = parse_options(f"engine {engine}", engine_module.run, engine_words)
        canonical = [_canonical_name(engine, engine_module.run, options)]
        rule = None
        if len(parts) == 1 and not can_split:
            parts.insert(0, "pasa")  # the default rule of `solve`, made explicit
        if len(parts) == 2:
            rule, *rule_words = parts[0].split(":")
            run_rule = load(rules, rule).run
            rule_options = parse_options(f"rule {rule}", run_rule, rule_words)
            options |= rule_options
            if rule != "free" or not can_split:  # otherwise it is the default
                canonical.insert(0, _canonical_name(rule, run_rule, rule_options))
        if polish:
            canonical.append(POLISH)
        return cls("+".join(canonical), engine, rule, tuple(options.items()), polish)

    def check(self, stop: Stop) -> None:
        """Raise if no run of the method can succeed."""
        if (self.is_peer or self.polish) and stop.seconds is None:
            raise InputError(f"method {self.name} needs a time limit", field="seconds")
        if self.is_peer and find_spec(self.engine) is None:
            package = load(peers, self.engine).PACKAGE
            raise EngineError(f"{self.name} is not installed; run: pip install {package}")
        if not self.is_peer:
            check_installed(load(engines, self.engine), dict(self.options))
        if self.rule is not None:
            options = dict(self.options)
            check_method(TINY_INSTANCE, rule=self.rule, engine=self.engine, **options)

    def run(self, instance: Instance, stop: Stop, seed: int) -> MethodResult:
        """Solve an instance."""
        self.check(stop)
        if self.is_peer:
            return self._run_peer(instance, stop, seed)
        polish = 0.0
        if self.polish:
            assert stop.seconds is not None
            polish, stop = stop.seconds / 2, replace(stop, seconds=stop.seconds / 2)
        result = solve(
            instance,
            rule=self.rule,
            engine=self.engine,
            stop=stop,
            seed=seed,
            polish=polish,
            bound=0.0,  # a bound would compete with other runs for cores
            **dict(self.options),
        )
        return MethodResult(
            result.solution,
            result.seconds,
            tuple((point.seconds, point.cost) for point in result.trace),
            result.pieces,
            result.versions,
        )

    def _run_peer(self, instance: Instance, stop: Stop, seed: int) -> MethodResult:
        peer = load(peers, self.engine)
        start = time.perf_counter()
        solution = peer.run(instance, stop.seconds, seed)
        seconds = time.perf_counter() - start
        packages = ("splitroute", peer.PACKAGE)
        versions = (*((p, version(p)) for p in packages), ("python", platform.python_version()))
        return MethodResult(solution, seconds, versions=versions)


def _canonical_name(name: str, run: Callable[..., object], options: dict[str, Any]) -> str:
    """Return a rule or an engine with its options in the order of its signature."""
    known = options_of(run)
    letters = {long: short for short, long in ABBREVIATIONS.items()}
    words = [
        str(options[k]) if len(known) == 1 else f"{letters.get(k, k)}={options[k]}"
        for k in known
        if k in options
    ]
    return ":".join([name, *words])
