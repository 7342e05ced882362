"""Kinds of argument that many signatures have."""

from pathlib import Path

import numpy as np

Rng = np.random.Generator | int | None  # a generator, a seed, or None for a fresh one
Folder = str | Path | None  # where data lie; None: those that came with the library
