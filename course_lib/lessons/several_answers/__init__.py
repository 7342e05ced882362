"""Lecture 08: several answers to one question."""
