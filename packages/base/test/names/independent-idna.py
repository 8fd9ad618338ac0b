"""Reads names as a JSON list and writes the A-labels of each, or null if the name is invalid under IDNA2008."""
import json
import sys
import unicodedata

import idna


def checked(name):
    try:
        encoded = idna.encode(unicodedata.normalize("NFC", name.strip().lower()), strict=True).decode()
        labels = [idna.ulabel(label) for label in encoded.split(".")]
        # RFC 5893 2: a right-to-left label also restricts the other labels; the library checks each one separately.
        if any(unicodedata.bidirectional(letter) in ("R", "AL", "AN") for label in labels for letter in label):
            for label in labels:
                idna.check_bidi(label, check_ltr=True)
        return encoded
    except (idna.IDNAError, UnicodeError):
        return None


print(json.dumps([checked(name) for name in json.load(sys.stdin)]))
