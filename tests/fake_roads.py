"""A fake road server, and customers along a line for it."""

import contextlib
import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import splitroute as sr

Response = tuple[int, Any]


class FakeServer:
    """An OSRM that responds as told, and remembers the requests."""

    def __init__(self) -> None:
        self.requests: list[str] = []
        self.failures: list[Response] = []  # given first
        self.metres: Callable[[tuple[float, float], tuple[float, float]], float | None] = (
            lambda a, b: abs(a[0] - b[0]) * 1e5 + abs(a[1] - b[1]) * 1e5
        )
        self.max_entries = 10_000
        self.max_stops = 500
        self.without_road: set[float] = set()  # longitudes
        self.snapped = 1.0

    def respond(self, path: str) -> Response:
        self.requests.append(path)
        if self.failures:
            return self.failures.pop(0)
        places, _, query = path.rpartition("/")[2].partition("?")
        points = [tuple(map(float, place.split(","))) for place in places.split(";")]
        if any(x in self.without_road for x, _ in points):
            return 400, {"code": "NoSegment", "message": "no matching segment"}
        if path.startswith("/route/"):
            if len(points) > self.max_stops:
                return 400, {"code": "TooBig", "message": "Too many coordinates"}
            return 200, {"code": "Ok", "routes": [{"geometry": {"coordinates": points}}]}
        options = dict(option.split("=", 1) for option in query.split("&"))
        sides = [
            [points[int(k)] for k in options[side].split(";")] if side in options else points
            for side in ("sources", "destinations")
        ]
        if len(sides[0]) * len(sides[1]) > self.max_entries:
            return 400, {"code": "TooBig", "message": "Too many table coordinates"}
        table = [[self.metres(a, b) for b in sides[1]] for a in sides[0]]  # type: ignore[arg-type]
        near = [{"distance": self.snapped} for _ in sides[0]]
        seconds = [[None if m is None else m / 10 for m in row] for row in table]
        return 200, {"code": "Ok", "distances": table, "durations": seconds, "sources": near}


@contextlib.contextmanager
def fake_server() -> Iterator[tuple[FakeServer, str]]:
    """A running fake server, and what `roads` takes."""
    server = FakeServer()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, data = server.respond(self.path)
            body = data if isinstance(data, bytes) else json.dumps(data).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_POST(self) -> None:  # of Valhalla; all responses are those told
            self.rfile.read(int(self.headers["Content-Length"]))
            self.do_GET()

        def log_message(self, *_: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listener:
        thread = threading.Thread(target=listener.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server, f"osrm:http://127.0.0.1:{listener.server_port}"
        finally:
            listener.shutdown()
            thread.join()


def line(count: int, **arguments: Any) -> sr.Instance:
    """Customers c1, c2, ... eastwards of the depot, 0.01 degrees apart."""
    lon = [0.01 * k for k in range(count + 1)]
    ids = [f"c{k}" for k in range(1, count + 1)]
    lat = [50.0] * (count + 1)
    return sr.Instance.create(10, [1] * count, lat=lat, lon=lon, ids=ids, **arguments)
