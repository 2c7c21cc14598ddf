"""The program `splitroute`, also as `python -m splitroute`."""


def main() -> None:
    """Run the command line; exit quietly on Ctrl-C, even during its import."""
    try:
        from splitroute.cli import main as run

        run()
    except KeyboardInterrupt:
        raise SystemExit(130) from None


if __name__ == "__main__":
    main()
