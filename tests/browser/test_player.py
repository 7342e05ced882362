"""The A/B player in JupyterLab, by the keyboard: what sounds is read from the audio graph's own analysers."""

import json
import urllib.request

import nbformat
import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.conftest import RUN_ALL
from tests.browser.kernel import IDLE

RATE = 44_100
LOW, HIGH, NEXT = 440.0, 880.0, 1320.0
SOURCE = f"""import numpy as np
from course_lib import audio
from course_widgets import ABPlayer

def tone(frequency):
    return audio.wav(0.3 * np.sin(2 * np.pi * frequency * np.arange(2 * {RATE}) / {RATE}), {RATE})

player = ABPlayer(tone({LOW}), tone({HIGH}), what="two even tones", volume=1)
player"""
CHANGE = f"player.change(tone({LOW}), tone({NEXT}))"
SAY = "print(player.heard, player.playing)"
PLAYER = ".ab-player"
WAVE = """(root, part) => {
    const analyser = root.player.analysers[part];
    const wave = new Float32Array(analyser.fftSize);
    analyser.getFloatTimeDomainData(wave);
    return Array.from(wave);
}"""
# Every sample that goes to the ears, from now on; a busy machine makes none get lost.
RECORD = """async root => {
    const { context, volume } = root.player;
    root.recorded = [];
    if (!root.recorder) {
        const code = `registerProcessor("recorder", class extends AudioWorkletProcessor {
            process([[channel]]) { if (channel) this.port.postMessage(channel.slice()); return true; }
        })`;
        await context.audioWorklet.addModule(URL.createObjectURL(new Blob([code], { type: "text/javascript" })));
        root.recorder = new AudioWorkletNode(context, "recorder");
        root.recorder.port.onmessage = message => root.recorded.push(...message.data);
        volume.connect(root.recorder);
    }
}"""
RECORDED = "([root, n]) => root.recorded.length >= n"
# The sound's own clock has gone on by so much since a moment: nothing here waits for the clock on the wall.
LATER = "([root, then, seconds]) => root.player.context.currentTime >= then + seconds"


@pytest.fixture(scope="module")
def page(browser, lab):
    """A notebook with a player, run in JupyterLab; its second and third cell wait."""
    address, token = lab
    cells = [nbformat.v4.new_code_cell(source) for source in (SOURCE, CHANGE, SAY)]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    content = nbformat.v4.new_notebook(cells=cells, metadata=kernel)
    notebook = {"type": "notebook", "format": "json", "content": content}
    request = urllib.request.Request(f"{address}/api/contents/player.ipynb?token={token}", method="PUT")
    urllib.request.urlopen(request, json.dumps(notebook).encode()).close()
    context = browser.new_context(viewport={"width": 1280, "height": 1000})
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.goto(f"{address}/doc/tree/player.ipynb?token={token}&reset")
    page.wait_for_selector(".jp-Notebook .jp-Cell")
    page.wait_for_function("window.jupyterapp?.shell.currentWidget?.context")
    page.evaluate(RUN_ALL.replace("run-all-cells", "run-cell"))
    page.wait_for_selector(PLAYER)
    yield page
    page.evaluate("jupyterapp.shell.currentWidget.sessionContext.shutdown()")
    context.close()


@pytest.fixture
def player(page):
    """The player, silent, with the focus."""
    root = page.locator(PLAYER)
    root.get_by_role("button", name="Stop").focus()
    page.keyboard.press("Enter")
    expect(root).to_have_attribute("data-playing", "")
    root.focus()
    return root


def now(player):
    return player.evaluate("root => root.player.context.currentTime")


def wait(player, seconds, since=None):
    """Until the sound's clock has gone on by some seconds."""
    since = now(player) if since is None else since
    player.page.wait_for_function(LATER, arg=[player.element_handle(), since, seconds])


def wave(player, part="output"):
    return np.array(player.evaluate(WAVE, part))


def recorded(player, seconds):
    """What has sounded since RECORD, at least so long."""
    player.page.wait_for_function(RECORDED, arg=[player.element_handle(), round(seconds * RATE)])
    return np.array(player.evaluate("root => root.recorded"))


def pitch(samples):
    """Frequency in Hz of the highest peak of the spectrum."""
    spectrum = np.abs(np.fft.rfft(samples * np.hanning(len(samples))))
    return spectrum.argmax() * RATE / len(samples)


def run_cell(page, k):
    """What cell k prints."""
    page.evaluate(f"jupyterapp.shell.currentWidget.content.activeCellIndex = {k}")
    page.evaluate("jupyterapp.commands.execute('notebook:run-cell')")
    page.wait_for_function(IDLE)
    shown = page.locator(".jp-CodeCell").nth(k).locator(".jp-OutputArea-output")
    return [text.strip() for text in shown.all_inner_texts()]


def test_nothing_sounds_before_a_key_is_pressed(page):
    assert page.locator(PLAYER).evaluate("root => root.player.context") is None
    expect(page.locator(PLAYER).get_by_role("status")).to_have_text("Silent. Press A or B to listen.")
    expect(page.locator(PLAYER)).to_contain_text("two even tones")  # for those who will not hear them


