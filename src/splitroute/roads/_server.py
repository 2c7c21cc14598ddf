"""Where a road server is, and for which vehicles it is asked."""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType
from urllib.parse import urlsplit

from splitroute import roads
from splitroute.errors import InputError, wrong_type
from splitroute.registry import check_choice, load, names

EXAMPLE = "osrm:http://localhost:5000"


@dataclass(frozen=True, slots=True)
class RoadServer:
    """A road server: its program, its address, and the profile of the vehicles."""

    program: str  # name of a module of this package
    url: str
    profile: str

    @classmethod
    def parse(cls, text: RoadServer | str) -> RoadServer:
        """Return the server of a text such as osrm:http://host:5000 or osrm:profile=bike:http..."""
        if isinstance(text, RoadServer):
            return text
        if not isinstance(text, str):
            raise wrong_type("roads", text, "a string", f"with_roads(instance, '{EXAMPLE}')")
        program, colon, rest = text.partition(":")
        if not colon:
            raise _error(text, f"it must be a program and an address, such as {EXAMPLE}")
        check_choice(names(roads), "road server", program, field="roads")
        profile: str = load(roads, program).DEFAULT_PROFILE
        if rest.startswith("profile="):
            profile, _, rest = rest.removeprefix("profile=").partition(":")
            if not profile.replace("_", "").replace("-", "").isalnum():
                raise _error(text, "a profile has letters, digits, - and _ only")
        _check_url(text, rest)
        return cls(program, rest.rstrip("/"), profile)

    @property
    def module(self) -> ModuleType:
        """The module that speaks its language."""
        module: ModuleType = load(roads, self.program)
        return module

    @property
    def address(self) -> str:
        """The address without what may be secret: a password, or a key in the query."""
        parts = urlsplit(self.url)
        host = parts.netloc.rpartition("@")[2]
        return f"{parts.scheme}://{host}{parts.path}"

    def request_url(self, path: str, query: str = "") -> str:
        """The URL of a request, with the query of the server's own URL, such as a key."""
        parts = urlsplit(self.url)
        query = "&".join(text for text in (query, parts.query) if text)
        return parts._replace(path=parts.path.rstrip("/") + path, query=query, fragment="").geturl()


def _check_url(text: str, url: str) -> None:
    try:
        parts = urlsplit(url)
        is_valid = parts.scheme in ("http", "https") and bool(parts.hostname)
        _ = parts.port  # raises unless it is a number
    except ValueError:
        is_valid = False
    if not is_valid or any(character.isspace() for character in url):
        raise _error(text, f"its address must begin with http:// or https://, as in {EXAMPLE}")


def _error(text: str, message: str) -> InputError:
    return InputError(f"roads is {text!r}; {message}", field="roads", value=text)
