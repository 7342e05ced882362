"""Lecture 02: Gaussians."""
