"""What several tests of the page do, and how they see what is on a canvas."""

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

# Keeps what was drawn on each canvas since it was last cleared.
RECORDER = """
const proto = CanvasRenderingContext2D.prototype;
const kept = (context) => (context.canvas.kept ??= {});
const also = (name, note) => {
    const original = proto[name];
    proto[name] = function (...given) {
        note(kept(this), this, ...given);
        return original.apply(this, given);
    };
};
also("clearRect", (on) => {
    Object.assign(on, { texts: [], points: [], discs: [], arrows: 0, widest: 0 });
});
also("fillText", (on, _, text, x, y) => on.texts?.push([String(text), x, y]));
also("moveTo", (on, _, x, y) => on.points?.push([x, y]));
also("lineTo", (on, _, x, y) => on.points?.push([x, y]));
also("arc", (on, _, x, y, r) => on.discs?.push([x, y, r]));
also("closePath", (on) => (on.arrows += 1));
also("stroke", (on, context) => (on.widest = Math.max(on.widest, context.lineWidth)));
"""


def drop(page: Page, name: str, text: str) -> None:
    """Drops a file on the page, as from a desktop."""
    page.get_by_role("button", name="Choose a file").wait_for()
    page.evaluate(
        """([name, text]) => {
            const files = new DataTransfer();
            files.items.add(new File([text], name));
            window.dispatchEvent(new DragEvent("drop", { dataTransfer: files }));
        }""",
        [name, text],
    )


def finished(page: Page, status: str = "done") -> None:
    page.wait_for_selector(f"[data-testid=status][data-status={status}]", timeout=90_000)


class Drawing:
    """What is on a map; the page was opened with the recorder."""

    def __init__(self, page: Page, selector: str, number: int) -> None:
        page.wait_for_timeout(400)  # for the next frame, which large pictures take longer to reach
        kept: dict[str, Any] = page.locator(selector).nth(number).evaluate("(c) => c.kept ?? {}")
        self.texts: list[tuple[str, float, float]] = kept.get("texts", [])
        self.points: list[tuple[float, float]] = kept.get("points", [])
        self.discs: list[tuple[float, float, float]] = kept.get("discs", [])
        self.arrows: int = kept.get("arrows", 0)
        self.widest: float = kept.get("widest", 0)

    @property
    def numbers(self) -> list[str]:
        return [text for text, _, _ in self.texts if text.replace(",", "").isdigit()]

    @property
    def depot_legs(self) -> int:
        """How many lines meet at the depot, which has a letter on it."""
        x, y = next((x, y - 0.5) for text, x, y in self.texts if text == "D")
        return sum(abs(a - x) < 0.01 and abs(b - y) < 0.01 for a, b in self.points)


def drawn(page: Page, number: int = 0) -> Drawing:
    """The picture of a map."""
    return Drawing(page, "[data-testid=map] > canvas", number)


def lit(page: Page, number: int = 0) -> Drawing:
    """What stands out on a map."""
    return Drawing(page, "[data-testid=map] [role=application] canvas", number)
