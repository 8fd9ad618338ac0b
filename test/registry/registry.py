"""The state that all sessions of the registry share. One lock protects it."""

import threading
import time

import grammar
from clock import Clock
from contacts import Contacts
from domains import Domains
from framing import Faults
from money import Accounts
from poll import Queues
from results import Refused
from transfers import Transfers

LOG_LENGTH = 5000


class Registry:
    def __init__(self, capabilities, tlds: list, passwords: dict):
        self.capabilities, self.tlds, self.passwords = capabilities, set(tlds), passwords
        self.lock = threading.RLock()
        self.clock = Clock(capabilities)
        self.queues = Queues(self.clock)
        self.accounts = Accounts(capabilities, self.clock, self.queues)
        self.contacts, self.domains, self.transfers = Contacts(self), Domains(self), Transfers(self)
        self.faults, self.log, self.seen, self.sessions = Faults(), [], set(), []
        self.last_roid = self.last_trid = self.noted = 0
        for client in passwords:
            self.accounts.deposit(client, 1_000_000)

    def roid(self, letter: str) -> str:
        self.last_roid += 1
        return f'{letter}{self.last_roid}-FAR'

    def server_trid(self) -> str:
        self.last_trid += 1
        return f'FAR-{self.last_trid:08}'

    def offered(self) -> list:
        return ['secDNS', 'rgp'] + (['fee'] if self.capabilities.fee else []) + (['secureAuthInfo'] if self.capabilities.secure_auth else [])

    def note(self, session: int, way: str, what: str) -> None:
        self.noted += 1
        self.log.append({'id': self.noted, 'ms': int(time.monotonic() * 1000), 'session': session, 'way': way, 'frame': what})
        del self.log[:-LOG_LENGTH]

    def secret(self, node) -> str:
        """Checks authInfo by the rules of this registry. Without RFC 9154 it is never empty and never removed."""
        pw, capabilities = grammar.child(node, 'authInfo/pw'), self.capabilities
        if capabilities.secure_auth:
            return self.secure_secret(node, pw)
        if pw is None:
            raise Refused(2306, 'authInfo must be a password')
        text = pw.text or ''
        if text == '':
            raise Refused(2003, 'authInfo must not be empty')
        if not capabilities.auth_min <= len(text) <= capabilities.auth_max:
            raise Refused(2004, f'authInfo has {capabilities.auth_min} to {capabilities.auth_max} characters')
        kinds = (any(map(str.isdigit, text)), any(map(str.isalpha, text)), any(not each.isalnum() for each in text))
        if capabilities.auth_mixed and not all(kinds):
            raise Refused(2306, 'authInfo has a digit, a letter and another character')
        return text

    def secure_secret(self, node, pw) -> str:
        """RFC 9154 4.1, 5.1, 5.2: empty or null unsets it; otherwise it is long and printable."""
        text = '' if pw is None or pw.text is None else pw.text
        if pw is None and grammar.child(node, 'authInfo/null') is None:
            raise Refused(2306, 'authInfo must be a password or null')
        if text and not (20 <= len(text) <= 64 and all('!' <= each <= '~' for each in text)):
            raise Refused(2004, 'authInfo has 20 to 64 printable characters')
        return text

    def change_statuses(self, statuses: set, node) -> None:
        for each in grammar.children(node, 'rem/status'):
            if each.get('s') not in statuses:
                raise Refused(2303, f'status {each.get("s")}')
            statuses.discard(each.get('s'))
        for each in grammar.children(node, 'add/status'):
            if not each.get('s').startswith('client'):
                raise Refused(2306, f'{each.get("s")} is not for registrars')
            statuses.add(each.get('s'))
