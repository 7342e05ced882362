"""A submission's kernel, seen from the grader: how it is started in a box, and how much of what it sends is read."""

import sys
from pathlib import Path

import zmq
from jupyter_client.asynchronous import AsyncKernelClient
from jupyter_client.manager import AsyncKernelManager
from jupyter_client.session import Session
from traitlets import Any, Int, Type

from tools.homework import box

ANSWERING = "course_checks.answering"
CUT_NOTE = "\n… the rest of what this cell printed is left out.\n"
MAX_CHARACTERS = 100_000  # of the text that a cell prints
MAX_MESSAGES = 5  # times the bytes of outputs, above which a connection takes no message
MESSAGE_CHARACTERS = 1000  # that a message counts beside what it holds
TOO_LONG = {"status": "ok", "too long": True}  # content that stands for what was not read


class BoundedSession(Session):
    """Reads messages of a kernel; of one with more than `most` bytes all but the content, which takes more memory."""

    most = Int(0)

    def deserialize(self, msg_list, content=True, copy=True):
        """The message in these frames: signature, header, parent, metadata, content, buffers."""
        if sum(map(len, msg_list)) <= self.most:
            return super().deserialize(msg_list, content, copy)
        if sum(map(len, msg_list[:4])) > self.most:
            raise ValueError(f"the header of a message has more than {self.most} bytes")
        return super().deserialize(msg_list[:5], False, copy) | {"content": dict(TOO_LONG)}


class Client(AsyncKernelClient):
    """Speaks with a kernel; its connections take no message that is far larger than what its session reads."""

    def start_channels(self, *given, **more):
        """Connects to the kernel."""
        self.context.setsockopt(zmq.MAXMSGSIZE, MAX_MESSAGES * self.session.most)
        super().start_channels(*given, **more)


class BoxedKernelManager(AsyncKernelManager):
    """Starts a kernel behind `words`, and speaks with it through files in a folder that both can reach."""

    words, client_factory = Any(()), Type(Client)

    def format_kernel_cmd(self, extra_arguments=None):
        """The kernel's command, in its box."""
        return [*self.words, sys.executable, *super().format_kernel_cmd(extra_arguments)[1:], f"--ext={ANSWERING}"]

    def reach(self, desk):
        """Speaks with the kernel by this descriptor of the desk; interrupts go through a socket of their own."""
        self.ip = f"/proc/self/fd/{desk}/k"
        self._close_control_socket()
        self._connect_control_socket()

    def write_connection_file(self, **given):
        """The file that tells the kernel where it speaks, which the box's user may read."""
        super().write_connection_file(**given)
        box.give(Path(self.connection_file).parent)


class Output:
    """Keeps the first of what a cell puts out.

    Parameters
    ----------
    most : characters of figures, values and other outputs that are kept; of printed text it is `MAX_CHARACTERS`
    """

    def __init__(self, most):
        self.most, self.so_far = most, dict.fromkeys((True, False), 0)

    def of(self, msg):
        """What is kept of a message: all, its begin with a remark, or None."""
        content, text = msg["content"], msg["msg_type"] == "stream"
        if msg["msg_type"] in ("status", "execute_input"):
            return msg
        before, most = self.so_far[text], min(MAX_CHARACTERS, self.most) if text else self.most
        self.so_far[text] += MESSAGE_CHARACTERS + (self.most if content == TOO_LONG else len(str(content)))
        if self.so_far[text] <= most:
            return msg
        if before > most:
            return None
        content = {"name": "stderr", "text": ""} | (content if text else {})
        header = {**msg["header"], "msg_type": "stream"}
        return {
            **msg,
            "msg_type": "stream",
            "header": header,
            "content": content | {"text": content["text"][:most] + CUT_NOTE},
        }
