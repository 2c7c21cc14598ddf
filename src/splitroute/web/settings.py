"""Settings of the service, chosen by its operator."""

from __future__ import annotations

import ipaddress
import math
import os
import re
from dataclasses import dataclass, field

from splitroute.errors import InputError
from splitroute.web.roads import NO_ROADS, RoadServers

LOOPBACK_HOSTS = ("127.0.0.1", "::1", "localhost")

# Placeholders in any order, and no character that could end a directive of the security policy.
TILES_PATTERN = re.compile(r"(?=.*\{z\})(?=.*\{x\})(?=.*\{y\})https?://[\w.:-]+/[^\s;,'\"]*")

MAX_WORKERS = 1024

# Allowed ranges, both ends included.
RANGES: dict[str, tuple[float, float]] = {
    "port": (0, 65_535),
    "workers": (1, MAX_WORKERS),
    "memory": (256, 2**20),  # imports alone take 160 MB of address space
    "max_bytes": (1024, 2**30),
    "max_customers": (1, 10**6),
    "max_seconds": (0.1, 10**7),
    "max_open_jobs": (1, 10**6),
    "max_streams": (1, 10**6),
    "max_streams_per_client": (1, 10**6),
    "max_parser_memory": (256, 2**20),
    "max_waiting": (1, 10**6),
    "max_waiting_per_client": (1, 10**6),
    "max_request_seconds": (1, 3600),
    "keep_days": (0, 36_500),
}


@dataclass(frozen=True)
class Settings:
    """Settings of one service."""

    store: str = "sqlite:///splitroute-jobs.db"
    host: str = "127.0.0.1"
    port: int = 8765
    token: str | None = field(default=None, repr=False)
    workers: int = min(os.cpu_count() or 1, MAX_WORKERS)
    memory: int = 4096  # MB of address space per job
    max_bytes: int = 8 * 2**20  # per request
    max_customers: int = 20_000  # per instance
    max_seconds: float = 3600.0  # per job
    max_open_jobs: int = 100  # queued or running, per client
    max_streams: int = 500  # open event streams
    max_streams_per_client: int = 100
    max_parser_memory: int = 1024  # MB of address space per parser process
    max_waiting: int = 100  # requests waiting for a parser
    max_waiting_per_client: int = 25
    max_request_seconds: float = 30.0  # to receive a request
    keep_days: float | None = None  # ended jobs are deleted after this; None: never
    trusted_proxies: tuple[str, ...] = ()  # whose X-Forwarded-For is believed
    roads: RoadServers = NO_ROADS  # that requests may name
    tiles: str | None = None  # URL template of map tiles
    attribution: str = ""  # of the tiles

    def __post_init__(self) -> None:
        for name, (low, high) in RANGES.items():
            _check_range(name, getattr(self, name), low, high)
        if self.token is not None and not self.token.strip():
            raise InputError("the token is empty; choose one that is hard to guess", field="token")
        if self.host not in LOOPBACK_HOSTS and self.token is None:
            raise InputError(
                f"listening on {self.host} needs a token, or anyone could use the service; "
                "set a token, or listen on 127.0.0.1",
                field="token",
            )
        if self.tiles is not None and not TILES_PATTERN.fullmatch(self.tiles):
            raise InputError(
                f"the tile URL is {self.tiles!r}; "
                "expected a template such as https://tiles.example.org/{z}/{x}/{y}.png",
                field="tiles",
                value=self.tiles,
            )
        for address in self.trusted_proxies:
            if not _is_network(address):
                raise InputError(
                    f"the trusted proxy is {address!r}; expected an IP address or network, "
                    "such as 127.0.0.1 or 10.0.0.0/8",
                    field="trusted_proxies",
                    value=address,
                )


def _check_range(name: str, value: float | None, low: float, high: float) -> None:
    if value is not None and not (math.isfinite(value) and low <= value <= high):
        raise InputError(
            f"{name} is {value}; expected {low:,.12g} to {high:,.12g}", field=name, value=value
        )


def _is_network(address: str) -> bool:
    """Whether this is an IP address or a network other than the whole internet."""
    try:
        return ipaddress.ip_network(address).prefixlen > 0
    except ValueError:
        return False
