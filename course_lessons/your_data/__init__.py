"""Lecture 14: your own data."""
