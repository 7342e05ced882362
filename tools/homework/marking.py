"""Marks written answers by hand: a page of this machine only, one letter at a time, without names, by keyboard.

    make mark HW=03 [ARGS="--letters letter-start --into DIR --port N"]
    make mark HW=03 ARGS="--student S01 --task weighted --points 3 --reason 'the sheet said squared'"

Grade first (`make grade`). The page shows a letter beside its rubric and writes each key at once into gradebook.db;
stop the command when you like, nothing is lost. A letter has a random number in place of a name, the same one whenever
you come back, and each question has an order of its own. Only who has the address, with its random part, gets an
answer. A name that a student wrote into the letter is shown as it is.

The second form sets the points of any task of one student, without a page; `--points grader` takes that back. Who set
them, when and why stands in the gradebook, in the audit of `make final`, and the reason on the student's page.
"""

import argparse
import hashlib
import json
import re
import secrets
import signal
import sys
import threading
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

from nbgrader.api import MissingEntry
from sqlalchemy.exc import DBAPIError

from tools.homework import handmarks, showing
from tools.homework.book import GRADEBOOK, require_whole
from tools.homework.handmarks import HandMark, Overtaken
from tools.homework.letters import chosen_rubrics, read_letters
from tools.homework.release import ROOT, homework_named

