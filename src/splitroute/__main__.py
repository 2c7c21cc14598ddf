"""The program `splitroute`, also as `python -m splitroute`."""


def main() -> None:
    """Runs the command line; Ctrl-C while it is still being imported ends it quietly."""
    try:
        from splitroute.cli import main as run

        run()
    except KeyboardInterrupt:
        raise SystemExit(130) from None


if __name__ == "__main__":
    main()
