"""Settings of the service and their ranges."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import pytest

from splitroute.errors import InputError
from splitroute.web.settings import RANGES, Settings


def test_a_public_address_needs_a_token(run: Any) -> None:
    done = run("serve", "--host", "0.0.0.0")
    assert done.exit_code == 2
    assert "needs a token" in done.stderr


def test_the_port_that_the_system_chose_is_printed(
    run: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ports: list[int] = []

    def serve(self: object, sockets: list[socket.socket]) -> None:
        ports.extend(listener.getsockname()[1] for listener in sockets)
        sockets[0].close()

    monkeypatch.setattr("uvicorn.Server.run", serve)
    done = run("serve", "--port", 0, "--store", f"sqlite:///{tmp_path}/jobs.db")
    assert f"listening on http://127.0.0.1:{ports[0]};" in done.stderr


def test_an_empty_token_is_refused(run: Any) -> None:
    done = run("serve", "--token", "")
    assert done.exit_code == 2
    assert "the token is empty" in done.stderr


@pytest.mark.parametrize("proxy", ["*", "localhost", "10.0.0.1/8", "0.0.0.0/0"])
def test_proxies_are_ip_addresses(run: Any, proxy: str) -> None:
    done = run("serve", "--trusted-proxy", proxy)
    assert done.exit_code == 2
    assert "the trusted proxy is" in done.stderr


@pytest.mark.parametrize(
    "tiles", ["file:///{z}/{x}/{y}", "https://a/{z}/{x}", "https://a;b/{z}{x}{y}"]
)
def test_malformed_tile_urls_are_refused(tiles: str) -> None:
    with pytest.raises(InputError, match="the tile URL"):
        Settings(tiles=tiles)


@pytest.mark.parametrize(
    ("option", "value", "allowed"),
    [
        ("--max-customers", 0, "max_customers is 0; expected 1 to 1,000,000"),
        ("--max-seconds", 0, "max_seconds is 0.0; expected 0.1 to 10,000,000"),
        ("--max-seconds", "nan", "max_seconds is nan"),
        ("--max-open-jobs", 0, "max_open_jobs is 0; expected 1 to"),
        ("--max-bytes", 10, "max_bytes is 10; expected 1,024 to"),
        ("--memory", 1, "memory is 1; expected 256 to 1,048,576"),
        ("--max-parser-memory", 1, "expected 256 to"),
        ("--workers", 0, "workers is 0; expected 1 to 1,024"),
        ("--port", 65_536, "port is 65536; expected 0 to 65,535"),
        ("--keep-days", -1, "keep_days is -1.0; expected 0 to"),
    ],
)
def test_values_out_of_range_are_refused(
    run: Any, option: str, value: object, allowed: str
) -> None:
    done = run("serve", option, value)
    assert done.exit_code == 2
    assert allowed in done.stderr


def test_defaults_are_in_range() -> None:
    assert set(RANGES) <= set(vars(Settings()))
