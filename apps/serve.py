"""Serves the personaliser (`make app`): Voilà with a token in its address, for the names of this computer alone.

python serve.py personaliser.ipynb --port=8888 --Voila.ip=0.0.0.0
"""

import html
import io
import ipaddress
import os
import socket
import tempfile
import threading
import webbrowser
from pathlib import Path

import segno
from tornado.routing import Matcher, Rule
from tornado.web import RequestHandler
from traitlets import List, Unicode
from voila.app import Voila
from voila.shutdown_kernel_handler import VoilaShutdownKernelHandler
from voila.voila_identity_provider import VoilaLoginHandler

EVERYWHERE = ("", "0.0.0.0", "::")
PHONE = "For a phone in the same network, stop it and give: make app HOST=0.0.0.0"

NOT_INVITED = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>The personaliser</title>
<body style="max-width:34em;margin:2em auto;padding:0 1em;font:17px/1.5 system-ui,sans-serif">
<h1 style="font-size:1.5em">This address does not open the personaliser</h1>
<p>The last part of the address is missing, or it is out of date: it changes each time the app is started.</p>
<p>Scan the square code again, or open the newest address in full. If you have neither, ask the person who started the
app.</p>
"""


class Foreign(Matcher):
    """Requests for a name that is none of this computer's: another page's name may lead here (DNS rebinding).

    A number (192.168.1.7, [::1]) is no name, and nobody can make it lead elsewhere.
    """

    def __init__(self, names):
        self.names = {name.lower() for name in names}

    def match(self, request):
        name = request.host_name.strip("[]")
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return None if name in self.names else {}
        return None


class Refused(RequestHandler):
    """Says no."""

    def prepare(self):
        self.set_status(403)
        self.finish("This is none of the names of this computer (--Served.names adds one).")


class NotInvited(RequestHandler):
    """What Voilà sends a person to who has no token, or a wrong one."""

    def get(self):
        self.set_status(403)
        self.finish(NOT_INVITED)


class Left(VoilaShutdownKernelHandler):
    """Ends the kernel of a page that is left, which can send no header: its cookie and its origin are checked."""

    def check_xsrf_cookie(self):
        pass


class Served(Voila):
    """Voilà, whose address has a token; `--token=…` chooses it."""

    names = List(Unicode(), config=True, help="Other names under which this computer is known.")

    def init_settings(self):
        self.auto_token = True
        return super().init_settings()

    def init_handlers(self):
        instead = {VoilaShutdownKernelHandler: Left, VoilaLoginHandler: NotInvited}
        return [(url, instead.get(handler, handler), *rest) for url, handler, *rest in super().init_handlers()]

    def listen(self):
        own = socket.gethostname()
        router, names = self.app.default_router, ["localhost", own, f"{own}.local", self.ip, *self.names]
        router.rules.insert(0, router.process_rule(Rule(Foreign(names), Refused)))
        super().listen()

    @property
    def display_url(self):
        """What to type, a line each; a phone's camera reads the first from the square below."""
        if self.ip not in EVERYWHERE:
            return f"{self._with_token(self.ip)}\n{PHONE}"
        address, square = self._with_token(_in_the_network()), io.StringIO()
        segno.make(address).terminal(square, compact=True, border=2)
        return "\n".join([address, self._with_token("localhost"), square.getvalue()])

    def _with_token(self, name):
        token = self.identity_provider.token
        return self._url(name) + (f"?token={token}" if token else "")

    def launch_browser(self):
        """By a file that only we can read: everybody sees how a program was called, and so the token."""
        handle, file = tempfile.mkstemp(suffix=".html")
        address = self._with_token("localhost" if self.ip in EVERYWHERE else self.ip)
        with open(handle, "w", encoding="utf-8") as page:
            page.write(f'<meta http-equiv="refresh" content="0; url={html.escape(address)}">')
        threading.Thread(target=webbrowser.open, args=[Path(file).as_uri()], daemon=True).start()


def _in_the_network():
    """The number by which a phone finds this computer, else its name. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect(("192.0.2.1", 9))  # an address for documentation (RFC 5737)
            return asked.getsockname()[0]
        except OSError:
            return socket.gethostname()


if __name__ == "__main__":
    os.umask(0o077)  # what sessions write is for nobody else
    Served.launch_instance()
