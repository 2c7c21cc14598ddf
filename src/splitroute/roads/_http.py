"""Requests to road servers, repeated after errors that may pass."""

from __future__ import annotations

import http.client
import json
import logging
import socket
import ssl
import threading
import time
import urllib.error
import urllib.request
from typing import Any, NamedTuple

from splitroute.errors import RoadServerError
from splitroute.roads._server import RoadServer

TIMEOUT_SECONDS = 60
MAX_ATTEMPTS = 4
SILENT_SECONDS = 3.0  # until a warning says what is waited for
FIRST_WAIT_SECONDS = 0.25  # doubled after each attempt
MAX_WAIT_SECONDS = 10.0  # if the server asks for a longer one
MAX_RESPONSE_BYTES = 64 * 2**20
TRANSIENT = (429, 500, 502, 503, 504)

_log = logging.getLogger("splitroute")


class Response(NamedTuple):
    """The status of a response and its JSON, which is None if there is none."""

    status: int
    data: Any


def fetch(server: RoadServer, url: str, body: object = None) -> Response:
    """Return the response; raise a RoadServerError if there is none after several attempts."""
    wait, reason = FIRST_WAIT_SECONDS, ""
    for attempt in range(1, MAX_ATTEMPTS + 1):
        pause = wait
        waiting = f"waiting for {server.address}, attempt {attempt} of {MAX_ATTEMPTS}"
        if reason:
            _log.warning("%s: %s", waiting, reason)
        timer = threading.Timer(SILENT_SECONDS, _log.warning, [waiting])
        timer.daemon = True
        timer.start()
        try:
            return _fetch_once(url, body)
        except urllib.error.HTTPError as error:
            error.close()
            reason = f"it responded with status {error.code}"
            pause = max(wait, _requested_wait(error))
        except (OSError, http.client.HTTPException, ValueError) as error:
            cause = error.reason if isinstance(error, urllib.error.URLError) else error
            if isinstance(cause, socket.gaierror):
                raise failure(server, "unknown host") from None
            if isinstance(cause, ssl.SSLError):  # some of which are ValueErrors
                raise failure(server, f"no secure connection: {_ssl_reason(cause)}") from None
            reason = _reason(cause)
        finally:
            timer.cancel()
        if attempt < MAX_ATTEMPTS:
            time.sleep(pause)
            wait *= 2
    message = f"{reason}; gave up after {MAX_ATTEMPTS} attempts"
    raise failure(server, message, code="road_server_unavailable")


def failure(server: RoadServer, message: str, code: str = RoadServerError.code) -> RoadServerError:
    """Return the error of a road server that fails or refuses a request."""
    return RoadServerError(
        f"the road server {server.address} failed: {message}",
        code=code,
        field="roads",
        value=server.address,
    )


def _fetch_once(url: str, body: object) -> Response:
    data = None if body is None else json.dumps(body).encode()
    headers = {"User-Agent": "splitroute", "Accept": "application/json"}
    if data is not None:
        headers["Content-Type"] = "application/json"
    request = urllib.request.Request(url, data, headers)
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as response:
            content, status = response.read(MAX_RESPONSE_BYTES), response.status
            return Response(status, json.loads(content))
    except urllib.error.HTTPError as error:
        if error.code in TRANSIENT:
            raise
        with error:
            content = error.read(MAX_RESPONSE_BYTES)
        try:
            return Response(error.code, json.loads(content))
        except ValueError:
            return Response(error.code, None)


def _requested_wait(error: urllib.error.HTTPError) -> float:
    text = error.headers.get("Retry-After", "") if error.headers else ""
    return min(float(text), MAX_WAIT_SECONDS) if text.isdecimal() else 0.0


def _ssl_reason(error: ssl.SSLError) -> str:
    """The cause, such as "certificate verify failed: self-signed certificate"."""
    text = (error.reason or str(error)).lower().replace("_", " ")
    detail = getattr(error, "verify_message", "")
    return f"{text}: {detail}" if detail else text


def _reason(error: object) -> str:
    if isinstance(error, TimeoutError):
        return f"no response within {TIMEOUT_SECONDS} s"
    if isinstance(error, ConnectionRefusedError):
        return "connection refused; is it running?"
    if isinstance(error, ValueError):
        return "its response is not JSON"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    return str(error) or type(error).__name__
