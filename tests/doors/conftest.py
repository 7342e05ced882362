"""A fresh seed for each door, printed when it fails; DOOR_SEED=N plays it again."""

import os
import secrets

import pytest


@pytest.fixture
def seed(record_property):
    """A seed that nobody has seen before, told in the report."""
    number = int(os.environ.get("DOOR_SEED") or secrets.randbits(31))
    print(f"DOOR_SEED={number}")
    record_property("seed", number)
    return number
