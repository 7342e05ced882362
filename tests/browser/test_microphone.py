"""The microphone in Chromium, whose microphone plays a file: what is said in words, what is kept, what is let go.

Most of it is tried on a bare page, as on the site; once in JupyterLab, whose kernel draws what it hears.
"""

import functools
import http.server
import io
import json
import re
import shutil
import threading
import urllib.request
from contextlib import contextmanager

import nbformat
import numpy as np
import pytest
import soundfile
from playwright.sync_api import expect

from course_lib import audio, datasets
from course_widgets import microphone
from course_widgets.microphone import RATE, WORDS
from tests.browser.accessibility import AXE, GRAVE
from tests.browser.conftest import RUN_ALL
from tests.browser.hearing import ALLOWED, FILE_SECONDS, hearing, room
from tests.browser.kernel import IDLE
from tests.browser.test_explorers import CUT

PROMPTS = datasets.load_spoken_prompts()
WORD = audio.trim(PROMPTS["en", 7], RATE)
RNG = np.random.default_rng(3)
PAGE = """<!doctype html><html lang="en"><head><title>microphone</title>
<meta name="viewport" content="width=device-width">
<style>%s body { margin: 0; background: var(--paper); }</style></head>
<body><main><div id="place" style="max-width: 848px"></div></main></body></html>"""
BEGIN = """async (about) => {
    const { Microphone } = await import("./microphone.js");
    window.kept = [];
    window.said = [];
    const take = ({ samples, name, from }) => kept.push({ samples: Array.from(samples), name, from });
    window.microphone = new Microphone(document.getElementById("place"), about, take);
    new MutationObserver(() => said.push(microphone.said.textContent))
        .observe(microphone.said, { childList: true, characterData: true, subtree: true });
}"""
# What getUserMedia gave: whether it was let go.
WATCHED = """const given = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
window.streams = [];
navigator.mediaDevices.getUserMedia = async (asked) => streams[streams.push(await given(asked)) - 1];"""
LET_GO = "streams.every(stream => stream.getTracks().every(track => track.readyState === 'ended'))"
FAILS = "navigator.mediaDevices.getUserMedia = async () => { throw new DOMException('no sound card', '%s'); };"
DROP = """([name, bytes]) => {
    const data = new DataTransfer();
    data.items.add(new File([new Uint8Array(bytes)], name));
    document.getElementById("place").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true }));
}"""


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """Of a bare page and the script, from a server on this machine."""
    folder = tmp_path_factory.mktemp("page")
    (folder / "index.html").write_text(PAGE % microphone.STYLE_SHEET, encoding="utf-8")
    (folder / "favicon.ico").write_bytes(b"")
    shutil.copy(microphone.frame.HERE / "microphone.js", folder)
    (folder / "ready.wav").write_bytes(audio.wav(WORD, RATE))

    class Silent(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Silent, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@contextmanager
def opened(browser, address, longest=4, before=WATCHED, size=(1280, 800)):
    """A page with the microphone on it."""
    context = browser.new_context(viewport={"width": size[0], "height": size[1]})
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.add_init_script(before)
    page.errors = []
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    page.goto(address)
    page.evaluate(BEGIN, microphone.about({"seven, by an actress": "ready.wav"}, "seven", longest))
    yield page
    assert page.errors == []
    context.close()


@pytest.fixture(scope="module")
def listening(tmp_path_factory):
    """A Chromium whose microphone hears the word, clearly."""
    with hearing(room(WORD), tmp_path_factory.mktemp("clean"), ALLOWED) as browser:
        yield browser


@pytest.fixture
def page(listening, address):
    with opened(listening, address) as page:
        yield page


def record(page, state="recorded"):
    """Press the button, and wait for what comes of it; what is said then."""
    page.get_by_role("button", name="Record").click()
    return reached(page, state)


def reached(page, state):
    page.locator(f"[data-state={state}]").wait_for()
    return page.locator(".mic-said").inner_text()


def kept(page):
    """(samples, name, origin) of the last that was kept."""
    last = page.evaluate("kept.at(-1)")
    return np.array(last["samples"]), last["name"], last["from"]


def likeness(one, two):
    """The largest correlation of two sounds over all shifts."""
    return np.correlate(one, two, "full").max() / np.linalg.norm(one) / np.linalg.norm(two)


def serious(page):
    page.evaluate(AXE.read_text(encoding="utf-8"))
    violations = page.evaluate("axe.run(document).then(({ violations }) => violations)")
    return [(one["id"], one["help"]) for one in violations if one["impact"] in GRAVE]


def pattern(name):
    """What is said under this name, with any numbers."""
    return re.compile(re.sub(r"\\\{\w+\\\}", ".+", re.escape(WORDS[name])))


def test_a_word_is_recorded_after_a_countdown_until_it_is_over_and_kept(page):
    requests = []
    page.on("request", lambda request: requests.append(request.url))
    said = record(page)
    assert pattern("trimmed").fullmatch(said)
    assert float(said.split()[3]) < 3  # of the 4 s that it might take
    assert page.evaluate(LET_GO)
    told = page.evaluate("said")
    assert [one for one in told if one.startswith("Get ready")] == [f"Get ready … {k}" for k in (3, 2, 1)]
    assert told[-3:] == ["Say “seven” now.", "One moment …", said]
    assert page.evaluate("kept.length") == 0
    page.get_by_role("button", name="Listen").click()
    page.wait_for_function("microphone.player.ended")
    page.get_by_role("button", name="Keep").click()
    samples, name, origin = kept(page)
    assert (name, origin) == ("seven", "recorded")
    assert len(samples) == pytest.approx(len(WORD), abs=0.06 * RATE)
    assert likeness(samples, WORD) > 0.97
    assert not page.get_by_role("button", name="Keep").is_visible()
    assert [url for url in requests if not url.startswith(("blob:", "data:"))] == []


def test_it_is_kept_under_the_word_that_is_written_and_recorded_again(page):
    record(page)
    page.get_by_label("Word").fill("sette")
    page.get_by_role("button", name="Keep").click()
    assert kept(page)[1] == "sette" and "“sette”" in reached(page, "kept")
    page.get_by_role("button", name="Again").click()
    reached(page, "recorded")
    assert page.evaluate("kept.length") == 1


def test_it_can_be_stopped_and_cancelled_at_any_time(page):
    button = page.locator("[data-do=record]")
    for _ in range(2):
        button.click()
        reached(page, "counting")
        assert button.inner_text() == "Cancel"
        button.click()
        assert reached(page, "ask") == WORDS["ask"] and page.evaluate(LET_GO)
    button.click()
    reached(page, "recording")
    assert button.inner_text() == "Stop"
    page.wait_for_function("microphone.take.loud > 0.2 * microphone.take.rate")
    button.click()
    reached(page, "recorded")
    assert page.evaluate("microphone.sound.samples.length") < len(WORD)


@pytest.mark.parametrize(
    ("sound", "longest", "state", "said", "number"),
    [
        (room(WORD, 0.04), 4, "recorded", "noisy", r" (1[7-9]|2[01]) dB"),  # 17.1; two resamplings filter 2 or 3 out
        (room(8 * WORD), 4, "recorded", "clipped", r" 1[4-9] %"),  # 17.9
        (room(WORD, 0.3), 2, "recorded", "noisy", r" [1-9] dB"),
        (np.zeros(FILE_SECONDS * RATE), 1, "problem", "silent", ""),
        (room(0 * WORD, 1e-4), 1, "problem", "silent", ""),
        (room(np.full(100, 0.5)), 1, "problem", "short", r" 0\.0\d s"),
    ],
    ids=["noisy", "clipped", "drowned", "switched off", "silent", "click"],
)
def test_what_is_wrong_with_a_recording_is_said(tmp_path, address, sound, longest, state, said, number):
    with hearing(sound, tmp_path, ALLOWED) as browser, opened(browser, address, longest) as page:
        told = record(page, state)
        assert pattern(said).search(told) and re.search(number, told)
        assert page.get_by_role("button", name="Keep").is_visible() == (state == "recorded")


def test_a_denied_microphone_is_said(tmp_path, address):
    with hearing(room(WORD), tmp_path) as browser, opened(browser, address) as page:
        assert record(page, "problem") == WORDS["denied"]
        assert serious(page) == []


@pytest.mark.parametrize(
    ("before", "said"),
    [
        (FAILS % "NotFoundError", WORDS["missing"]),
        (FAILS % "NotReadableError", WORDS["busy"]),
        (FAILS % "UnknownError", WORDS["broken"].format(error="no sound card")),
        ("delete Navigator.prototype.mediaDevices", WORDS["unsupported"]),
    ],
)
def test_a_microphone_that_does_not_work_is_said_and_a_ready_recording_stands_in(listening, address, before, said):
    with opened(listening, address, before=before) as page:
        assert record(page, "problem") == said
        page.get_by_role("combobox").select_option("seven, by an actress")
        reached(page, "kept")
        samples, name, origin = kept(page)
        assert np.allclose(samples, WORD, rtol=0, atol=2**-15) and (name, origin) == ("seven, by an actress", "ready")


def test_an_address_without_https_is_said(tmp_path, address):
    port = address.rpartition(":")[2]
    with (
        hearing(room(WORD), tmp_path, ALLOWED, "--host-resolver-rules=MAP course.example 127.0.0.1") as browser,
        opened(browser, f"http://course.example:{port}", before="") as page,
    ):
        assert record(page, "problem") == WORDS["insecure"]


def encoded(samples, rate, kind):
    buffer = io.BytesIO()
    soundfile.write(buffer, samples, rate, format=kind)
    return buffer.getvalue()


SILENCE = np.zeros(RATE // 2)
PADDED = np.concatenate([SILENCE, WORD, SILENCE])


@pytest.mark.parametrize(
    ("content", "like", "said"),
    [
        (audio.wav(PADDED, RATE), 0.999, "trimmed"),
        (audio.wav(WORD, RATE), 0.999, "whole"),
        (encoded(np.column_stack([np.repeat(PADDED, 2)] * 2), 2 * RATE, "WAV"), 0.95, "trimmed"),
        (encoded(PADDED, RATE, "MP3"), 0.95, "trimmed"),
    ],
    ids=["WAV", "trimmed", "stereo", "MP3"],
)
def test_a_dropped_file_is_kept_as_one_channel_at_the_rate(page, content, like, said):
    page.evaluate(DROP, ["seven.any", list(content)])
    assert pattern(said).search(reached(page, "kept"))
    samples, name, origin = kept(page)
    assert likeness(samples, WORD) > like and (name, origin) == ("seven", "file")
    assert np.linalg.norm(samples) == pytest.approx(np.linalg.norm(WORD), rel=0.1)
    assert len(samples) == pytest.approx(len(WORD), abs=0.03 * RATE)


def test_of_two_sounds_at_once_the_last_one_counts(page):
    both = """async ([first, last]) => {
        const early = microphone.receive(new Uint8Array(first).buffer, "file", "first");
        await Promise.all([early, microphone.use(new File([new Uint8Array(last)], "last.wav"))]);
    }"""
    page.evaluate(both, [list(audio.wav(PADDED, RATE)), list(audio.wav(WORD, RATE))])
    assert page.evaluate("kept.length") == 1 and len(kept(page)[0]) == len(WORD)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"no sound at all", "unreadable"),
        (b"", "unreadable"),
        (audio.wav(PADDED, RATE)[:20], "unreadable"),
        (audio.wav(np.tile(WORD, 8), RATE), "long"),
        (audio.wav(np.zeros(RATE), RATE), "silent"),
    ],
)
def test_a_file_that_is_no_word_is_said_and_the_next_one_works(page, content, said):
    choose = page.locator("input[type=file]")
    for _ in range(2):
        choose.set_input_files({"name": "seven.wav", "mimeType": "audio/wav", "buffer": content})
        assert pattern(said).fullmatch(reached(page, "problem"))
    assert page.evaluate("kept.length") == 0
    choose.set_input_files({"name": "seven.wav", "mimeType": "audio/wav", "buffer": audio.wav(WORD, RATE)})
    reached(page, "kept")


