"""The program `splitroute`, also as `python -m splitroute`."""

import signal
from types import FrameType


def main() -> None:
    """Run the command line; exit quietly on Ctrl-C or SIGTERM, even during its import."""
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        from splitroute.cli import main as run

        run()
    except KeyboardInterrupt:
        raise SystemExit(130) from None


def _interrupt(signum: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    main()