@pytest.mark.parametrize(("name", "frequency"), [("Play A", LOW), ("Play B", HIGH)])
@pytest.mark.parametrize("key", ["Space", "Enter"])
def test_a_button_plays_its_sound(player, name, frequency, key):
    button = player.get_by_role("button", name=name)
    button.focus()
    player.page.keyboard.press(key)
    expect(button).to_have_attribute("aria-pressed", "true")
    wait(player, 1.5)
    assert pitch(wave(player)) == pytest.approx(frequency, abs=2)
    begin = now(player)
    wait(player, 0.2)
    assert now(player) > begin


def test_sound_begins_quietly(player):
    player.page.keyboard.press("a")
    expect(player).to_have_attribute("data-playing", "a")
    wait(player, 3)
    loud = np.abs(wave(player)).max()
    assert loud == pytest.approx(0.3, rel=0.1)
    player.page.keyboard.press(" ")
    wait(player, 1.5)
    assert np.abs(wave(player)).max() < 1e-3
    player.evaluate(RECORD)
    player.page.keyboard.press(" ")
    expect(player).to_have_attribute("data-playing", "a")
    heard = np.abs(recorded(player, seconds=3))
    first = np.flatnonzero(heard > 1e-3)[0]
    assert heard[first : first + RATE // 100].max() < 0.1 * loud
    assert heard[first + RATE : first + RATE + RATE // 100].max() > 0.9 * loud


def test_going_from_one_to_the_other_leaves_no_gap_and_no_click(player):
    """Pieces of 5 ms round the change: none is silent, and no two samples differ by more than those of the tones."""
    player.page.keyboard.press("a")
    wait(player, 3)
    player.evaluate(RECORD)
    recorded(player, seconds=0.3)
    player.page.keyboard.press("b")
    expect(player).to_have_attribute("data-playing", "b")
    wait(player, 0.5)
    heard = recorded(player, seconds=0.6)
    pieces = heard[: len(heard) // 220 * 220].reshape(-1, 220)
    assert pitch(heard[:8192]) == pytest.approx(LOW, abs=6)
    assert pitch(heard[-8192:]) == pytest.approx(HIGH, abs=6)
    level = np.sqrt((pieces**2).mean(axis=1))
    assert level.min() > 0.5 * np.median(level)
    assert np.abs(np.diff(heard)).max() < 1.1 * 0.3 * 2 * np.pi * HIGH / RATE


def test_both_sounds_run_on_while_one_is_heard(player):
    player.page.keyboard.press("b")
    wait(player, 1)
    assert pitch(wave(player, "a")) == pytest.approx(LOW, abs=2)
    assert pitch(wave(player, "b")) == pytest.approx(HIGH, abs=2)
    player.page.keyboard.press(" ")
    wait(player, 1)
    assert pitch(wave(player, "a")) == pytest.approx(LOW, abs=2)


def test_the_letters_make_no_cells(player):
    cells = "jupyterapp.shell.currentWidget.content.widgets.length"
    before = player.page.evaluate(cells)
    for key in ("a", "b", "x", "d", "d", "b", "a"):
        player.page.keyboard.press(key)
    expect(player).to_have_attribute("data-playing", "a")
    assert player.page.evaluate(cells) == before == 3


def test_the_keyboard_reaches_everything_and_the_volume_changes_what_is_heard(player):
    page, reached = player.page, []
    for _ in range(4):
        page.keyboard.press("Tab")
        reached.append(
            page.evaluate("document.activeElement.innerText.split('\\n')[0] || document.activeElement.type")
        )
    assert reached == ["Play A", "Play B", "Stop", "range"]
    page.keyboard.press("a")
    page.keyboard.press("Home")
    expect(player.locator(".ab-volume span")).to_have_text("0 %")
    wait(player, 1)
    assert np.abs(wave(player)).max() < 1e-3
    page.keyboard.press("End")
    wait(player, 2)
    assert np.abs(wave(player)).max() == pytest.approx(0.3, rel=0.1)


def test_new_sounds_go_on_without_a_click_and_have_to_be_heard_anew(player):
    page = player.page
    for key in ("a", "b"):
        page.keyboard.press(key)
        wait(player, 1.5)
    expect(player).to_have_attribute("data-heard", "a b")
    assert run_cell(page, 2) == ["('a', 'b') b"]
    player.evaluate(RECORD)
    run_cell(page, 1)
    expect(player).to_have_attribute("data-pair", "1")
    begin = now(player)
    wait(player, 1, begin)
    heard = recorded(player, seconds=1)
    assert np.abs(np.diff(heard)).max() < 1.1 * 0.3 * 2 * np.pi * NEXT / RATE
    assert pitch(heard[-8192:]) == pytest.approx(NEXT, abs=6)
    wait(player, 2, begin)
    expect(player).to_have_attribute("data-heard", "b")
    assert run_cell(page, 2) == ["('b',) b"]


@pytest.mark.parametrize("width", [1280, 390])
def test_it_fits_a_page_of_this_width(player, width):
    page = player.page
    page.set_viewport_size({"width": width, "height": 900})
    player.scroll_into_view_if_needed()
    boxes = [button.bounding_box() for button in player.get_by_role("button").all()]
    frame = player.bounding_box()
    assert all(box["height"] >= 40 for box in boxes)
    assert all(frame["x"] <= box["x"] and box["x"] + box["width"] <= frame["x"] + frame["width"] for box in boxes)
    assert frame["x"] + frame["width"] <= width
