"""A JupyterLab on this machine, working on the students' bundle as they have it, and a Chromium that looks at it."""

import atexit
import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager, suppress
from functools import cache

import pytest

from tests.browser.kernel import IDLE
from tests.lectures.reading import LECTURES, ROOT, lecture
from tools import chromium
from tools.homework.bundle import bundle

ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--force-prefers-reduced-motion",
]
# No pop-up about news; every cell in the page, also those far below.
SETTINGS = {
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False, "doNotDisturbMode": True},
    "notebook-extension/tracker": {"windowingMode": "none"},
}
LONG = 240_000  # ms; a busy machine is slow, and only what hangs ends here
READY = """async () => {
    const panel = jupyterapp.shell.currentWidget;
    await panel.context.ready;
    await panel.revealed;
    await panel.sessionContext.ready;
    await panel.sessionContext.session.kernel.info;
    await Promise.all(panel.content.widgets.map(cell => cell.ready));
}"""
RUN_ALL = f"async () => {{ await ({READY})(); await jupyterapp.commands.execute('notebook:run-all-cells'); }}"
HELD = "window.jupyterapp?.shell.currentWidget?.context"
# Pages wait without asking at each frame, and turn no wheels meanwhile: both cost more than what is waited for.
SELDOM = 200  # ms
# While it runs, a lecture lies behind another tab: to lay it out anew for each output costs more than all its scripts.
BEHIND = "hidden => document.querySelector('.jp-Notebook').style.display = hidden ? 'none' : ''"
# (index, text) of what stands on the screen of each cell; formulas and what is folded left out.
SCREEN = """() => jupyterapp.shell.currentWidget.content.widgets.map(cell => {
    const read = root => {
        const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT), found = [];
        while (texts.nextNode()) {
            const { parentElement, data } = texts.currentNode;
            const folded = parentElement.matches("details:not([open])");
            const passed = folded || parentElement.closest("mjx-container, style, script");
            if (!passed && parentElement.checkVisibility()) found.push(data);
        }
        return found.join(" ");
    };
    const all = selector => [...cell.node.querySelectorAll(selector)];
    if (cell.model.type !== "code") return all(".jp-RenderedMarkdown").map(read).join(" ");
    const beside = all(".jp-OutputPlaceholder .jp-PlaceholderText").map(one => read(one).slice(0, 100));
    const outputs = cell.outputHidden ? beside : all(".jp-OutputArea-output").map(read);
    return [cell.inputHidden ? "" : cell.model.sharedModel.source, ...outputs].join(" ");
})"""


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
    """While a server runs; from when it answers at this address, or at what a function says."""
    with open(log, "w") as output:
        said = {"stdout": output, "stderr": subprocess.STDOUT}
        process = subprocess.Popen(command, env=environment, cwd=folder, start_new_session=True, **said)
    try:
        wait_for(process, address, log)
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)  # what `make` has started, too
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)


def wait_for(process, address, log):
    """Until the server answers; fails with its last words if it ends."""
    for _ in range(2400):
        if process.poll() is not None:
            pytest.fail(f"The server ended:\n{log.read_text()[-2000:]}")
        try:
            return urllib.request.urlopen(address() if callable(address) else address, timeout=60).close()
        except (OSError, ValueError):  # a server's, or not an address yet
            time.sleep(0.25)
    pytest.fail(f"The server did not answer in ten minutes:\n{log.read_text()[-2000:]}")


@cache
def running():
    """The one Chromium of this process, which can have no second Playwright; without any, the test is skipped."""
    from playwright.sync_api import expect, sync_playwright

    found = chromium.find()
    if found is None:
        pytest.skip(chromium.SKIPPED)
    playwright = sync_playwright().start()
    atexit.register(playwright.stop)
    expect.set_options(timeout=LONG)
    return playwright.chromium.launch(executable_path=found, args=ARGUMENTS, timeout=LONG)


@pytest.fixture(scope="session")
def browser():
    return running()


def unpack(folder):
    """The students' bundle in a folder; its library shares with ours what Python and Numba compile.

    Both go by time and size of the source, so the same bytes get the same time.
    """
    for name, data in bundle(ROOT).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        if path.suffix == ".py":
            shutil.copystat(ROOT / name, path)
    for package in {path.parent for path in folder.glob("course_*/**/*.py")}:
        compiled = ROOT / package.relative_to(folder) / "__pycache__"
        compiled.mkdir(exist_ok=True)
        (package / "__pycache__").symlink_to(compiled)


@pytest.fixture(scope="session")
def course(tmp_path_factory):
    """The folder of a student."""
    folder = tmp_path_factory.mktemp("student") / "course"
    unpack(folder)
    return folder


@pytest.fixture(scope="session")
def lab(browser, course, tmp_path_factory):
    """(address, token) of a JupyterLab that shows a student's folder, whose library its kernels take."""
    work = tmp_path_factory.mktemp("lab")
    write_settings(work / "settings")
    port, token, log = free_port(), secrets.token_hex(16), work / "lab.log"
    own = {"JUPYTERLAB_SETTINGS_DIR": work / "settings", "JUPYTERLAB_WORKSPACES_DIR": work / "workspaces"}
    own["PYTHONPATH"] = course
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1", f"--port={port}"]
    command += [f"--IdentityProvider.token={token}", f"--ServerApp.root_dir={course}"]
    command += ["--ServerApp.port_retries=0", "--LabApp.expose_app_in_browser=True"]
    command += ["--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"]
    environment = {**os.environ, **{name: str(path) for name, path in own.items()}}
    with serving(command, f"http://127.0.0.1:{port}/api?token={token}", log, environment):
        yield f"http://127.0.0.1:{port}", token


def open_lecture(browser, lab, name):
    """A page with the lecture in JupyterLab, before anything is run."""
    address, token = lab
    page = browser.new_context(viewport={"width": 1280, "height": 1000}).new_page()
    page.set_default_timeout(LONG)
    page.goto(f"{address}/doc/tree/lectures/{name}?token={token}&reset")
    page.wait_for_selector(".jp-Notebook .jp-Cell")
    page.wait_for_function(HELD, polling=SELDOM)
    return page


def close(page):
    page.evaluate("jupyterapp.shell.currentWidget.sessionContext.shutdown()")
    page.context.close()


@pytest.fixture(scope="module", params=LECTURES, ids=lambda path: path.stem)
def opened(request, browser, lab):
    """(page, lecture): the lecture in JupyterLab, run from top to bottom; lecture.before was on the screen before.

    lecture.to_save says whether it had to be saved then.
    """
    page = open_lecture(browser, lab, request.param.name)
    opened = lecture(request.param)
    page.evaluate(READY)
    opened.before = page.evaluate(SCREEN)
    opened.to_save = page.evaluate("jupyterapp.shell.currentWidget.context.model.dirty")
    page.evaluate(BEHIND, True)
    page.evaluate(RUN_ALL)
    page.wait_for_function(IDLE, timeout=3 * LONG, polling=SELDOM)
    page.evaluate(BEHIND, False)
    yield page, opened
    close(page)
