"""Rules and engines of other packages, and plain functions."""

from importlib.metadata import EntryPoint
from types import ModuleType
from typing import Literal

import pytest

import splitroute as sr
from splitroute import engines, registry, rules
from splitroute.engines import Capabilities
from splitroute.generate import set1
from splitroute.progress import Listener

NO_FUNCTION = 3


def halves(instance: sr.Instance, *, parts: int = 2) -> sr.SplitPlan:
    """A rule of another package: demands in equal parts."""
    pieces = tuple((c.demand // parts,) * (parts - 1) for c in instance.customers)
    rest = (
        (*sizes, c.demand - sum(sizes)) for sizes, c in zip(pieces, instance.customers, strict=True)
    )
    return sr.SplitPlan(instance, f"halves:{parts}", tuple(rest))


def one_each(
    instance: sr.Instance,
    stop: sr.Stop,
    seed: int,
    start: sr.Solution | None,
    listener: Listener,
    /,
    **options: object,
) -> sr.Solution:
    """An engine of another package: one route per customer."""
    return sr.Solution.unsplit(instance, [[k] for k in range(1, len(instance.customers) + 1)])


@pytest.fixture
def entry_points(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = {
        "splitroute.rules": {"halves": EntryPoint("halves", "test_registry:halves", "g")},
        "splitroute.engines": {
            "one-each": EntryPoint("one-each", "test_registry:one_each", "g"),
            "broken": EntryPoint("broken", "no_such_module:run", "g"),
            "empty": EntryPoint("empty", "math", "g"),
        },
    }
    monkeypatch.setattr(registry, "_entry_points", lambda group: entries.get(group, {}))


def test_functions_are_rules_and_engines() -> None:
    result = sr.solve(set1(1), rule=halves, engine=one_each, stop=sr.Stop(seconds=1))
    assert result.rule == "halves:2"
    assert result.engine == "one_each"
    assert len(result.solution.routes) == result.pieces == 16


def test_entry_points_are_found_by_name(entry_points: None) -> None:
    assert "halves" in registry.names(rules)
    assert "one-each" in registry.names(engines)
    result = sr.solve(set1(1), rule="halves", parts=3, engine="one-each", stop=sr.Stop(seconds=1))
    assert result.rule == "halves:3"


def test_an_entry_point_that_cannot_be_loaded_is_named(entry_points: None) -> None:
    with pytest.raises(sr.MissingPackageError, match="engine broken cannot be loaded from no_such"):
        sr.solve(set1(1), engine="broken")


@pytest.mark.parametrize("engine", ["empty", "number"])
def test_an_entry_point_without_a_function_is_named(
    engine: str, entry_points: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(
        registry._entry_points("splitroute.engines"),
        "number",
        EntryPoint("number", "test_registry:NO_FUNCTION", "g"),
    )
    message = f"engine {engine} cannot be loaded .* not a function, nor a module with a function"
    with pytest.raises(sr.MissingPackageError, match=message):
        sr.solve(set1(1), engine=engine)


def test_a_package_that_an_engine_declares_must_be_installed() -> None:
    def run(*_: object) -> sr.Solution: ...  # type: ignore[empty-body]

    run.CAPABILITIES = Capabilities(package="no-such-solver")  # type: ignore[attr-defined]
    with pytest.raises(sr.MissingPackageError, match="engine run needs the package 'no-such-solv"):
        sr.solve(set1(1), engine=run)


def test_capabilities_of_another_type_are_refused() -> None:
    def run(*_: object) -> sr.Solution: ...  # type: ignore[empty-body]

    run.CAPABILITIES = {"splits": True}  # type: ignore[attr-defined]
    with pytest.raises(sr.InputError, match="CAPABILITIES of the engine run is "):
        sr.solve(set1(1), engine=run)


def test_an_option_that_rule_and_engine_share_is_refused() -> None:
    def search(
        instance: sr.Instance,
        stop: sr.Stop,
        seed: int,
        start: sr.Solution | None,
        listener: Listener,
        *,
        parts: int = 1,
    ) -> sr.Solution:
        return one_each(instance, stop, seed, start, listener)

    with pytest.raises(sr.InputError, match="parts is an option of the rule halves and of the eng"):
        sr.solve(set1(1), rule=halves, engine=search, parts=3)


def test_an_unknown_option_lists_those_of_rule_and_engine() -> None:
    message = "neither the rule halves nor the engine rtr has an option 'part'; they have: parts"
    with pytest.raises(sr.InputError, match=message) as caught:
        sr.solve(set1(1), rule=halves, engine="rtr", part=3)
    assert caught.value.field == "part"


def test_options_never_switch_the_rule() -> None:
    with pytest.raises(sr.InputError, match=r"rule free has no option 'levels'; .*rule=.pasa"):
        sr.solve(set1(1), levels=3)


@pytest.mark.parametrize("name", registry.names(engines))
def test_every_engine_declares_its_capabilities(name: str) -> None:
    module = registry.load(engines, name)
    assert isinstance(module, ModuleType)
    assert isinstance(module.CAPABILITIES, Capabilities)


def test_options_are_checked_against_their_annotations() -> None:
    def run(
        instance: sr.Instance,
        *,
        count: int | None = None,
        share: float | None = None,
        sizes: list[int] | None = None,
    ) -> None: ...

    registry.check_options("rule x", run, {"count": None, "share": 1, "sizes": [1]})
    for options in ({"count": 1.5}, {"count": True}, {"share": "1"}):
        with pytest.raises(sr.InputError, match="it must be a") as caught:
            registry.check_options("rule x", run, options)
        assert caught.value.field in options
    with pytest.raises(sr.InputError, match="the rule x has no option 'size'; it has: count, sh"):
        registry.check_options("rule x", run, {"size": 1})


def test_annotations_that_cannot_be_resolved_are_not_checked() -> None:
    def run(*, name: "Unknown" = "") -> None: ...  # type: ignore[name-defined]  # noqa: F821

    registry.check_options("rule x", run, {"name": 5})


def test_parsed_options_have_the_types_of_their_annotations() -> None:
    def run(*, count: int = 1, share: float | None = None, name: str = "") -> None: ...

    options = registry.parse_options("rule x", run, ["count=3", "share=0.5", "name=a=b"])
    assert options == {"count": 3, "share": 0.5, "name": "a=b"}
    with pytest.raises(sr.InputError, match="the rule x: count is 'x'; it must be a whole number"):
        registry.parse_options("rule x", run, ["count=x"])


@pytest.mark.parametrize(
    ("text", "value"), [("True", True), ("true", True), ("1", True), ("FALSE", False), ("0", False)]
)
def test_parsed_options_can_be_true_or_false(text: str, value: bool) -> None:
    def run(*, fast: bool = False) -> None: ...

    options = registry.parse_options("engine x", run, [f"fast={text}"])
    assert options == {"fast": value}
    registry.check_options("engine x", run, options)
    with pytest.raises(sr.InputError, match="fast is 'maybe'; it must be true or false"):
        registry.parse_options("engine x", run, ["fast=maybe"])


def test_a_word_may_stand_in_place_of_a_number() -> None:
    def run(*, count: int | Literal["auto"] = 1) -> None: ...

    assert registry.parse_options("rule x", run, ["auto"]) == {"count": "auto"}
    assert registry.parse_options("rule x", run, ["count=3"]) == {"count": 3}
    for value in ("auto", 3):
        registry.check_options("rule x", run, {"count": value})
    message = "count is .*; it must be a whole number or 'auto'"
    with pytest.raises(sr.InputError, match=message):
        registry.parse_options("rule x", run, ["count=x"])
    for wrong in ("x", "3", 2.5, True):
        with pytest.raises(sr.InputError, match=message):
            registry.check_options("rule x", run, {"count": wrong})