def test_the_keyboard_is_enough(page):
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "mic-word"
    page.keyboard.type("sept")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    reached(page, "recorded")
    reachable = []
    for _ in range(4):
        page.keyboard.press("Tab")
        reachable.append(page.evaluate("document.activeElement.innerText.split('\\n')[0]"))
    assert reachable == ["Listen", "Keep", "Use a file", WORDS["ready"]]
    for _ in range(2):
        page.keyboard.press("Shift+Tab")
    page.keyboard.press(" ")
    reached(page, "kept")
    assert kept(page)[1] == "sept"


def test_the_browser_trims_as_python_does(page):
    noise = RNG.normal(size=20_000)
    for scale in (0, 1e-4, 1e-3, 1e-2):
        for samples in PROMPTS.signals.values():
            samples = np.concatenate([np.zeros(997), samples, np.zeros(1013)])
            samples = np.float32(samples + scale * noise[: len(samples)])
            start, end = page.evaluate(
                "async samples => (await import('./microphone.js')).trim(new Float32Array(samples), 8000)",
                samples.tolist(),
            )
            assert np.array_equal(samples[start:end], np.float32(audio.trim(samples, RATE)))


@pytest.mark.parametrize("size", [(1280, 800), (390, 844), (320, 700)])
def test_nothing_is_cut_and_nothing_keeps_anybody_out(listening, address, size):
    with opened(listening, address, size=size) as page:
        stored = {"said": "In your folder recordings: 12 sounds.", "remove": "Delete them", "sure": "Really delete"}
        page.evaluate("stored => microphone.tell(stored, () => (window.removed = true))", stored)
        assert page.evaluate(CUT) == serious(page) == []
        page.get_by_role("button", name="Record").click()
        for state in ("counting", "recording", "recorded"):
            reached(page, state)
            assert page.evaluate(CUT) == serious(page) == []
        assert page.locator("#place").bounding_box()["height"] <= 300 or size[0] < 390
        page.get_by_role("button", name="Delete them").click()
        assert page.evaluate("window.removed") is None
        page.get_by_role("button", name="Really delete").click()
        assert page.evaluate("window.removed")
        page.evaluate("document.documentElement.dataset.theme = 'dark'")
        assert serious(page) == []


