"""The day of the deliveries, as files state it."""

from datetime import date

from splitroute.errors import InputError


def day_text(value: object) -> str:
    """A day such as Tuesday, 17 November 2026; empty if there is none."""
    if value is None or value == "":
        return ""
    try:
        day = value if isinstance(value, date) else date.fromisoformat(str(value))
    except ValueError:
        message = f"date is {value!r}; it must be a day such as 2026-11-17"
        raise InputError(message, field="date", value=value) from None
    return f"{day:%A}, {day.day} {day:%B} {day.year}"
