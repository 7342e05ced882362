"""Settings of a model, each written once: in its class, with its type and what it is if nothing is said."""

from dataclasses import KW_ONLY, dataclass

__all__ = ["KW_ONLY", "settings"]

settings = dataclass(eq=False, repr=False)  # scikit-learn reads them from the __init__ that this writes
