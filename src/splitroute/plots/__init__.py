"""Plots of routes and of convergence, with matplotlib; small pictures in HTML, without it."""
