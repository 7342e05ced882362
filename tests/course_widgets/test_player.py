"""The A/B player as the kernel sees it; what the browser does with it is in tests/browser/test_player.py."""

import re
import shutil
import subprocess

import numpy as np
import pytest
import traitlets

from course_lib import audio
from course_widgets import ABPlayer
from tests.lectures.reading import ROOT

RATE = 8000
SCRIPTS = [path for end in ("js", "css") for path in sorted(ROOT.glob(f"course_*/**/*.{end}"))]
TIMES = np.arange(RATE // 2) / RATE
ONE, TWO, THREE = (audio.wav(0.3 * np.sin(2 * np.pi * f * TIMES), RATE) for f in (200, 300, 400))
WHAT = "Two <even> tones."


@pytest.fixture
def player():
    return ABPlayer(ONE, TWO, WHAT)


def says(player, pair, *sides):
    """What comes from the browser when these sides have sounded long enough."""
    player.set_state({"_listened": {"pair": pair, "sides": list(sides)}})


def test_it_is_silent_until_the_listener_presses(player):
    assert player.playing == ""
    assert player.heard == ()


def test_it_tells_what_was_heard_in_the_order_of_the_alphabet(player):
    seen = []
    player.observe(lambda change: seen.append(change["new"]), names="heard")
    says(player, 0, "b")
    says(player, 0, "b", "a")
    assert seen == [("b",), ("a", "b")]


def test_new_sounds_have_not_been_heard_and_late_news_of_the_old_ones_count_for_nothing(player):
    says(player, 0, "a", "b")
    player.change(TWO, THREE)
    assert (player.sounds, player.heard, player.pair) == ((TWO, THREE), (), 1)
    says(player, 0, "a", "b")
    assert player.heard == ()
    says(player, 1, "a")
    assert player.heard == ("a",)


def test_the_same_sounds_once_more_are_a_new_pair(player):
    says(player, 0, "a", "b")
    player.change(ONE, TWO)
    assert (player.heard, player.pair) == ((), 1)


def test_a_pair_goes_to_the_browser_in_one_message(player, monkeypatch):
    sent = []
    monkeypatch.setattr(player, "_send", lambda message, buffers=None: sent.append((message, buffers)))
    player.change(TWO, THREE)
    ((message, buffers),) = sent
    assert {"pair", "sounds"} <= message["state"].keys() | {path[0] for path in message["buffer_paths"]}
    assert [bytes(buffer) for buffer in buffers] == [TWO, THREE]


def test_what_only_change_may_change_cannot_be_set(player):
    for name, value in {"sounds": (ONE, ONE), "pair": 3, "heard": ("a",)}.items():
        with pytest.raises(traitlets.TraitError, match="read-only"):
            setattr(player, name, value)
    with pytest.raises(traitlets.TraitError):
        player.playing = "c"
    with pytest.raises(traitlets.TraitError):
        player.volume = 1.5


def test_without_a_front_end_it_says_what_it_is(player):
    data, _ = player._repr_mimebundle_()
    assert data["text/plain"] == repr(player) == "ABPlayer: two sounds of 0.50 s; heard: none yet"
    assert "A player for two sounds" in data["text/html"]
    assert "Two &lt;even&gt; tones." in data["text/html"]


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        ("one.wav", TWO, "a is a value of type str; what audio.wav gives, the bytes of a WAV file, is needed"),
        (ONE, b"", "b is a value of type bytes"),
        (ONE[:12] + b"no sound at all", TWO, "a cannot be read as sound"),
        (ONE, audio.wav(np.zeros(4001), RATE), "a has 4000 samples at 8000 Hz and b 4001 at 8000 Hz"),
        (ONE, audio.wav(np.zeros(4000), 16_000), "a has 4000 samples at 8000 Hz and b 4000 at 16000 Hz"),
    ],
)
def test_a_mistake_is_named(player, a, b, message):
    for call in (lambda a, b: ABPlayer(a, b, WHAT), player.change):
        with pytest.raises(ValueError, match=re.escape(message)):
            call(a, b)
    assert player.sounds == (ONE, TWO)


def test_scripts_and_styles_lie_beside_their_widgets_and_need_nothing_from_elsewhere():
    for path in SCRIPTS:
        text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")  # a name, and no address
        assert not re.search(r"https?:|\bimport\b|@import|url\((?!#)", text)


@pytest.mark.skipif(shutil.which("node") is None, reason="no node to read the script")
@pytest.mark.parametrize("path", [path for path in SCRIPTS if path.suffix == ".js"], ids=lambda path: path.name)
def test_a_script_is_a_module_that_parses(tmp_path, path):
    script = tmp_path / f"{path.stem}.mjs"
    script.write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    assert subprocess.run(["node", "--check", script], capture_output=True).returncode == 0
