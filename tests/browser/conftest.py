"""A JupyterLab on this machine, working on a copy of the lectures, and a Chromium that looks at it."""

import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager

import pytest

from tests.browser.kernel import IDLE
from tests.lectures.reading import LECTURES, ROOT, lecture
from tools import chromium

ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# No pop-up about news; every cell in the page, also those far below.
SETTINGS = {
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False, "doNotDisturbMode": True},
    "notebook-extension/tracker": {"windowingMode": "none"},
}
LONG = 600_000  # ms; a busy machine is slow, and only what hangs ends here
RUN_ALL = """async () => {
    const panel = jupyterapp.shell.currentWidget;
    await panel.context.ready;
    await panel.sessionContext.ready;
    await panel.sessionContext.session.kernel.info;
    await jupyterapp.commands.execute('notebook:run-all-cells');
}"""
OUTPUTS = """() => jupyterapp.shell.currentWidget.content.widgets
    .filter(cell => cell.model.type === 'code').map(cell => cell.model.outputs.toJSON())"""


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def write_settings(folder):
    for name, values in SETTINGS.items():
        file = folder / "@jupyterlab" / f"{name}.jupyterlab-settings"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(values))


@contextmanager
def serving(command, address, log, environment, folder=None):
    """While a server runs; from when it answers at this address."""
    with open(log, "w") as output:
        process = subprocess.Popen(command, env=environment, stdout=output, stderr=subprocess.STDOUT, cwd=folder)
    try:
        wait_for(process, address, log)
        yield process
    finally:
        process.terminate()
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            process.kill()


def wait_for(process, address, log):
    """Until the server answers; fails with its last words if it ends."""
    for _ in range(2400):
        if process.poll() is not None:
            pytest.fail(f"The server ended:\n{log.read_text()[-2000:]}")
        try:
            return urllib.request.urlopen(address, timeout=60).close()
        except OSError:
            time.sleep(0.25)
    pytest.fail(f"The server did not answer in ten minutes:\n{log.read_text()[-2000:]}")


@pytest.fixture(scope="session")
def executable():
    """Path of a Chromium; without one the browser tests are skipped."""
    found = chromium.find()
    if found is None:
        pytest.skip(chromium.SKIPPED)
    return found


@pytest.fixture(scope="session")
def lab(executable, tmp_path_factory):
    """(address, token) of a JupyterLab that shows a copy of lectures/ and exercises/."""
    work = tmp_path_factory.mktemp("lab")
    for name in ("lectures", "exercises"):
        shutil.copytree(ROOT / name, work / "course" / name)
    write_settings(work / "settings")
    port, token, log = free_port(), secrets.token_hex(16), work / "lab.log"
    own = {"JUPYTERLAB_SETTINGS_DIR": work / "settings", "JUPYTERLAB_WORKSPACES_DIR": work / "workspaces"}
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1", f"--port={port}"]
    command += [f"--IdentityProvider.token={token}", f"--ServerApp.root_dir={work / 'course'}"]
    command += ["--ServerApp.port_retries=0", "--LabApp.expose_app_in_browser=True"]
    command += ["--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"]
    environment = {**os.environ, **{name: str(path) for name, path in own.items()}}
    with serving(command, f"http://127.0.0.1:{port}/api?token={token}", log, environment):
        yield f"http://127.0.0.1:{port}", token


@pytest.fixture(scope="session")
def browser(executable):
    from playwright.sync_api import expect, sync_playwright

    with sync_playwright() as playwright:
        expect.set_options(timeout=LONG)
        running = playwright.chromium.launch(executable_path=executable, args=ARGUMENTS, timeout=LONG)
        yield running
        running.close()


@pytest.fixture(scope="module", params=LECTURES, ids=lambda path: path.stem)
def opened(request, browser, lab):
    """(page, lecture): the lecture in JupyterLab, run from top to bottom; lecture.shown has what its cells showed."""
    address, token = lab
    context = browser.new_context(viewport={"width": 1280, "height": 1000})
    page = context.new_page()
    page.set_default_timeout(LONG)
    page.goto(f"{address}/doc/tree/lectures/{request.param.name}?token={token}&reset")
    page.wait_for_selector(".jp-Notebook .jp-Cell")
    page.wait_for_function("window.jupyterapp?.shell.currentWidget?.context")
    page.evaluate(RUN_ALL)
    page.wait_for_function(IDLE, timeout=3 * LONG)
    opened = lecture(request.param)
    opened.shown = page.evaluate(OUTPUTS)
    yield page, opened
    page.evaluate("jupyterapp.shell.currentWidget.sessionContext.shutdown()")
    context.close()
