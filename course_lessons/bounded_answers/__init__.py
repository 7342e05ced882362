"""Lecture 07: bounded answers."""
