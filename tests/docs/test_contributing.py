"""The examples of CONTRIBUTING.md: each is added to a copy of its folder, and its test is run."""

import importlib
import inspect
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import splitroute as sr
from conftest import ROOT
from documents import blocks
from splitroute import engines, formats, registry, rules

PAGE = ROOT / "CONTRIBUTING.md"
FILES = {block.file: block.text for block in blocks(PAGE, "python", "cpp") if block.file}
EXAMPLES = {"rules.halves": rules, "engines.nearest": engines, "formats.triples": formats}


@pytest.fixture
def added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The modules of the examples, as if their files were in the folders of the package."""
    for file, text in FILES.items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(text)
    for package in EXAMPLES.values():
        folder = tmp_path / "src" / package.__name__.replace(".", "/")
        monkeypatch.setattr(package, "__path__", [*package.__path__, str(folder)])
    yield
    for example, package in EXAMPLES.items():
        sys.modules.pop(f"splitroute.{example}", None)
        vars(package).pop(example.rpartition(".")[2], None)


@pytest.mark.parametrize("example", EXAMPLES)
def test_python_examples_keep_the_contract(example: str, added: None, tmp_path: Path) -> None:
    folder, _, name = example.partition(".")
    assert name in registry.names(EXAMPLES[example])
    assert inspect.getdoc(importlib.import_module(f"splitroute.{example}"))
    scope: dict[str, object] = {}
    exec(FILES[f"tests/{folder}/test_{name}.py"], scope)
    [test] = [value for key, value in scope.items() if key.startswith("test_") and callable(value)]
    test()


def test_the_examples_solve_and_save(added: None, square: sr.Instance, tmp_path: Path) -> None:
    stop = sr.Stop(iterations=1)
    result = sr.solve(square, rule="halves", engine="nearest", stop=stop)
    sr.write(result.solution, tmp_path / "square.triples", instance=square)
    parsed = sr.read_solution(tmp_path / "square.triples", square)
    assert parsed.solution == result.solution


def test_the_diagram_has_the_steps_of_solve_in_order(
    square: sr.Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    [diagram] = blocks(PAGE, "mermaid")
    labels = re.findall(r'-- "?(.+?)"? -->', diagram.text)
    steps: list[str] = []

    def record(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def recorded(*arguments: Any) -> Any:
            steps.append(name)
            return function(*arguments)

        return recorded

    def engine(instance: sr.Instance, stop: sr.Stop, seed: int, start: Any, _: Any) -> sr.Solution:
        steps.append("engine" if start is None else "engine with start (polish)")
        visits = (sr.Visit(k, c.demand) for k, c in enumerate(instance.customers, 1))
        return sr.Solution(tuple(sr.Route((visit,)) for visit in visits))

    for step in ("to_cvrp", "merge"):
        monkeypatch.setattr(sr.SplitPlan, step, record(step, getattr(sr.SplitPlan, step)))
    rule = record("rule", lambda instance: sr.split(instance, "none"))
    sr.solve(square, rule=rule, engine=engine, stop=sr.Stop(seconds=1), polish=1)
    assert labels[0] == "formats"
    assert list(dict.fromkeys(steps)) == labels[1:6]
    assert labels[6] == "validate"


def test_the_move_compiles_and_passes_its_self_test(tmp_path: Path) -> None:
    if shutil.which("g++") is None or shutil.which("make") is None:
        pytest.skip("g++ or make is absent")
    shutil.copy2(ROOT / "Makefile", tmp_path)
    shutil.copytree(ROOT / "cpp", tmp_path / "cpp")
    if (objects := ROOT / "build" / "selftest-objects").exists():  # not to be compiled again
        shutil.copytree(objects, tmp_path / "build" / "selftest-objects")
    for file, text in FILES.items():
        if file.startswith("cpp/"):
            (tmp_path / file).write_text(text)
    make = ["make", "--jobs=2", "CXX=g++ -Werror", "build/selftest"]
    subprocess.run(make, cwd=tmp_path, check=True, capture_output=True, timeout=600)
    program = [str(tmp_path / "build" / "selftest"), "or_opt_predicts_its_change"]
    done = subprocess.run(program, check=True, capture_output=True, text=True, timeout=60)
    assert done.stdout.startswith("core: 1 tests, ")


def test_pre_commit_hooks_are_commands_of_make_check() -> None:
    subprocess.run(
        [sys.executable, "-m", "pre_commit", "validate-config", ROOT / ".pre-commit-config.yaml"],
        check=True,
    )
    check = (ROOT / "Makefile").read_text().partition("\ncheck:")[2].partition("\n\n")[0]
    hooks = (ROOT / ".pre-commit-config.yaml").read_text()
    tools = {
        line.split(".venv/bin/")[1].split()[0] for line in hooks.splitlines() if "entry: .v" in line
    }
    linters = {"hadolint", "check-jsonschema"}
    assert tools == {"ruff", "mypy", "lint-imports", "clang-format"} | linters
    assert all(f"$(BIN)/{tool}" in check for tool in tools)
