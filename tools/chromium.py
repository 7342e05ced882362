"""Finds a Chromium for the browser tests; run as a script, it tries to install one where there is none."""

import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

BROWSER_MILLISECONDS = 600_000  # ms until a browser that does not answer is given up; only what hangs ends here
BROWSER_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SKIPPED = (
    "no Chromium, so the browser tests are skipped; get it with `sudo apt install chromium` "
    "or `.venv/bin/python -m playwright install --with-deps chromium`, then run `make test` again"
)


def runs(executable):
    """Whether the program starts; a stub or a browser without its system libraries does not."""
    try:
        return subprocess.run([executable, "--version"], capture_output=True, timeout=600).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def candidates():
    """Paths where a Chromium may be: $CHROMIUM, the PATH, Playwright's own download."""
    from playwright.sync_api import sync_playwright

    yield from filter(None, [os.environ.get("CHROMIUM"), *map(shutil.which, BROWSER_NAMES)])
    with sync_playwright() as playwright:
        if Path(playwright.chromium.executable_path).exists():
            yield playwright.chromium.executable_path


def find():
    """Path of the first Chromium that starts, or None."""
    return next(filter(runs, candidates()), None)


@contextmanager
def printer():
    """A browser that prints pages to PDF, closed at the end.

    Raises
    ------
    SystemExit
        If there is no Chromium.
    """
    from playwright.sync_api import sync_playwright

    found = find()
    if found is None:
        raise SystemExit("No Chromium to print with: open the .html files in a browser and print them there.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=found, args=["--no-sandbox"], timeout=BROWSER_MILLISECONDS
        )
        yield browser
        browser.close()


def install():
    """Tries Debian's package as root, then Playwright's download; says nothing if neither works."""
    commands = [[sys.executable, "-m", "playwright", "install", "chromium"]]
    if hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get"):
        apt = "apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core"
        commands.insert(0, ["sh", "-c", apt])
    for command in commands:
        if find() is None:
            subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True)


def main():
    """Looks for one, tries to install it, and says what goes untested without it."""
    if find() is None:
        print("No Chromium found; trying to install it …", file=sys.stderr, flush=True)
        install()
        if find() is None:
            print(f"Note: {SKIPPED}.", file=sys.stderr)


if __name__ == "__main__":
    main()
