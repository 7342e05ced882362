"""Lecture 05: Gaussian-process regression."""
