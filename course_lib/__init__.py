"""The shared library of the course: what its lectures derive is what runs. README.md beside this file is the map."""

__version__ = "0.2.0"  # of this code: what is installed may be older than a folder that was brought up to date
