"""Door 7, a reader with a link: no Python, no account; the first explorer of lecture 01 moves after four actions."""

import subprocess
import sys
from urllib.parse import urlsplit

import pytest

from course_lessons.dtw.explore import explore_table
from tests.browser.conftest import LONG, free_port, running
from tools.site import pages, recording

MOST = 1_000_000  # bytes that come before the picture moves


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """The site on Python's own file server, in a process of its own; of the explorer, one slider is recorded."""
    folder = tmp_path_factory.mktemp("reader")
    data, _ = recording.record(explore_table(), {"band": 7})
    (folder / "explore_table.bin").write_bytes(data)
    pages.begun(folder / "site", {"explore_table": folder / "explore_table.bin"}).show("01")
    port = free_port()
    command = [sys.executable, "-m", "http.server", "-b", "127.0.0.1", str(port)]
    server = subprocess.Popen(
        command, cwd=folder / "site", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    server.stdout.readline()  # it says that it listens
    yield f"http://127.0.0.1:{port}"
    server.kill()
    server.communicate()


@pytest.mark.parametrize("width", [390, 1280])
def test_a_link_leads_to_a_picture_that_moves(width, address):
    context = running().new_context(viewport={"width": width, "height": 900})
    page = context.new_page()
    page.set_default_timeout(LONG)
    came, said = [], []
    page.on("response", lambda response: came.append(response))
    page.on("console", lambda message: said.append(message.text))
    page.goto(f"{address}/01.html")
    first = page.locator(".explorer").first
    first.scroll_into_view_if_needed()
    page.wait_for_selector(".explorer.plays")
    first.locator(".answers button").first.click()
    first.locator(".commit").click()
    before, drawn = first.locator(".sentence").inner_text(), first.locator(".drawing > svg").inner_html()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("before => document.querySelector('.explorer .sentence').innerText !== before", arg=before)
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert first.locator(".drawing > svg").inner_html() != drawn
    assert sum(len(response.body()) for response in came) < MOST
    assert {urlsplit(response.url).netloc for response in came} == {urlsplit(address).netloc} and not said
    context.close()
