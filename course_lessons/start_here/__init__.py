"""Lecture 00: start here."""
