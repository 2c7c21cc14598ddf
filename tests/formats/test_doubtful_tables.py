"""Tables as new users write them: what is doubtful is pointed out, never dropped in silence."""

import pytest

import splitroute as sr
from splitroute.formats import NamedText, parse

DEPOT = (0.0, 0.0)


@pytest.mark.parametrize(
    "title", ["Total", "Grand total", "Total général", "Gesamtmenge", "Total kg", "Summe (kg):"]
)
def test_totals_are_neither_customers_nor_vehicles(title: str) -> None:
    fleet = NamedText("fleet.csv", f"type,count,capacity\nvan,2,10\n{title},2,20\n")
    with pytest.warns(sr.InputWarning) as caught:
        instance = parse(
            f"id,x,y,demand\na,1,1,2\n{title},,,2\n", "it.csv", depot=DEPOT, fleet=fleet
        )
    assert [str(w.message) for w in caught] == [
        f"it.csv:3: ignoring the row {title!r}", f"fleet.csv:3: ignoring the row {title!r}",
    ]  # fmt: skip
    assert len(instance.customers) == len(instance.fleet) == 1


def test_a_customer_may_be_called_total() -> None:
    text = "# capacity: 9\nid,x,y,demand\nTotal,1,1,2\n"
    assert parse(text, "it.csv", depot=DEPOT).customers[0].id == "Total"
