"""A small EPP registry written from the RFCs alone, without code of the project that it tests.

    python3 server.py --tld far --client us:secret-1 --client other:secret-2 --capability dates=plain

It prints one line of JSON with its ports and its certificate, and runs until its standard input is closed.
"""

import argparse
import itertools
import json
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from control import open_control
from capabilities import Capabilities
from registry import Registry
from session import Session


def certificate(folder: str) -> tuple:
    key, pem = Path(folder, 'key.pem'), Path(folder, 'certificate.pem')
    subprocess.run(
        ['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '3', '-subj', '/CN=localhost',
         '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1', '-keyout', str(key), '-out', str(pem)],
        check=True, capture_output=True)
    return pem, key


def accept(registry: Registry, listener: socket.socket, tls: ssl.SSLContext) -> None:
    for number in itertools.count(1):
        raw, _ = listener.accept()
        threading.Thread(target=answer, args=(registry, raw, tls, number), daemon=True).start()


def answer(registry: Registry, raw: socket.socket, tls: ssl.SSLContext, number: int) -> None:
    try:
        raw.settimeout(30)
        raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        line = tls.wrap_socket(raw, server_side=True)
    except OSError:
        raw.close()
        return
    Session(registry, line, number).serve()


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument('--tld', action='append', required=True)
    options.add_argument('--client', action='append', required=True)
    options.add_argument('--capability', action='append', default=[])
    given, capabilities = options.parse_args(), Capabilities()
    for each in given.capability:
        capabilities.change(*each.split('=', 1))
    registry = Registry(capabilities, given.tld, dict(each.split(':', 1) for each in given.client))
    with tempfile.TemporaryDirectory() as folder:
        pem, key = certificate(folder)
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.minimum_version = ssl.TLSVersion.TLSv1_2
        tls.load_cert_chain(pem, key)
        ca = pem.read_text()
    listener = socket.create_server(('127.0.0.1', 0))
    control = open_control(registry)
    threading.Thread(target=accept, args=(registry, listener, tls), daemon=True).start()
    threading.Thread(target=control.serve_forever, daemon=True).start()
    print(json.dumps({'port': listener.getsockname()[1], 'control_port': control.server_address[1], 'ca': ca}), flush=True)
    sys.stdin.read()


if __name__ == '__main__':
    main()
