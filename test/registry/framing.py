"""Frames over TLS (RFC 5734 4), and faults of answers."""

import socket
import struct
import threading
import time

HELD_SECONDS = 120


class LineClosed(Exception):
    pass


def exactly(line: socket.socket, count: int) -> bytes:
    got = b''
    while len(got) < count:
        try:
            piece = line.recv(count - len(got))
        except OSError:
            raise LineClosed from None
        if not piece:
            raise LineClosed
        got += piece
    return got


def read_frame(line: socket.socket, limit: int) -> bytes:
    (length,) = struct.unpack('!I', exactly(line, 4))
    if length < 5 or length > limit:
        raise LineClosed
    return exactly(line, length - 4)


def frame_of(text: str) -> bytes:
    body = text.encode()
    return struct.pack('!I', len(body) + 4) + body


def send(line: socket.socket, data: bytes) -> None:
    try:
        line.sendall(data)
    except OSError:
        raise LineClosed from None


class Faults:
    """One fault at a time, each for the next matching command: `{"on": "domain:create", "do": "cut", "at": 17}`."""

    def __init__(self):
        self.waiting, self.gate = [], threading.Event()

    def take(self, kind: str):
        for fault in self.waiting:
            if fault['on'] in (kind, '*'):
                fault['times'] = fault.get('times', 1) - 1
                if fault['times'] <= 0:
                    self.waiting.remove(fault)
                return fault | {'gate': self.gate}
        return {'do': 'nothing'}


def deliver(line: socket.socket, data: bytes, fault: dict) -> None:
    """The command was executed; the fault decides how much of its answer is sent."""
    if fault['do'] == 'delay':
        time.sleep(fault['ms'] / 1000)
    elif fault['do'] == 'hold':
        fault['gate'].wait(HELD_SECONDS)
    elif fault['do'] == 'cut':
        send(line, data[: fault['at']])
        raise LineClosed
    elif fault['do'] == 'drop':
        raise LineClosed
    elif fault['do'] == 'silence':
        return
    send(line, data)
