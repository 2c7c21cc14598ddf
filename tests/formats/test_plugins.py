"""Formats of other packages."""

from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

import splitroute as sr
from splitroute import formats, registry
from splitroute.formats import Capabilities, ReadOptions, _lookup, coordlist
from splitroute.generate import set1


@pytest.fixture(autouse=True)
def plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Adds a format for .dat files, one without extensions, and one that cannot be loaded."""

    def parse_instance(text: str, options: ReadOptions) -> sr.Instance:
        return coordlist.parse_instance(text, options)

    capabilities = Capabilities(instance_suffixes=(".dat",), min_customers=len)
    good = SimpleNamespace(CAPABILITIES=capabilities, parse_instance=parse_instance)
    no_suffixes = SimpleNamespace(parse_instance=parse_instance)
    plugins = {"good": good, "no-suffixes": no_suffixes}

    def load(package: ModuleType, name: str) -> Any:
        if name == "broken":
            raise sr.MissingPackageError("the format broken cannot be loaded")
        return plugins.get(name) or registry.load(package, name)

    names = [*registry.names(formats), "broken", *plugins]
    monkeypatch.setattr(_lookup, "names", lambda package: names)
    monkeypatch.setattr(_lookup, "load", load)


def test_a_format_is_found_by_extension_and_name(tmp_path: Path) -> None:
    (path := tmp_path / "it.dat").write_text(coordlist.dump_instance(set1(1)))
    assert sr.read(path).customers == set1(1).customers
    assert sr.read(path, format="good").customers == set1(1).customers
    assert formats.min_customers("four", "good") == 4
    assert ".dat" in formats.suffixes("instance")
    assert ".dat" not in formats.suffixes("instance", "dump")


def test_a_format_without_extensions_is_found_by_name(tmp_path: Path) -> None:
    (path := tmp_path / "it.xyz").write_text(coordlist.dump_instance(set1(1)))
    assert sr.read(path, format="no-suffixes").customers == set1(1).customers
    with pytest.raises(sr.InputError, match=r"unknown instance file extension '\.xyz'"):
        sr.read(path)


def test_a_format_that_cannot_be_loaded_is_only_an_error_if_asked_for(tmp_path: Path) -> None:
    sr.write(set1(1), path := tmp_path / "it.txt")
    with pytest.raises(sr.MissingPackageError, match="the format broken cannot be loaded"):
        sr.read(path, format="broken")
