"""A method of solving as people write it: `pasa:L=3+rtr`, `coins:25/10/5/1+pyvrp`, `native`.

That is RULE+ENGINE, either with options after a colon; an engine alone, free to split if it can,
else under the rule pasa;
the name of a peer; and `+improve` at the end, to go on from the merged answer for the second half
of the time.
"""

from __future__ import annotations

import inspect
import platform
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

from splitroute import engines, rules
from splitroute.bench import peers
from splitroute.engines import capabilities_of
from splitroute.errors import EngineError, InputError
from splitroute.instance import Instance
from splitroute.pipeline import solve, split
from splitroute.registry import SHORT, load, names, options_of, parse_options
from splitroute.solution import Solution
from splitroute.stop import Stop

TINY = Instance.create(1, [1], [(0, 0), (1, 0)])  # for trying the options of a rule


@dataclass(frozen=True)
class Answer:
    """What a method found, and how."""

    solution: Solution
    seconds: float
    trace: tuple[tuple[float, float], ...] = ()
    pieces: int | None = None
    versions: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Method:
    """A rule and an engine with their options, or a peer."""

    text: str
    engine: str
    rule: str | None = None
    options: tuple[tuple[str, Any], ...] = ()
    improve: bool = False
    peer: bool = False

    @classmethod
    def parse(cls, text: str) -> Method:
        """The method of that name; everything in it is known, or it is refused.

        Its text is the same however it was spelled: `pasa:levels=3+rtr` is `pasa:L=3+rtr`.
        """
        words = text.strip().split("+")
        if text in (known := [name.replace("_", "-") for name in names(peers)]):
            return cls(text, text.replace("-", "_"), peer=True)
        improve = len(words) > 1 and words[-1] == "improve"
        if improve:
            words.pop()
        if len(words) > 2 or not all(words):
            raise InputError(
                f"the method {text!r}; it is written RULE+ENGINE, such as pasa:L=3+rtr"
            )
        engine, *given = words[-1].split(":")
        if len(words) == 1 and engine not in names(engines):
            choice = ", ".join([*names(engines), *known])
            raise InputError(f"unknown method {text!r}; RULE+ENGINE or one of: {choice}")
        of_engine = load(engines, engine)
        options = parse_options(f"engine {engine}", of_engine.run, given)
        spelled = [_spelled(engine, of_engine.run, options)]
        rule = None
        if len(words) == 1 and not capabilities_of(of_engine).splits:
            words.insert(0, "pasa")  # as `solve` would; it is part of the name
        if len(words) == 2:
            rule, *given = words[0].split(":")
            of_rule = load(rules, rule).run
            for_rule = parse_options(f"rule {rule}", of_rule, given)
            options |= for_rule
            if rule != "free" or not capabilities_of(of_engine).splits:  # else that is understood
                spelled.insert(0, _spelled(rule, of_rule, for_rule))
        spelled += ["improve"] * improve
        return cls("+".join(spelled), engine, rule, tuple(options.items()), improve)

    def check(self, stop: Stop) -> None:
        """Raises now, not in every job, if it cannot be run at all."""
        if (self.peer or self.improve) and stop.seconds is None:
            raise InputError(f"the method {self.text} needs a limit in seconds")
        if self.peer and find_spec(self.engine) is None:
            package = load(peers, self.engine).PACKAGE
            raise EngineError(f"{self.text} is not installed; run: pip install {package}")
        if not self.peer and (check := getattr(load(engines, self.engine), "check", None)):
            known = inspect.signature(check).parameters
            check(**{name: value for name, value in self.options if name in known})
        if self.rule is not None:
            of_rule = options_of(load(rules, self.rule).run)
            split(TINY, self.rule, **{k: value for k, value in self.options if k in of_rule})

    def run(self, instance: Instance, stop: Stop, seed: int) -> Answer:
        """Solves an instance."""
        self.check(stop)
        if self.peer:
            return self._ask_peer(instance, stop, seed)
        improve = 0.0
        if self.improve:
            assert stop.seconds is not None
            improve, stop = stop.seconds / 2, replace(stop, seconds=stop.seconds / 2)
        result = solve(
            instance,
            rule=self.rule,
            engine=self.engine,
            stop=stop,
            seed=seed,
            improve=improve,
            bound=0.0,  # which would take time from others
            **dict(self.options),
        )
        return Answer(result.solution, result.seconds, result.trace, result.pieces, result.versions)

    def _ask_peer(self, instance: Instance, stop: Stop, seed: int) -> Answer:
        module = load(peers, self.engine)
        began = time.perf_counter()
        solution = module.run(instance, stop.seconds, seed)
        seconds = time.perf_counter() - began
        packages = ("splitroute", module.PACKAGE)
        versions = (*((p, version(p)) for p in packages), ("python", platform.python_version()))
        return Answer(solution, seconds, versions=versions)


def _spelled(name: str, run: Callable[..., object], given: dict[str, Any]) -> str:
    known = options_of(run)
    letters = {long: short for short, long in SHORT.items()}
    words = [
        str(given[k]) if len(known) == 1 else f"{letters.get(k, k)}={given[k]}"
        for k in known
        if k in given
    ]
    return ":".join([name, *words])