# --- in JupyterLab

NOTEBOOK = """from course_lib import datasets
from course_widgets import my_recordings
from course_widgets.controls import slider
from course_widgets.microphone import RecordingExplorer

def draw(figure, recording, gain):
    figure.add_subplot().plot(gain * recording.samples)
    return f"{recording.name} has {len(recording.samples)} samples."

prompts = datasets.load_spoken_prompts()
explorer = RecordingExplorer(draw, {"one": prompts["en", 1]}, "seven", gain=slider("gain", 1, 3, 1))
explorer"""
SAY = "print({word: [len(one) for one in takes] for word, takes in my_recordings().items()})"


def test_in_the_lab_the_kernel_draws_and_stores_what_is_kept(listening, lab):
    address, token = lab
    cells = [nbformat.v4.new_code_cell(source) for source in (NOTEBOOK, SAY)]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    content = nbformat.v4.new_notebook(cells=cells, metadata=kernel)
    body = json.dumps({"type": "notebook", "format": "json", "content": content}).encode()
    request = urllib.request.Request(f"{address}/api/contents/microphone.ipynb?token={token}", method="PUT")
    urllib.request.urlopen(request, body).close()
    context = listening.new_context(viewport={"width": 1280, "height": 1000})
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.goto(f"{address}/doc/tree/microphone.ipynb?token={token}&reset")
    page.wait_for_selector(".jp-Notebook .jp-Cell")
    page.wait_for_function("window.jupyterapp?.shell.currentWidget?.context")
    page.evaluate(RUN_ALL.replace("run-all-cells", "run-cell"))
    place = page.locator(".microphone")
    expect(page.locator(".sentence")).to_contain_text("one has")
    for key in "ab":
        place.get_by_role("button", name="Record").press(key)  # a shortcut of the lab, which makes a cell
    assert page.locator(".jp-CodeCell").count() == 2
    page.get_by_label("Word").fill("sieben")
    record(page)
    place.get_by_role("button", name="Keep").click()
    expect(page.locator(".sentence")).to_contain_text("sieben has")
    expect(place.locator(".mic-mine")).to_contain_text("1 sound.")
    page.evaluate("jupyterapp.shell.currentWidget.content.activeCellIndex = 1")
    page.evaluate("jupyterapp.commands.execute('notebook:run-cell')")
    page.wait_for_function(IDLE)
    heard = page.locator(".sentence").inner_text().split()[2]
    expect(page.locator(".jp-CodeCell").nth(1).locator(".jp-OutputArea-output")).to_have_text(
        f"{{'sieben': [{heard}]}}"
    )
    place.get_by_role("button", name="Delete them").click()
    place.get_by_role("button", name="Really delete").click()
    expect(place.locator(".mic-mine")).to_be_hidden()
    page.evaluate("jupyterapp.shell.currentWidget.sessionContext.shutdown()")
    context.close()
