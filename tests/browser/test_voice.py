"""One's own word on the built page of lecture 01, in Chromium: as in the lab, and nothing leaves the tab."""

import io

import numpy as np
import pytest
import soundfile

from course_lessons.dtw import explore, own
from course_lib import audio, datasets
from course_lib import sequences as seq
from course_widgets import geometry
from course_widgets.microphone import RATE, Recording
from tests.browser.accessibility import AXE, GRAVE
from tests.browser.conftest import LONG
from tests.browser.test_wasm import SHOWN, assert_alike, serving
from tools.site import pages, wasm

RNG = np.random.default_rng()
PROMPTS = datasets.load_spoken_prompts()
NAME = "explore_my_word"
# The bytes of the first sound, as soon as its player is there: those before it are let go.
SOUND = """async () => {
    for (;;) {
        const player = document.querySelector(".players audio");
        try {
            return Array.from(new Uint8Array(await (await fetch(player.src)).arrayBuffer()));
        } catch {
            await new Promise(done => setTimeout(done, 20));
        }
    }
}"""


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """Of lecture 01's page; without kernels the tests are skipped."""
    if wasm.current() is None:
        pytest.skip("There are no kernels in WebAssembly of this code: make wasm")
    folder = tmp_path_factory.mktemp("site") / "site"
    pages.begun(folder, {}).show("01")
    with serving(folder) as server:
        yield f"{server}/01.html"


def opened(browser, address, size=(1280, 800)):
    """(page, the place of the explorer), which has begun."""
    page = browser.new_page(viewport={"width": size[0], "height": size[1]})
    page.set_default_timeout(LONG)
    page.goto(address)
    place = page.locator(f"[data-live='live/{NAME}.bin']")
    place.scroll_into_view_if_needed()
    place.locator(".sentence:text('nearest')").wait_for()
    return page, place


@pytest.fixture(scope="module")
def begun(browser, address):
    page, place = opened(browser, address)
    yield page, place
    page.close()


def compare(page, python, number):
    """The page's picture and sound against Python's for the template of this number, or another with one best path."""
    keys = python.controls["template"].values
    number = next(k for k in (number, *RNG.permutation(len(keys)).tolist()) if is_certain(python.recording, keys[k]))
    key = keys[number]
    assert_alike(page.evaluate(SHOWN, [NAME, [number]]), *python.drawn({"template": key}, geometry.read))
    samples = python.recording.samples
    one, _, aligned = own.align_with(python.recording, key)
    wanted = np.stack([samples, own.stretch_along(aligned.path, one.samples, RATE, len(samples))])
    heard, rate = soundfile.read(io.BytesIO(bytes(page.evaluate(SOUND))))
    assert rate == RATE and np.abs(heard).max() == pytest.approx(0.9, abs=1e-3)
    powers = [np.sqrt(np.mean(one**2, axis=1, keepdims=True)) for one in (wanted, heard.T)]
    np.testing.assert_allclose(heard.T / powers[1], wanted / powers[0], atol=2e-3)


def is_certain(recording, key):
    """Whether no other path is as good: digital silence at the ends of templates leaves many of equal length."""
    _, cost, found = own.align_with(recording, key)
    others = (seq.align(cost + 1e-9 * RNG.uniform(size=cost.shape)).path for _ in range(20))
    return all(np.array_equal(found.path, other) for other in others)


def test_a_ready_word_is_compared_as_in_the_lab(begun):
    (page, place), python = begun, explore.explore_my_word()
    assert place.locator("select").first.locator("option").count() == 1 + len(python.ready)
    for k, recording in enumerate(python.ready.values()):
        place.locator("select").first.select_option(str(k + 1))
        python.hear(recording)
        compare(page, python, 0 if k < 3 else int(RNG.integers(1, 51)))


def test_a_word_of_ones_own_is_compared_as_in_the_lab(begun):
    (page, place), python = begun, explore.explore_my_word()
    takes = [one for takes in PROMPTS.takes.values() for one in takes if len(one) < 4 * RATE]
    for k, name in enumerate(["seven", "Grün & <blau>", "сорок", "a", "a word that is as long as words can be"]):
        samples = takes[RNG.integers(len(takes))]
        # Digital silence, which no microphone records, would leave several paths that are equally good.
        samples = (
            np.round(2**15 * (samples + 1e-3 * RNG.uniform(-1, 1, len(samples)))).clip(-(2**15), 2**15 - 1) / 2**15
        )
        place.get_by_label("Word").fill(name)
        file = {"name": "any.wav", "mimeType": "audio/wav", "buffer": audio.wav(samples, RATE)}
        place.locator("input[type=file]").set_input_files(file)
        place.locator(".mic-said:text('{}')".format(name.split(" ")[0])).wait_for()
        python.hear(Recording(audio.trim(samples, RATE), RATE, name))
        compare(page, python, 0 if k < 2 else int(RNG.integers(1, 51)))


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_it_fits_and_keeps_nobody_out(browser, address, size):
    page, place = opened(browser, address, size)
    assert place.evaluate("place => [...place.children].every(one => one.scrollWidth <= one.clientWidth)")
    top, bottom = (place.locator(name).bounding_box() for name in (".microphone", ".drawing"))
    assert bottom["y"] + bottom["height"] - top["y"] <= size[1]
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate(
        "axe.run(document.querySelector('[data-live*=my_word]')).then(({ violations }) => violations)"
    )
    assert [one["id"] for one in found if one["impact"] in GRAVE] == []
    page.close()
