"""Rules about the source that no other tool checks."""

import ast
import re
import tomllib

from conftest import ROOT

SOURCE = ROOT / "src" / "splitroute"
INPUT_ERRORS = ("InputError", "LimitError")
ALLOWED = {
    "bounds/column_prices.py",
    "bounds/columns.py",
    "bounds/relaxation.py",
    "core/__init__.py",
    "core/parts.py",
    "distances.py",
    "core/rules.py",
    "core/settings.py",
    "engines/_cooling.py",
    "engines/_parts.py",
    "engines/_parts_on_cluster.py",
    "engines/_preparation.py",
    "engines/hybrid.py",
    "engines/native.py",
    "engines/rtr.py",
}


def test_only_what_is_hot_imports_the_compiled_core() -> None:
    imports = re.compile(r"^\s*(from splitroute import .*\b_core\b|.*splitroute\._core)", re.M)
    users = {
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*.py")
        if imports.search(path.read_text())
    }
    assert users
    assert users <= ALLOWED


def test_every_input_error_has_a_field_or_a_file() -> None:
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in INPUT_ERRORS:
                names = {keyword.arg for keyword in node.keywords}
                assert names & {"field", "file"}, f"{path}:{node.lineno}"


def layers() -> list[str]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    (contract,) = (
        contract
        for contract in settings["tool"]["importlinter"]["contracts"]
        if contract["type"] == "layers"
    )
    listed: list[str] = contract["layers"]
    return listed


def test_every_module_is_in_a_layer() -> None:
    modules = {
        path.stem
        for path in SOURCE.iterdir()
        if (path.suffix == ".py" or (path / "__init__.py").exists())
        and not path.name.startswith("_")
    }
    assert {name for layer in layers() for name in layer.split(" | ")} == modules


def test_the_layers_fit_on_a_screen() -> None:
    assert len(layers()) <= 20
    assert max(map(len, layers())) <= 80


def test_few_modules_at_the_top() -> None:
    assert len([path for path in SOURCE.glob("*.py") if not path.name.startswith("_")]) < 20
