"""Lecture 01: dynamic time warping."""
