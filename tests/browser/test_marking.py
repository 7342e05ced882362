"""The page for marking by hand: by keyboard alone, and with a letter that would like to run."""

import threading

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import LONG
from tests.classroom import tiny_results
from tests.classroom.tiny_results import HOSTILE, Handed
from tools.homework import marking


@pytest.fixture
def marked(browser, tmp_path):
    """(page, desk, lost): the page with two letters; it has asked nobody but this machine, and tripped over nothing.

    While `lost` is set no mark reaches the server. It is decided route by route, from the first on: a browser that is
    asked for a new route while the page is open may let the next request pass.
    """
    desk = marking.Desk(tiny_results.make(tmp_path, {"ada": Handed(HOSTILE), "ben": Handed("Two.")}), "tiny", tmp_path)
    server, address = marking.serve(desk)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    context, lost = browser.new_context(), threading.Event()
    page, asked, errors = context.new_page(), [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.route("**/mark", lambda route: route.abort() if lost.is_set() else route.continue_())
    page.set_default_timeout(LONG)
    page.goto(address)
    yield page, desk, lost
    context.close()
    server.shutdown()
    server.server_close()
    assert not errors and not [url for url in asked if not url.startswith((address, "data:")) or "ada" in url]


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def test_two_letters_are_marked_by_keyboard(marked):
    page, desk, _ = marked
    first, second = desk.letters
    expect(page.locator("#progress")).to_have_text("marked 0 of 2")
    expect(page.locator("#number")).to_have_text(f"Letter {first.split('/')[1]}")
    press(page, "1", "2", "2")
    expect(page.locator("#sum")).to_have_text("1.5 of 2")
    press(page, "c")
    page.keyboard.type("Nearly, 1 of 2: <b>")
    press(page, "Escape", "s")
    expect(page.locator("#solved")).to_be_visible()
    press(page, "n", "2", "0")
    expect(page.locator("#progress")).to_have_text("marked 2 of 2")
    expect(page.locator("#number")).to_have_text(f"Letter {second.split('/')[1]}")
    assert (desk.show(first)["points"], desk.show(first)["comment"]) == ([1, 0.5], "Nearly, 1 of 2: <b>")
    assert desk.show(second)["points"] == [0, 1]
    press(page, "ArrowLeft")
    expect(page.locator("#comment")).to_have_value("Nearly, 1 of 2: <b>")
    assert page.evaluate("window.hacked") is None
    assert page.evaluate("document.querySelectorAll('#text script, #text img').length") == 0


def test_the_mark_of_another_marker_is_shown_and_not_overwritten(marked):
    page, desk, _ = marked
    first = next(iter(desk.letters))
    expect(page.locator("#progress")).to_have_text("marked 0 of 2")
    press(page, "1")
    expect(page.locator("#sum")).to_have_text("1 of 2")
    page.evaluate("queue")
    desk.mark(first, desk.show(first)["digest"], [0.5, 1], "By another.", desk.show(first)["seen"])
    press(page, "2")
    expect(page.locator("#trouble")).to_contain_text("somebody else has marked this letter")
    expect(page.locator("#sum")).to_have_text("1.5 of 2")
    expect(page.locator("#comment")).to_have_value("By another.")
    press(page, "1")
    expect(page.locator("#sum")).to_have_text("1 of 2")
    expect(page.locator("#trouble")).to_be_empty()
    assert desk.show(first)["points"] == [0, 1]


def test_the_next_letter_to_mark_is_found_and_a_lost_server_is_told(marked):
    page, desk, lost = marked
    first, second = desk.letters
    expect(page.locator("#number")).to_have_text(f"Letter {first.split('/')[1]}")
    press(page, "1", "0", "u")
    expect(page.locator("#number")).to_have_text(f"Letter {second.split('/')[1]}")
    lost.set()
    press(page, "1", "n")
    expect(page.locator("#trouble")).to_contain_text("Not saved")
    page.evaluate("queue")  # until `n`, which waits its turn, is refused: were the server back, it would succeed
    expect(page.locator("#number")).to_have_text(f"Letter {second.split('/')[1]}")
    lost.clear()
    press(page, "2")
    expect(page.locator("#progress")).to_have_text("marked 2 of 2")
    expect(page.locator("#trouble")).to_be_empty()
    assert desk.show(second)["points"] == [1, 1]
