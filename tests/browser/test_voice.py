"""One's own word on the built pages of lectures 01 and 04, in Chromium: as in the lab."""

import io

import numpy as np
import pytest
import soundfile

from course_lessons.dtw import explore, own
from course_lessons.hmm import own as hmm
from course_lessons.hmm.explore import explore_my_digit
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
MOST_APART = 7  # dB, of two whispers of the same
NAME, DIGIT = "explore_my_word", "explore_my_digit"
# The bytes of a sound, the first if no other is asked for, as soon as its player is there: those before are let go.
SOUND = """async number => {
    for (;;) {
        const player = document.querySelectorAll(".players audio")[number ?? 0];
        try {
            return Array.from(new Uint8Array(await (await fetch(player.src)).arrayBuffer()));
        } catch {
            await new Promise(done => setTimeout(done, 20));
        }
    }
}"""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """Of the pages of lectures 01 and 04; without kernels the tests are skipped."""
    if wasm.current() is None:
        pytest.skip("There are no kernels in WebAssembly of this code: make wasm")
    folder = tmp_path_factory.mktemp("site") / "site"
    site = pages.begun(folder, {})
    for lecture in ("01", "04"):
        site.show(lecture)
    with serving(folder) as found:
        yield found


@pytest.fixture(scope="module")
def address(server):
    return f"{server}/01.html"


@pytest.fixture(scope="module")
def address_of_digit(server):
    return f"{server}/04.html"


def opened(browser, address, size=(1280, 800), name=NAME):
    """(page, the place of the explorer), which has begun."""
    page = browser.new_page(viewport={"width": size[0], "height": size[1]})
    page.set_default_timeout(LONG)
    page.goto(address)
    place = page.locator(f"[data-live='live/{name}.bin']")
    place.scroll_into_view_if_needed()
    place.locator(".sentence:not(:empty)").wait_for()
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


def dropped(place, samples, name):
    """The Recording of a file with these samples, as it is dropped on the microphone."""
    # Digital silence, which no microphone records, would leave several paths that are equally good.
    samples = (samples + 1e-3 * RNG.uniform(-1, 1, len(samples))).clip(-1, 1).astype(np.float32).astype(float)
    soundfile.write(file := io.BytesIO(), samples, RATE, format="WAV", subtype="FLOAT")  # no browser rounds it
    place.get_by_label("Word", exact=True).fill(name)
    file = {"name": "any.wav", "mimeType": "audio/wav", "buffer": file.getvalue()}
    place.locator("input[type=file]").set_input_files(file)
    place.locator(".mic-said:text('{}')".format(name.split(" ")[0])).wait_for()
    return Recording(audio.trim(samples, RATE), RATE, name)


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
        python.hear(dropped(place, takes[RNG.integers(len(takes))], name))
        compare(page, python, 0 if k < 2 else int(RNG.integers(1, 51)))


def test_a_digit_is_heard_by_each_recogniser_as_in_the_lab(browser, address_of_digit):
    page, place = opened(browser, address_of_digit, name=DIGIT)
    python = explore_my_digit()
    takes = [one for takes in PROMPTS.takes.values() for one in takes if len(one) < 4 * RATE]
    for k, (name, recording) in enumerate(python.ready.items()):
        place.locator("select").first.select_option(label=name)
        python.hear(recording)
        compare_digit(page, python, k % 4)
    for name in ("Grün & <blau>", "сорок"):
        python.hear(dropped(place, takes[RNG.integers(len(takes))], name))
        compare_digit(page, python, int(RNG.integers(4)))
    page.close()


def compare_digit(page, python, longer):
    """The page's picture and sound against Python's at a speed, for the word that is heard and for another."""
    for word in (0, int(RNG.integers(1, 11))):
        shown = page.evaluate(SHOWN, [DIGIT, [longer, word]])
        chosen = {name: python.controls[name].values[k] for name, k in (("longer", longer), ("word", word))}
        sentence, marks = python.drawn(chosen, geometry.read)
        (wave,) = (mark for mark in marks if dict(mark.look).get("stroke-width") == "0.833" and len(mark.points) > 2)
        at = [mark for mark in marks if dict(mark.look)["kind"] in ("path", "marks")].index(wave)
        assert_one_outline(np.reshape(shown["paths"].pop(at), (-1, 2)), wave.points / 2)
        assert_alike(shown, sentence, [mark for mark in marks if mark is not wave])
    sounds, rates = zip(*(soundfile.read(io.BytesIO(bytes(page.evaluate(SOUND, k)))) for k in range(3)), strict=True)
    heard, *whispers = sounds
    assert rates == (RATE,) * 3
    played = python.recording.at_speed(100 / (100 + chosen["longer"])).samples
    assert np.abs(heard - played).max() < 1e-4
    frames = hmm.digit_frames(played, RATE)
    expected = hmm.state_posterior(hmm.fitted()[hmm.WITH_STATES].models_[word - 1], frames)[1]
    for whisper, wanted in zip(whispers, (frames, expected), strict=True):
        assert apart(whisper, audio.whisper(wanted, RATE, hmm.HOP_SECONDS)) < MOST_APART


def apart(one, other):
    """How different two whispers are, dB; it is 3 or 4 with other noise, and 15 or more played backwards."""
    smooth = [hmm.digit_frames(sound, RATE)[:, :8] @ audio.features.cosines(8, 26) for sound in (one, other)]
    return np.abs(np.subtract(*(levels - levels.mean() for levels in smooth))).mean()


def assert_one_outline(one, other):
    """Wherever one of two lines is, from left to right, the other reaches within a pixel as far up and down."""
    for line, around in ((one, other), (other, one)):
        pixels = np.arange(np.ceil(line[:, 0].min()) + 1, line[:, 0].max())
        (low, high), (lowest, highest) = outline(line, pixels, 0.5), outline(around, pixels, 1.5)
        assert (low >= lowest - 1).all() and (high <= highest + 1).all()


def outline(points, pixels, near):
    """(lowest, highest) of a line near each of these places from left to right."""
    steps = np.linspace(0, len(points) - 1, 50 * len(points))
    x, y = (np.interp(steps, np.arange(len(points)), coordinate) for coordinate in points.T)
    there = [y[np.abs(x - pixel) <= near] for pixel in pixels]
    return np.array([one.min() for one in there]), np.array([one.max() for one in there])


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
@pytest.mark.parametrize("name", [NAME, DIGIT])
def test_it_fits_and_keeps_nobody_out(browser, server, size, name):
    page, place = opened(browser, f"{server}/{'01' if name == NAME else '04'}.html", size, name)
    assert place.evaluate("place => [...place.children].every(one => one.scrollWidth <= one.clientWidth)")
    top, bottom = (place.locator(name).bounding_box() for name in (".microphone", ".drawing"))
    assert bottom["y"] + bottom["height"] - top["y"] <= size[1]
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate(
        f"axe.run(document.querySelector('[data-live*={name}]')).then(({{ violations }}) => violations)"
    )
    assert [one["id"] for one in found if one["impact"] in GRAVE] == []
    page.close()
