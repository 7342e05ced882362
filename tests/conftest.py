"""Keeps the tests apart from the settings, start-up files and browser data of the person who runs them."""

import os
import tempfile

for name in ("JUPYTER_CONFIG_DIR", "IPYTHONDIR", "JUPYTER_RUNTIME_DIR"):
    os.environ[name] = tempfile.mkdtemp(prefix="course-")
os.environ["MPLBACKEND"] = "agg"
