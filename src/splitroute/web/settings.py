"""What the operator decides."""

from __future__ import annotations

import ipaddress
import os
import re
from dataclasses import dataclass, field

from splitroute.errors import InputError

# Nothing that could end a directive of the security policy; {z}, {x} and {y} in any order.
TILES = re.compile(r"(?=.*\{z\})(?=.*\{x\})(?=.*\{y\})https?://[\w.:-]+/[^\s;,'\"]*")

# Each with the smallest value it may have.
LIMITS = {
    "max_streams": 1,
    "max_streams_per_client": 1,
    "max_parser_memory": 256,
    "max_waiting": 1,
    "max_waiting_per_client": 1,
    "max_request_seconds": 1,
    "keep_days": 0,
}
LOOPBACK = ("127.0.0.1", "::1", "localhost")


@dataclass(frozen=True)
class Settings:
    """Of one service."""

    store: str = "sqlite:///splitroute-jobs.db"
    host: str = "127.0.0.1"
    port: int = 8765
    token: str | None = field(default=None, repr=False)
    workers: int = os.cpu_count() or 1
    memory: int = 4096  # megabytes of address space per job
    most_bytes: int = 8 * 2**20  # of a request
    most_customers: int = 20_000
    most_seconds: float = 3600.0
    most_open_jobs: int = 100  # queued or running, per client
    max_streams: int = 500  # of events, in all
    max_streams_per_client: int = 100
    max_parser_memory: int = 1024  # megabytes of address space per parser process
    max_waiting: int = 100  # requests that wait to be parsed
    max_waiting_per_client: int = 25
    max_request_seconds: float = 30.0  # to receive a request
    keep_days: float | None = None  # for which ended jobs are kept; None: for good
    trusted_proxies: tuple[str, ...] = ()  # whose word on the client's address is taken
    tiles: str | None = None  # https://.../{z}/{x}/{y}.png, for maps with a background
    attribution: str = ""  # of the tiles

    def __post_init__(self) -> None:
        if self.token is not None and not self.token.strip():
            raise InputError("the token is empty; anybody could present that")
        if self.host not in LOOPBACK and self.token is None:
            raise InputError(
                f"listening on {self.host} takes a token: anybody could use it otherwise; "
                "give a token, or listen on 127.0.0.1",
                field="token",
            )
        if self.tiles is not None and not TILES.fullmatch(self.tiles):
            raise InputError(
                f"the address of tiles is {self.tiles!r}; "
                "it is like https://tiles.example.org/{z}/{x}/{y}.png"
            )
        if not 1 <= self.workers <= 1024:
            raise InputError(f"the number of workers is {self.workers}; it is from 1 to 1024")
        self._check_limits()
        for address in self.trusted_proxies:
            if not _is_network(address):
                raise InputError(
                    f"the trusted proxy is {address!r}; it is an IP address or network, "
                    "such as 127.0.0.1 or 10.0.0.0/8",
                    field="trusted_proxies",
                    value=address,
                )
        if not 0 <= self.port <= 65_535:
            raise InputError(f"the port is {self.port}; it is from 0 to 65535")

    def _check_limits(self) -> None:
        for name, least in LIMITS.items():
            value = getattr(self, name)
            if value is not None and not least <= value < float("inf"):
                raise InputError(
                    f"{name} is {value}; it is at least {least}", field=name, value=value
                )


def _is_network(address: str) -> bool:
    """Whether it is an IP address or a network, but not all of them."""
    try:
        return ipaddress.ip_network(address).prefixlen > 0
    except ValueError:
        return False
