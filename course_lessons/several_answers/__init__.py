"""Lecture 08: several answers."""
