"""`splitroute doctor`: versions, extras and what is missing."""

import json
from collections.abc import Callable
from importlib import metadata
from importlib.metadata import EntryPoint
from typing import Any

import pytest

from splitroute import registry
from splitroute.cli._installation import EXTRAS

Run = Callable[..., Any]
FOR_DEVELOPERS = {"all", "dev", "docs", "e2e"}
REAL_VERSION = metadata.version


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str | None], None]:
    """Pretend that a package has another version, or is not installed."""

    def pretend(package: str, version: str | None) -> None:
        def version_of(name: str) -> str:
            if name != package:
                return REAL_VERSION(name)
            if version is None:
                raise metadata.PackageNotFoundError(name)
            return version

        monkeypatch.setattr(metadata, "version", version_of)

    return pretend


def test_every_extra_for_users_is_explained() -> None:
    declared = set(metadata.metadata("splitroute").get_all("Provides-Extra") or ())
    assert declared - FOR_DEVELOPERS == set(EXTRAS)


def test_versions_and_extras_are_printed(run: Run) -> None:
    done = run("doctor")
    assert done.exit_code == 0, done.stdout
    for text in (REAL_VERSION("splitroute"), REAL_VERSION("numpy"), *EXTRAS, "no problems"):
        assert text in done.stdout


def test_a_missing_extra_is_no_problem_but_says_how_to_install_it(
    run: Run, installed: Callable[[str, str | None], None]
) -> None:
    installed("matplotlib", None)
    done = run("doctor")
    assert done.exit_code == 0
    assert "pip install 'splitroute[plot]'" in done.stdout
    assert "pip install 'splitroute[notebook]'" in done.stdout  # which includes it
    assert "pip install 'splitroute[web]'" not in done.stdout
    data = json.loads(run("doctor", "--json").stdout)
    assert data["extras"]["plot"] == {
        "installed": False,
        "packages": {"matplotlib": None},
        "faults": ["matplotlib is not installed"],
    }
    assert data["extras"]["web"]["installed"]


def test_commands_are_not_wrapped(
    run: Run, installed: Callable[[str, str | None], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    installed("narwhals", None)
    assert "pip install 'splitroute[dataframe]'" in run("doctor").stdout


def test_an_outdated_package_is_a_problem(
    run: Run, installed: Callable[[str, str | None], None]
) -> None:
    installed("highspy", "1.2.0")
    done = run("doctor")
    assert done.exit_code == 1
    assert "highspy>=1.10 is needed, but 1.2.0 is installed" in done.stdout


def test_a_missing_requirement_is_a_problem(
    run: Run, installed: Callable[[str, str | None], None]
) -> None:
    installed("numpy", None)
    done = run("doctor", "--json")
    assert done.exit_code == 1
    assert json.loads(done.stdout)["problems"] == ["numpy is not installed"]


def test_a_plugin_that_does_not_load_is_a_problem(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = {
        "splitroute.rules": {"halves": EntryPoint("halves", "test_registry:halves", "g")},
        "splitroute.engines": {"broken": EntryPoint("broken", "no_such_module:run", "g")},
    }
    monkeypatch.setattr(registry, "_entry_points", lambda group: entries.get(group, {}))
    done = run("doctor", "--json")
    assert done.exit_code == 1
    data = json.loads(done.stdout)
    assert data["plugins"]["rule halves"] is None
    assert "No module named 'no_such_module'" in data["plugins"]["engine broken"]
    assert data["problems"] == [data["plugins"]["engine broken"]]


def test_a_plugin_with_a_name_of_ours_is_a_problem(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = {"splitroute.rules": {"coins": EntryPoint("coins", "test_registry:halves", "g")}}
    monkeypatch.setattr(registry, "_entry_points", lambda group: entries.get(group, {}))
    done = run("doctor", "--json")
    assert done.exit_code == 1
    (problem,) = json.loads(done.stdout)["problems"]
    assert problem == "the rule coins is hidden by splitroute's own; give it another name"