MARKING_PAGE = Path(__file__).with_suffix(".html")
TAKE_BACK = "grader"
LARGEST_REQUEST, LONGEST_COMMENT, IDLE_SECONDS = 100_000, 10_000, 60
POLICY = (
    "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; img-src data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


class Desk:
    """The letters of one homework in the order in which they are marked, each under a key without a name.

    Several requests may come at once; one lock lets them read and write in turn.
    """

    def __init__(self, into, homework, root=ROOT, grade_ids=()):
        self.into, self.homework, self.lock = Path(into), homework, threading.Lock()
        require_whole(self.into / GRADEBOOK)
        self.questions = [rubric.grade_id for rubric in chosen_rubrics(root, homework, grade_ids)]
        letters = read_letters(into, homework, root, grade_ids)
        handmarks.confirm(into, homework, letters)
        known = handmarks.read_standings(into, homework)
        self.unknown = sorted({one.student for one in letters if (one.student, one.rubric.grade_id) not in known})
        letters = [letter for letter in letters if letter.student not in self.unknown]
        self.numbers = handmarks.numbers(into, homework, sorted({letter.student for letter in letters}))
        self.letters = {self.key(letter): letter for letter in sorted(letters, key=self.place)}

    def key(self, letter):
        """What the page calls a letter."""
        return f"{letter.rubric.grade_id}/{self.numbers[letter.student]}"

    def place(self, letter):
        """Where a letter comes: question by question, and in each in an order that its number shuffles."""
        return self.questions.index(letter.rubric.grade_id), hashlib.sha256(self.key(letter).encode()).hexdigest()

    def standing(self, letter):
        """What the gradebook knows of a letter."""
        return handmarks.read_standings(self.into, self.homework)[letter.student, letter.rubric.grade_id]

    def overview(self):
        """All keys in order, each with how far its marking is."""
        with self.lock:
            known = handmarks.read_standings(self.into, self.homework)
        states = {key: known[one.student, one.rubric.grade_id].state(one) for key, one in self.letters.items()}
        return [{"key": key, "state": state} for key, state in states.items()]

    def show(self, key):
        """A letter for the page: parts in safe HTML, the rubric, and the points and the comment so far."""
        letter = self.letters[key]
        rubric = letter.rubric
        with self.lock:
            standing = self.standing(letter)
        mark, by_reason = standing.mark, standing.by_reason
        fits = mark is not None and len(mark.points) == len(rubric.rows)
        own = "".join(map(showing.cell, letter.own))
        return {
            "key": key,
            "number": self.numbers[letter.student],
            "title": rubric.title,
            "question": showing.markdown(rubric.question),
            "solved": showing.markdown(rubric.solution),
            "text": showing.cell(letter.cell),
            "own": own and f"<h2>Cells of their own around it</h2>{own}",
            "source": letter.text,
            "digest": letter.digest,
            "rows": [{"what": showing.inline(row.what), "points": row.points} for row in rubric.rows],
            "points": list(mark.points) if fits else [None] * len(rubric.rows),
            "comment": mark.comment if mark else "",
            "set": f"{by_reason.points:g} points were set for it: {by_reason.reason}" if by_reason else "",
            "seen": standing.version,
        }

    def mark(self, *given):
        """Does what `write` does, and returns the state of the letter."""
        return self.write(*given).state(self.letters[given[0]])

    def write(self, key, digest, points, comment, seen=""):
        """Writes the points of all rows, None where one is open, and the comment; returns the new Standing.

        Parameters
        ----------
        key : of the letter;  digest : of its text, as it was shown
        points, comment : of the mark
        seen : `version` of the Standing that was shown, empty if nobody had marked it

        Raises
        ------
        ValueError
            If another text was marked than the one that is here, or the points do not fit the rubric; Overtaken, which
            is one, if somebody else has marked it since.
        """
        letter = self.letters[key]
        if digest != letter.digest:
            raise ValueError("this is not the current letter; reload the page.")
        if not isinstance(comment, str) or len(comment) > LONGEST_COMMENT:
            raise ValueError(f"comment needs to be a text of at most {LONGEST_COMMENT} characters.")
        mark = HandMark(tuple(None if one is None else float(one) for one in points), comment.strip(), digest)
        with self.lock:
            return handmarks.write_mark(self.into, self.homework, letter, mark, seen)


class Handler(BaseHTTPRequestHandler):
    """Answers what the page asks; `self.server` has the desk and the random part of the address."""

    timeout = IDLE_SECONDS

    def do_GET(self):
        """The page, the list of letters, or one letter."""
        name = self.asked()
        if name == "":
            nonce = secrets.token_urlsafe(16)
            page = MARKING_PAGE.read_text(encoding="utf-8").replace("{nonce}", nonce)
            self.reply(HTTPStatus.OK, page, "text/html", nonce)
        elif name == "letters":
            self.answer(self.server.desk.overview)
        elif name is not None and name.removeprefix("letter/") in self.server.desk.letters:
            self.answer(self.server.desk.show, name.removeprefix("letter/"))
        else:
            self.reply(HTTPStatus.NOT_FOUND, "There is nothing here.")

    def do_POST(self):
        """A mark, as JSON."""
        length = int(self.headers.get("Content-Length") or 0)
        if self.asked() != "mark" or self.headers.get_content_type() != "application/json":
            self.reply(HTTPStatus.NOT_FOUND, "There is nothing here.")
        elif not 0 < length <= LARGEST_REQUEST:
            self.reply(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "This is no mark.")
        else:
            self.answer(self.mark, self.rfile.read(length))

    def mark(self, body):
        """Writes what the page sent."""
        given = json.loads(body)
        if not isinstance(given, dict) or given.get("key") not in self.server.desk.letters:
            raise ValueError("there is no such letter; reload the page.")
        if not isinstance(given.get("points"), list):
            raise ValueError("points needs to be a list with a number or null for each row.")
        key, digest, points, comment = (given.get(name) for name in ("key", "digest", "points", "comment"))
        standing = self.server.desk.write(key, digest, points, comment, given.get("seen", ""))
        return {"state": standing.state(self.server.desk.letters[key]), "seen": standing.version}

    def asked(self):
        """The path below the random part of the address, or None if that is another one."""
        token, slash, name = urlsplit(self.path).path.removeprefix("/").partition("/")
        ours = slash and secrets.compare_digest(token.encode(), self.server.token.encode())
        return name if ours else None

    def answer(self, function, *given):
        """What a function of the desk returns, as JSON; a sentence if it refuses."""
        try:
            self.reply(HTTPStatus.OK, json.dumps(function(*given)), "application/json")
        except (MissingEntry, KeyError):  # whose messages hold a name
            self.reply(HTTPStatus.CONFLICT, "the gradebook has lost this letter; start the command again.")
        except Overtaken as told:
            self.reply(HTTPStatus.PRECONDITION_FAILED, str(told))
        except (ValueError, TypeError) as refused:
            self.reply(HTTPStatus.BAD_REQUEST, str(refused))
        except DBAPIError as trouble:
            self.reply(HTTPStatus.SERVICE_UNAVAILABLE, f"the gradebook cannot be used: {trouble.orig}")

    def reply(self, status, text, kind="text/plain", nonce="none"):
        """Sends text that no other page may keep, guess the kind of, or learn the address of."""
        data = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Content-Security-Policy", POLICY.format(nonce=nonce))
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *given):
        """Nothing is logged: the address holds the token."""


