"""Actions on the page, and what it has drawn on a canvas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page

CUSTOMERS = """# capacity: 10
id,x,y,demand
depot,0,0,0
Anna,10,1,6
Bert,10,0,8
Cleo,10,-1,6
"""

# Records what is drawn on each canvas since it was last cleared.
RECORDER = """
const proto = CanvasRenderingContext2D.prototype;
const recordOf = (context) => (context.canvas.record ??= {});
const spy = (name, note) => {
    const original = proto[name];
    proto[name] = function (...args) {
        note(recordOf(this), this, ...args);
        return original.apply(this, args);
    };
};
spy("clearRect", (record) => {
    Object.assign(record, { texts: [], points: [], discs: [], arrows: 0, widest: 0 });
});
spy("fillText", (record, _, text, x, y) => record.texts?.push([String(text), x, y]));
spy("moveTo", (record, _, x, y) => record.points?.push([x, y]));
spy("lineTo", (record, _, x, y) => record.points?.push([x, y]));
spy("arc", (record, _, x, y, r) => record.discs?.push([x, y, r]));
spy("closePath", (record) => (record.arrows += 1));
spy("stroke", (record, context) => (record.widest = Math.max(record.widest, context.lineWidth)));
"""


def drop(page: Page, name: str, text: str) -> None:
    """Drop a file on the page."""
    page.get_by_role("button", name="Choose a file").wait_for()
    page.evaluate(
        """([name, text]) => {
            const files = new DataTransfer();
            files.items.add(new File([text], name));
            window.dispatchEvent(new DragEvent("drop", { dataTransfer: files }));
        }""",
        [name, text],
    )


def wait_for_end(page: Page, status: str = "done") -> None:
    """Wait until the job has ended."""
    page.wait_for_selector(f"[data-testid=status][data-status={status}]", timeout=90_000)


class Drawing:
    """What is drawn on a map."""

    def __init__(self, page: Page, selector: str, number: int) -> None:
        page.wait_for_timeout(400)  # for the next frame, which takes longer on large maps
        canvas = page.locator(selector).nth(number)
        record: dict[str, Any] = canvas.evaluate("(canvas) => canvas.record ?? {}")
        self.texts: list[tuple[str, float, float]] = record.get("texts", [])
        self.points: list[tuple[float, float]] = record.get("points", [])
        self.discs: list[tuple[float, float, float]] = record.get("discs", [])
        self.arrows: int = record.get("arrows", 0)
        self.widest: float = record.get("widest", 0)

    @property
    def numbers(self) -> list[str]:
        return [text for text, _, _ in self.texts if text.replace(",", "").isdigit()]

    @property
    def depot_legs(self) -> int:
        """Return the number of lines that end at the depot, which is labelled D."""
        x, y = next((x, y - 0.5) for text, x, y in self.texts if text == "D")
        return sum(abs(a - x) < 0.01 and abs(b - y) < 0.01 for a, b in self.points)


def drawn(page: Page, number: int = 0) -> Drawing:
    """Return the drawing of a map."""
    return Drawing(page, "[data-testid=map] > canvas", number)


def focused(page: Page, number: int = 0) -> Drawing:
    """Return the drawing of the focus above a map."""
    return Drawing(page, "[data-testid=map] [role=application] canvas", number)
