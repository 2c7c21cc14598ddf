import pytest

import splitroute as sr
from splitroute.bench.methods import Method
from splitroute.errors import EngineError, InputError


@pytest.mark.parametrize(
    ("text", "rule", "engine", "options"),
    [
        ("native", None, "native", {}),
        ("none+native", "none", "native", {}),
        ("pasa:L=3+rtr", "pasa", "rtr", {"levels": 3}),
        ("pasa:L=auto+native", "pasa", "native", {"levels": "auto"}),
        ("pasa:p=4:rings=count+native", "pasa", "native", {"base": 4, "rings": "count"}),
        ("coins:25/10/5/1+pyvrp", "coins", "pyvrp", {"coins": "25/10/5/1"}),
        ("native:threads=2", None, "native", {"threads": 2}),
        ("rtr", "pasa", "rtr", {}),
    ],
)  # fmt: skip
def test_a_method_is_a_rule_and_an_engine(
    text: str, rule: str | None, engine: str, options: dict[str, object]
) -> None:
    method = Method.parse(text)
    assert (method.rule, method.engine, dict(method.options)) == (rule, engine, options)
    assert not method.is_peer


def test_a_peer_is_known_by_its_name() -> None:
    assert Method.parse("sdvrp-py").is_peer


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("vrph2", "unknown method 'vrph2'; write RULE.ENGINE or one of: .*native.*sdvrp-py"),
        ("pasa+nothing", "unknown engine 'nothing'"),
        ("gold+native", "unknown rule 'gold'"),
        ("pasa:K=3+rtr", "the rule pasa has no option 'K'; it has: base, levels, rings"),
        ("hybrid:covre=0", "the engine hybrid has no option 'covre'; it has: cover, amounts"),
        ("none:3+rtr", "the rule none has no option"),
        ("pasa:L=x+rtr", "levels is 'x'; it must be a whole number"),
        ("pasa:3+rtr", "the rule pasa has no option '3'"),
        ("a+b+c", "invalid method .* write RULE.ENGINE"),
        ("+native", "invalid method .* write RULE.ENGINE"),
    ],
)
def test_an_invalid_method_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Method.parse(text)


def test_methods_return_valid_solutions(square: sr.Instance) -> None:
    for text in ("native", "pasa:L=1+rtr", "pasa:L=auto+rtr", "none+native", "pasa+native+polish"):
        result = Method.parse(text).run(square, sr.Stop(seconds=0.2), 1)
        assert not sr.validate(square, result.solution), text
        assert result.trace, text


@pytest.mark.parametrize("text", ["pasa+native+polish", "sdvrp-py"])
def test_peers_and_polish_need_a_time_limit(text: str) -> None:
    with pytest.raises(InputError, match="needs a time limit"):
        Method.parse(text).check(sr.Stop(iterations=10))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pasa:rings=cuont+rtr", "unknown kind of rings 'cuont'; known: count, width"),
        ("pasa:L=0+native", "levels is 0; it must be a whole number from 1 to 100"),
        ("coins:20/ten+native", "coins are written like"),
    ],
)
def test_an_invalid_option_is_refused_before_the_first_run(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Method.parse(text).check(sr.Stop(seconds=1))


def test_a_missing_peer_names_its_package(
    square: sr.Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("splitroute.bench.methods.find_spec", lambda name: None)
    with pytest.raises(EngineError, match="pip install sdvrp-py"):
        Method.parse("sdvrp-py").run(square, sr.Stop(seconds=1), 1)


def test_an_installed_peer_returns_a_valid_solution(square: sr.Instance) -> None:
    pytest.importorskip("sdvrp_py", reason="sdvrp-py is not installed; run: make peers")
    result = Method.parse("sdvrp-py").run(square, sr.Stop(seconds=0.5), 1)
    assert not sr.validate(square, result.solution)


@pytest.mark.parametrize(
    ("spelled", "name"),
    [
        ("pasa:levels=3+rtr", "pasa:L=3+rtr"),
        ("pasa:L=3:p=2+rtr", "pasa:p=2:L=3+rtr"),
        ("pasa:levels=auto+native", "pasa:L=auto+native"),
        ("pasa:rings=count:L=3+rtr", "pasa:L=3:rings=count+rtr"),
        ("coins:coins=20/10/5/1+rtr", "coins:20/10/5/1+rtr"),
        ("free+native", "native"),
        (" sdvrp-py ", "sdvrp-py"),
        ("none+native", "none+native"),
        ("pasa+native+polish", "pasa+native+polish"),
    ],
)
def test_names_are_canonical(spelled: str, name: str) -> None:
    assert Method.parse(spelled).name == name


@pytest.mark.parametrize(("text", "name"), [("hgs", "pasa+hgs"), ("native", "native")])
def test_the_default_rule_is_part_of_the_name(text: str, name: str) -> None:
    assert Method.parse(text).name == name
