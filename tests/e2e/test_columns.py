"""Spreadsheets on the page: unknown columns are mapped above a preview."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import TYPE_CHECKING

from serving import Service
from spreadsheets import Rows, xlsx

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROWS: Rows = [
    ["Kapazität", 80],
    ["Kd-Nr", "Breitengrad", "Längengrad", "Verladen"],
    ["depot", 53.55, 10.0],
    ["1001", 53.54, 9.97, 54],
    ["1002", 53.6, 10.14, 210],
]


def test_an_unknown_column_is_mapped(service: Service, open_page: Callable[..., Page]) -> None:
    page = open_page(service)
    page.get_by_role("button", name="Choose a file").wait_for()
    page.evaluate(
        """([name, text]) => {
            const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
            const files = new DataTransfer();
            files.items.add(new File([bytes], name));
            window.dispatchEvent(new DragEvent("drop", { dataTransfer: files }));
        }""",
        ["orders.xlsx", base64.b64encode(xlsx(ROWS)).decode()],
    )
    page.get_by_text("choose the one for demand").wait_for()
    assert "no column 'demand'" in page.get_by_role("alert").inner_text()
    assert page.get_by_role("cell", name="1001").is_visible()
    page.get_by_label("Contents of Verladen").select_option("demand")
    page.get_by_test_id("summary").filter(
        has_text="orders: 2 customers, total demand 264"
    ).wait_for()
    assert page.get_by_role("alert").count() == 0
    with page.expect_request("**/api/jobs") as posted:
        page.get_by_role("button", name="Solve").click()
    assert posted.value.post_data_json["instance"]["columns"] == {"demand": "Verladen"}
