"""Whether the page is light and smooth: its size, its first paint, and frames while it is moved.

    make web && .venv/bin/python benchmarks/page.py --customers 5000

The real program and the system's Chromium. One line per bar; the exit code says whether all were
met. `make test-e2e` installs what it needs.
"""

from __future__ import annotations

import argparse
import gzip
import shutil
import sys
import tempfile
import time
from pathlib import Path

import httpx
from clients import Program
from playwright.sync_api import Page, sync_playwright

from splitroute.web.page import FOLDER

MOST_BYTES = 1_500_000
MOST_UNTIL_PAINT = 2.0  # seconds
SMOOTH = 1 / 30  # seconds between two frames, for 95 of 100
FLAGS = ["--no-sandbox", "--no-first-run", "--disable-background-networking", "--disable-sync"]

COUNT_FRAMES = """() => {
    window.frames_ = [];
    let last = performance.now();
    const count = (now) => {
        window.frames_.push(now - last);
        last = now;
        requestAnimationFrame(count);
    };
    requestAnimationFrame(count);
}"""


def size() -> int:
    """Of everything that is shipped, compressed."""
    return sum(
        len(gzip.compress(path.read_bytes())) for path in FOLDER.rglob("*") if path.is_file()
    )


def wait_for(address: str) -> None:
    """Until the program answers."""
    for _ in range(300):
        try:
            httpx.get(f"{address}/health")
            return
        except httpx.TransportError:
            time.sleep(0.1)
    sys.exit("the service does not come up")


def solved(address: str, customers: int) -> str:
    """A job that is done."""
    instance = {"customers": customers, "capacity": 1000, "low": 0.01, "high": 0.3}
    job = httpx.post(f"{address}/api/jobs", json={"instance": instance, "seconds": 5}).json()["id"]
    while httpx.get(f"{address}/api/jobs/{job}").json()["status"] in ("queued", "running"):
        time.sleep(0.5)
    return str(job)


def moved(page: Page, steps: int = 150) -> list[float]:
    """Seconds between two frames, sorted, while the map is dragged and zoomed."""
    box = page.get_by_test_id("map").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.evaluate(COUNT_FRAMES)
    page.mouse.down()
    for step in range(steps):
        page.mouse.move(x + step, y + step % 40)
        page.wait_for_timeout(10)
    page.mouse.up()
    for step in range(steps // 5):
        page.mouse.wheel(0, -40 if step % 2 else 40)
        page.wait_for_timeout(20)
    return sorted(frame / 1000 for frame in page.evaluate("window.frames_"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--customers", type=int, default=5000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        store = f"sqlite:///{Path(folder) / 'jobs.db'}"
        program = Program(store, [], Path(folder) / "said")
        program.start()
        try:
            wait_for(program.address)
            job = solved(program.address, options.customers)
            browser = playwright.chromium.launch(
                executable_path=shutil.which("chromium"), args=FLAGS
            )
            page = browser.new_page(viewport={"width": 1400, "height": 900})
            began = time.perf_counter()
            page.goto(f"{program.address}/#/jobs/{job}")
            page.get_by_test_id("cost").wait_for()
            drawn = time.perf_counter() - began
            paint = page.evaluate(
                "performance.getEntriesByName('first-contentful-paint')[0].startTime / 1000"
            )
            page.wait_for_timeout(1000)
            frames = moved(page)
            browser.close()
        finally:
            program.stop()
    late = frames[int(0.95 * len(frames))]
    shipped = size()
    bars = [
        (shipped <= MOST_BYTES, f"{shipped / 1000:,.0f} kB compressed"),
        (
            paint <= MOST_UNTIL_PAINT,
            f"first paint after {paint:.2f} s, the plan after {drawn:.2f} s",
        ),
        (
            late <= SMOOTH,
            f"{len(frames)} frames while it was moved, "
            f"the middle one {1000 * frames[len(frames) // 2]:.0f} ms, "
            f"95 of 100 within {1000 * late:.0f} ms, the slowest {1000 * frames[-1]:.0f} ms",
        ),
    ]
    for met, text in bars:
        print(f"{'met' if met else 'MISSED'}: {text}")
    sys.exit(not all(met for met, _ in bars))


if __name__ == "__main__":
    main()
