"""Size of the page, time to first paint, and frame times while the map moves.

    make web && .venv/bin/python benchmarks/page.py --customers 5000

Runs the real program and the system's Chromium. Prints one line per requirement; the exit code is 1
if one is missed. `make test-e2e` installs what it needs.
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

MAX_BYTES = 1_500_000
MAX_PAINT_SECONDS = 2.0
MAX_P95_FRAME_SECONDS = 1 / 30
FLAGS = ["--no-sandbox", "--no-first-run", "--disable-background-networking", "--disable-sync"]

RECORD_FRAMES = """() => {
    window.frameTimes = [];
    let last = performance.now();
    const record = (now) => {
        window.frameTimes.push(now - last);
        last = now;
        requestAnimationFrame(record);
    };
    requestAnimationFrame(record);
}"""


def size() -> int:
    """Return the compressed size of all files of the page."""
    return sum(
        len(gzip.compress(path.read_bytes())) for path in FOLDER.rglob("*") if path.is_file()
    )


def wait_for(url: str) -> None:
    """Wait until the service responds."""
    for _ in range(300):
        try:
            httpx.get(f"{url}/health")
            return
        except httpx.TransportError:
            time.sleep(0.1)
    sys.exit("the service does not start")


def solve(url: str, customers: int) -> str:
    """Return the id of a solved job."""
    instance = {"customers": customers, "capacity": 1000, "low": 0.01, "high": 0.3}
    submitted = httpx.post(f"{url}/api/jobs", json={"instance": instance, "seconds": 5})
    job = submitted.raise_for_status().json()["id"]
    while (status := httpx.get(f"{url}/api/jobs/{job}").json()["status"]) in ("queued", "running"):
        time.sleep(0.5)
    if status != "done":
        sys.exit(f"the job is {status}")
    return str(job)


def measure_frames(page: Page, steps: int = 150) -> list[float]:
    """Return the sorted frame times in seconds while the map is dragged and zoomed."""
    box = page.get_by_test_id("map").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.evaluate(RECORD_FRAMES)
    page.mouse.down()
    for step in range(steps):
        page.mouse.move(x + step, y + step % 40)
        page.wait_for_timeout(10)
    page.mouse.up()
    for step in range(steps // 5):
        page.mouse.wheel(0, -40 if step % 2 else 40)
        page.wait_for_timeout(20)
    return sorted(frame / 1000 for frame in page.evaluate("window.frameTimes"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--customers", type=int, default=5000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        store = f"sqlite:///{Path(folder) / 'jobs.db'}"
        program = Program(store, [], Path(folder) / "log")
        program.start()
        try:
            wait_for(program.url)
            job = solve(program.url, options.customers)
            browser = playwright.chromium.launch(
                executable_path=shutil.which("chromium"), args=FLAGS
            )
            page = browser.new_page(viewport={"width": 1400, "height": 900})
            start = time.perf_counter()
            page.goto(f"{program.url}/#/jobs/{job}")
            page.get_by_test_id("cost").wait_for()
            first_solution = time.perf_counter() - start
            paint = page.evaluate(
                "performance.getEntriesByName('first-contentful-paint')[0].startTime / 1000"
            )
            page.wait_for_timeout(1000)
            frames = measure_frames(page)
            browser.close()
        finally:
            program.stop()
    p95 = frames[int(0.95 * len(frames))]
    total = size()
    requirements = [
        (total <= MAX_BYTES, f"{total / 1000:,.0f} kB compressed"),
        (
            paint <= MAX_PAINT_SECONDS,
            f"first paint after {paint:.2f} s, solution after {first_solution:.2f} s",
        ),
        (
            p95 <= MAX_P95_FRAME_SECONDS,
            f"{len(frames)} frames while the map moves: "
            f"median {1000 * frames[len(frames) // 2]:.0f} ms, "
            f"p95 {1000 * p95:.0f} ms, maximum {1000 * frames[-1]:.0f} ms",
        ),
    ]
    for is_met, text in requirements:
        print(f"{'met' if is_met else 'MISSED'}: {text}")
    sys.exit(not all(is_met for is_met, _ in requirements))


if __name__ == "__main__":
    main()
