"""Data as pages read them: compressed, so that they are small, and nobody reads an answer by the way."""

import base64
import json
import zlib


def packed(value):
    """A value as bytes of compressed JSON."""
    return deflated(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())


def deflated(data):
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


def attribute(value):
    """The same as text, for an attribute of HTML."""
    return base64.b64encode(packed(value)).decode()
