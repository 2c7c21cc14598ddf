"""Engines that the service offers."""

from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from splitroute import engines, registry
from splitroute.engines import Capabilities
from splitroute.errors import InputError
from splitroute.web import limits
from splitroute.web.models import JobRequest, RandomInstance


def test_an_engine_of_another_package_that_runs_a_program_is_not_offered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plugins = {
        "pure": SimpleNamespace(CAPABILITIES=Capabilities()),
        "wrapper": SimpleNamespace(CAPABILITIES=Capabilities(runs_program=True)),
    }

    def load(package: ModuleType, name: str) -> Any:
        return plugins.get(name) or registry.load(package, name)

    monkeypatch.setattr(limits, "names", lambda package: [*registry.names(engines), *plugins])
    monkeypatch.setattr(limits, "load", load)
    usable = limits.usable_engines()
    assert "pure" in usable
    assert "wrapper" not in usable
    allowed = limits.Limits(max_customers=10, max_seconds=10)
    instance = RandomInstance(customers=3)
    limits.check_limits(JobRequest(instance=instance, engine="pure"), allowed)
    with pytest.raises(InputError, match=r"unknown engine 'wrapper'; known: .*pure"):
        limits.check_limits(JobRequest(instance=instance, engine="wrapper"), allowed)
