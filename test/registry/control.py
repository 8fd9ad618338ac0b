"""The control API for tests: HTTP on loopback, not part of EPP."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

import grace
import money
from money import decimal

PAGE = 1000


def statement(registry, query: dict) -> dict:
    lines = [line for line in registry.accounts.lines if line['client'] == query['client']]
    return {'currency': registry.capabilities.currency, 'balance': decimal(registry.accounts.balances[query['client']]), 'lines': lines}


def holdings(registry, query: dict) -> dict:
    """The names that an account sponsors or ever paid for, in byte order, each with its statement lines."""
    client, lines = query['client'], {}
    for line in registry.accounts.lines:
        if line['client'] == client and line['domain']:
            lines.setdefault(line['domain'], []).append({key: line[key] for key in ('at', 'kind', 'command', 'amount', 'cltrid')})
    mine = {name for name, each in registry.domains.by_name.items() if each.sponsor == client} | lines.keys()
    wanted = [query['name']] if 'name' in query else sorted(name for name in mine if name > query.get('after', ''))
    told = []
    for name in [each for each in wanted if each in mine][: int(query.get('limit', PAGE))]:
        found = registry.domains.by_name.get(name)
        is_mine = found is not None and found.sponsor == client
        one = {'name': name, 'sponsored': is_mine, 'expires_at': None, 'statuses': [], 'lines': lines.get(name, [])}
        if is_mine:
            one |= {'expires_at': found.expires.strftime('%Y-%m-%dT%H:%M:%SZ'), 'statuses': registry.domains.statuses(found)}
        told.append(one)
    return {'currency': registry.capabilities.currency, 'names': told}


def shown(registry, query: dict) -> dict:
    found = registry.domains.by_name.get(query['name'])
    if found is None:
        return {}
    return {'sponsor': found.sponsor, 'auth': found.auth, 'nameservers': found.nameservers, 'registrant': found.registrant,
            'contacts': found.contacts, 'statuses': registry.domains.statuses(found), 'leaving': found.leaving,
            'expires_at': found.expires.isoformat(), 'ds': found.ds}


def shown_contact(registry, query: dict) -> dict:
    found = registry.contacts.by_id.get(query['id'])
    return {} if found is None else {'sponsor': found.sponsor, 'postal': found.postal, 'email': found.email, 'auth': found.auth}


def contact_ids(registry, query: dict) -> dict:
    return {'ids': [each.id for each in registry.contacts.by_id.values() if each.sponsor == query['client']]}


def lose_contact(registry, wish: dict) -> dict:
    """Removes a contact, as a clean-up at the registry would; domains keep its id."""
    del registry.contacts.by_id[wish['id']]
    return {}


def move_clock(registry, wish: dict) -> dict:
    registry.clock.move(wish['seconds'])
    grace.advance(registry)
    return {'now': registry.clock.now().isoformat()}


def add_fault(registry, wish: dict) -> dict:
    registry.faults.waiting.append(wish)
    return {'waiting': registry.faults.waiting}


def make_premium(_, wish: dict) -> dict:
    money.TURNED_PREMIUM.add(wish['name'])
    return {'premium': sorted(money.TURNED_PREMIUM)}


def release(registry, _: dict) -> dict:
    """Sends the held answers."""
    registry.faults.gate.set()
    registry.faults.gate = threading.Event()
    return {}


def change_capabilities(registry, wish: dict) -> dict:
    for name, value in wish.items():
        registry.capabilities.change(name, str(value))
    return {}


def put_message(registry, wish: dict) -> dict:
    registry.queues.put(wish['client'], wish['text'], wish.get('data', ''))
    return {}


def pay(registry, wish: dict) -> dict:
    registry.accounts.deposit(wish['client'], wish['cents'])
    return {}


READ = {
    '/statement': statement,
    '/holdings': holdings,
    '/name': shown,
    '/contact': shown_contact,
    '/contacts': contact_ids,
    '/messages': lambda registry, query: {'messages': [each.text for each in registry.queues.waiting(query['client'])]},
    '/log': lambda registry, query: {'log': [each for each in registry.log if each['id'] > int(query.get('after', 0))]},
    '/faults': lambda registry, _: {'waiting': registry.faults.waiting},
}
DO = {'/clock': move_clock, '/faults': add_fault, '/premium': make_premium, '/release': release, '/capabilities': change_capabilities, '/messages': put_message, '/pay': pay,
      '/lose-contact': lose_contact}


def open_control(registry) -> ThreadingHTTPServer:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = 'HTTP/1.1'

        def do_GET(self):
            url = urlsplit(self.path)
            self.answer(READ.get(url.path), dict(parse_qsl(url.query)))

        def do_POST(self):
            self.answer(DO.get(self.path), json.loads(self.rfile.read(int(self.headers['Content-Length']))))

        def answer(self, perform, given):
            with registry.lock:
                body = json.dumps({'error': 'unknown path'} if perform is None else perform(registry, given)).encode()
            self.send_response(404 if perform is None else 200)
            self.send_header('Content-Type', 'application/json')
            self.send_header('Content-Length', str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(('127.0.0.1', 0), Handler)
    server.daemon_threads = True
    return server
