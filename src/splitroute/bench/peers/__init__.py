"""Other people's programs for the split problem, to compare with; one file each, none required.

A peer is a module with the function `run`, which answers a solution, and the name of the PACKAGE
that it needs. It runs in a process of its own that is ended when it overruns.
"""
