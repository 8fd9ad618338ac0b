"""Reads names as a JSON list of strings, writes for each its A-labels, or null where IDNA2008 knows no such name."""
import json
import sys
import unicodedata

import idna


def checked(name):
    try:
        encoded = idna.encode(unicodedata.normalize("NFC", name.strip().lower()), strict=True).decode()
        labels = [idna.ulabel(label) for label in encoded.split(".")]
        # RFC 5893 2: one label from right to left binds the others too; the library looks at each alone.
        if any(unicodedata.bidirectional(letter) in ("R", "AL", "AN") for label in labels for letter in label):
            for label in labels:
                idna.check_bidi(label, check_ltr=True)
        return encoded
    except (idna.IDNAError, UnicodeError):
        return None


print(json.dumps([checked(name) for name in json.load(sys.stdin)]))
