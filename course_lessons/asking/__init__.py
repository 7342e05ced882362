"""Lecture 12: what to ask, and the listening app."""
