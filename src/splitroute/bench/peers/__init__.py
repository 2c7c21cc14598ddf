"""Third-party SDVRP solvers to compare with; all optional, one module each.

A peer has a function `run(instance, seconds, seed)` that returns a solution, and the name of the
PACKAGE it needs. It runs in its own process, which is killed when it exceeds the time limit.
"""
