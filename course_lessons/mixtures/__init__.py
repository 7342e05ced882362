"""Lecture 03: mixtures."""