def serve(desk, port=0):
    """A server for this machine only, and its address; `serve_forever` starts it.

    Parameters
    ----------
    desk : Desk
    port : number of a port, or 0 for a free one

    Returns
    -------
    (server, address)

    Raises
    ------
    ValueError
        If the port is taken, or is none.
    """
    try:
        server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    except (OSError, OverflowError) as problem:
        raise ValueError(f"port is {port}, which cannot be used: {problem}; 0 takes a free one.") from problem
    server.daemon_threads = True
    server.desk, server.token = desk, secrets.token_urlsafe(24)
    return server, f"http://127.0.0.1:{server.server_port}/{server.token}/"


def options(arguments):
    """(what was asked for on the command line, the parser)."""
    parser = argparse.ArgumentParser(prog="make mark", description=__doc__.splitlines()[0])
    parser.add_argument("--homework", required=True, help="its number, such as 03")
    parser.add_argument("--letters", nargs="+", default=(), help="only these, such as letter-start")
    parser.add_argument("--student", help="whose points are set")
    parser.add_argument("--task", help="of which, as the tables call it: weighted, or letter-start")
    parser.add_argument("--points", help="so many; 'grader' takes back what was set")
    parser.add_argument("--reason", help="why, for the student and for the audit")
    parser.add_argument("--into", type=Path, default=ROOT, help="where gradebook.db and results/ are kept")
    parser.add_argument("--root", type=Path, default=ROOT, help="folder of the course, with solutions/")
    parser.add_argument("--port", type=int, default=0, help="of the page; a free one by default")
    given = parser.parse_args(arguments)
    setting = [given.student, given.task, given.points, given.reason]
    if any(setting) and not all(setting):
        parser.error("--student, --task, --points and --reason belong together")
    return given, parser


def set_points(given):
    """Sets the points of a task; a line about it."""
    if given.points != TAKE_BACK and not re.fullmatch(r"\d+(\.\d+)?", given.points):
        raise ValueError(f"points is {given.points!r}; a number, or {TAKE_BACK!r}, is needed.")
    points = None if given.points == TAKE_BACK else float(given.points)
    before = handmarks.set_points(given.into, given.homework, given.student, given.task, points, given.reason)
    was = before.auto if before.manual is None else before.manual
    told = ["no points yet" if one is None else f"{one:g}" for one in (was, points)]
    now = "what they are without a person's points" if points is None else told[1]
    return f"{given.student}, {given.task}: {told[0]} → {now}. `make grade ARGS=--tables` writes the tables anew."


def main(arguments=None):
    """The command; runs until it is interrupted. Returns its exit status."""
    given, parser = options(arguments)
    try:
        given.homework = homework_named(given.root, given.homework)
        if given.student:
            print(set_points(given))
            return 0
        desk = Desk(given.into, given.homework, given.root, given.letters)
        server, address = serve(desk, given.port)
    except ValueError as problem:
        parser.error(str(problem))
    for student in desk.unknown:
        print(f"{student} is left out: the gradebook has no submission of theirs. Grade again.", file=sys.stderr)
    print(f"{len(desk.letters)} letters at {address}\nOpen it in a browser; press Ctrl-C to stop.", flush=True)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell takes from what it starts with "&"
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        print("All marks are in the gradebook.")
    finally:
        server.server_close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
