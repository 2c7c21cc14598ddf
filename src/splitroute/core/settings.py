"""The settings of the search: their names, defaults and limits are those of the core."""

from collections.abc import Mapping

from splitroute import _core
from splitroute.errors import InputError

# Fields of the core's Settings and their defaults.
SETTINGS: dict[str, int | float] = {
    name: getattr(_core.Settings(), name)
    for name, field in vars(_core.Settings).items()
    if isinstance(field, property)
}
CONTRADICTING = ("min_neighbours", "max_neighbours")  # settings that `check` compares


def make_settings(changes: Mapping[str, object]) -> _core.Settings:
    """Return the default settings of the search with these changes."""
    settings = _core.Settings()
    for name, value in changes.items():
        if name not in SETTINGS:
            raise InputError(
                f"unknown setting {name!r}; known: {', '.join(SETTINGS)}", field=name, value=value
            )
        try:
            setattr(settings, name, value)
        except TypeError:
            kind = "a whole number" if isinstance(SETTINGS[name], int) else "a number"
            message = f"{name} is {value!r}; it must be {kind}"
            raise InputError(message, field=name, value=value) from None
        except ValueError as error:  # out of range
            raise InputError(str(error), field=name, value=value) from None
    try:
        settings.check()
    except ValueError as error:  # two settings contradict each other
        name = next((n for n in CONTRADICTING if n in changes), CONTRADICTING[0])
        raise InputError(str(error), field=name, value=changes.get(name)) from None
    return settings
