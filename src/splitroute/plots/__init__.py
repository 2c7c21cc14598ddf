"""Plots of routes and of convergence; they need matplotlib."""
