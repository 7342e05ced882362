"""speechocean762 is read as its documentation describes it, from a tiny tree; a copy with a fault is explained."""

import json
import re
import shutil

import numpy as np
import pytest

from course_lib import datasets
from course_lib.datasets import load_speechocean762

# In the style of the corpus: ids of nine digits, speakers of four, a tabulator, sentences in capitals.
SENTENCES = {
    "train": {"000010011": "WE CALL IT BEAR", "000010035": "ZERO", "000020007": "TOM'S OLD MAP"},
    "test": {"000030012": "MARK IS GOING TO SEE ELEPHANT"},
}
ACCURACY = {
    "000010011": [7.0, 9.0, 8.0, 8.0, 9.0],
    "000010035": [10, 9, 10, 10, 8],
    "000020007": [3.0, 4.0, 2.0, 5.0, 4.0],
    "000030012": [9.0, 9.0, 8.0, 9.0, 10.0],
}


def scores_of(utterance, text):
    """One item of scores-detail.json, with the keys that the corpus documents."""
    word = {"accuracy": [10.0] * 5, "stress": [10.0] * 5, "total": [10.0] * 5, "ref-phones": "W IY0"}
    return {
        "text": text,
        "accuracy": ACCURACY[utterance],
        "completeness": [1.0, 1.0, 1.0, 0.75, 1.0],
        "fluency": [10.0, 9.0, 8.0, 8.0, 10.0],
        "prosodic": [10.0, 9.0, 7.0, 8.0, 9.0],
        "total": [7.6, 9.0, 7.9, 8.0, 9.1],
        "words": [{**word, "text": w, "phones": ["W IY0"] * 5} for w in text.split()],
    }


@pytest.fixture
def corpus(tmp_path):
    """A copy of the corpus with four utterances and no sound."""
    root = tmp_path / "speechocean762"
    details = {}
    for part, sentences in SENTENCES.items():
        (root / part).mkdir(parents=True)
        lists = {"text": [], "utt2spk": [], "wav.scp": [], "spk2utt": []}
        for utterance, text in sentences.items():
            speaker = utterance[:5][1:]
            lists["text"].append(f"{utterance}\t{text}")
            lists["utt2spk"].append(f"{utterance}\t{speaker}")
            lists["wav.scp"].append(f"{utterance}\tWAVE/SPEAKER{speaker}/{utterance}.WAV")
            lists["spk2utt"].append(f"{speaker} {utterance}")
            details[utterance] = scores_of(utterance, text)
        for name, lines in lists.items():
            (root / part / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    (root / "resource").mkdir()
    (root / "resource" / "scores-detail.json").write_text(json.dumps(details), encoding="utf-8")
    return root


def change(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_everything_stands_where_it_belongs(corpus):
    speech = load_speechocean762(corpus)
    assert (len(speech.train), len(speech.test)) == (3, 1)
    for name, part in (("train", speech.train), ("test", speech.test)):
        assert dict(zip(part.utterances, part.texts, strict=True)) == SENTENCES[name]
        np.testing.assert_array_equal(part.scores, [ACCURACY[u] for u in part.utterances])
        assert part.scores.dtype == np.float64
        assert part.aspect == "accuracy"
    assert speech.train.speakers.tolist() == ["0001", "0001", "0002"]
    assert speech.test.paths == (corpus / "WAVE" / "SPEAKER0003" / "000030012.WAV",)


@pytest.mark.parametrize(
    ("aspect", "expected"),
    [
        ("completeness", [1, 1, 1, 0.75, 1]),
        ("fluency", [10, 9, 8, 8, 10]),
        ("prosodic", [10, 9, 7, 8, 9]),
        ("total", [7.6, 9, 7.9, 8, 9.1]),
    ],
)
def test_the_other_aspects(corpus, aspect, expected):
    np.testing.assert_array_equal(load_speechocean762(str(corpus), aspect).train.scores, [expected] * 3)


def test_lists_may_have_another_order_blank_lines_and_spaces(corpus):
    lines = (corpus / "train" / "utt2spk").read_text(encoding="utf-8").splitlines()
    (corpus / "train" / "utt2spk").write_text("\n\n".join(lines[::-1]).replace("\t", " "), encoding="utf-8")
    assert load_speechocean762(corpus).train.speakers.tolist() == ["0001", "0001", "0002"]


def test_it_says_what_it_is_and_where_it_comes_from(corpus):
    speech = load_speechocean762(corpus)
    assert repr(speech) == "Speechocean762: 3 utterances to train, 1 to test; accuracy"
    assert repr(speech.train) == "RatedSpeech: 3 utterances by 2 speakers, 5 scores for accuracy"
    assert "OpenSLR 101" in speech.provenance.source
    with pytest.raises(AttributeError):
        speech.train.scores = None


def test_an_unknown_aspect_lists_the_options(corpus):
    with pytest.raises(ValueError, match="aspect is 'stress'; choose one of 'accuracy', 'completeness', 'fluency'"):
        load_speechocean762(corpus, "stress")


def test_a_folder_that_is_not_there_says_where_to_get_the_corpus(tmp_path):
    with pytest.raises(FileNotFoundError, match=re.escape("https://www.openslr.org/101")) as error:
        load_speechocean762(tmp_path / "nowhere")
    assert isinstance(error.value, datasets.DataMissingError)
    assert "nowhere" in str(error.value)


def test_missing_files_are_all_named(corpus):
    shutil.rmtree(corpus / "test")
    (corpus / "resource" / "scores-detail.json").unlink()
    expected = "it has no resource/scores-detail.json, test/text, test/utt2spk, test/wav.scp. Get speechocean762"
    with pytest.raises(datasets.DataMissingError, match=re.escape(expected)):
        load_speechocean762(corpus)
    with pytest.raises(datasets.DataMissingError, match=re.escape("give the folder that holds train/")):
        load_speechocean762(corpus.parent)  # one folder too high


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("resource/scores-detail.json", '"000010035": ', '"x": ', "gives None as accuracy of the utterance 000010035"),
        ("resource/scores-detail.json", '"accuracy": [10, 9', '"other": [10, 9', "gives None as accuracy"),
        ("resource/scores-detail.json", "[10, 9, 10, 10, 8]", "[10, 9, 10, 8]", "gives [10, 9, 10, 8] as accuracy"),
        ("resource/scores-detail.json", "[10, 9, 10, 10, 8]", "[10, 9, null, 10, 8]", "5 numbers are needed"),
        ("resource/scores-detail.json", "[10, 9, 10, 10, 8]", '"good"', "gives 'good' as accuracy"),
        ("resource/scores-detail.json", "[10, 9, 10, 10, 8]", "9", "gives 9 as accuracy"),
        ("resource/scores-detail.json", "{", "[", "scores-detail.json is no JSON"),
        ("train/utt2spk", "000010035", "000010036", "utt2spk has no line for the utterance 000010035"),
        ("test/wav.scp", "000030012\t", "000030013\t", "wav.scp has no line for the utterance 000030012"),
        ("test/text", "000030012\tMARK IS GOING TO SEE ELEPHANT", "", "text is empty"),
    ],
)
def test_a_copy_with_something_wrong_is_explained(corpus, file, old, new, message):
    change(corpus / file, old, new)
    with pytest.raises(ValueError, match=re.escape(message)):
        load_speechocean762(corpus)


def test_options_are_those_of_the_documentation():
    assert set(datasets.speechocean.ASPECTS) == set(scores_of("000010011", "")) - {"text", "words"}
