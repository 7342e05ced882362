"""Keeps the tests apart from a person's settings, start-up files and browser data, and from the clock on the wall.

At the end each reason for which tests were skipped is said once.
"""

import os
import tempfile
from collections import Counter

from hypothesis import HealthCheck, settings

for name in ("JUPYTER_CONFIG_DIR", "IPYTHONDIR", "JUPYTER_RUNTIME_DIR"):
    os.environ[name] = tempfile.mkdtemp(prefix="course-")
os.environ["MPLBACKEND"] = "agg"
os.environ["DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT"] = os.environ["DASK_DISTRIBUTED__COMM__TIMEOUTS__TCP"] = "600s"
settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy")


def pytest_terminal_summary(terminalreporter):
    skipped = Counter(report.longrepr[2] for report in terminalreporter.stats.get("skipped", []))
    for reason, count in skipped.items():
        terminalreporter.write_line(f"{count} {reason[:1].lower()}{reason[1:]}")
