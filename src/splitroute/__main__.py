"""`python -m splitroute` is the program `splitroute`."""

from splitroute.cli import main

if __name__ == "__main__":
    main()
