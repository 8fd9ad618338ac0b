"""Prices, accounts and the statement: every charge and credit with the command that caused it. Amounts are cents."""

from decimal import Decimal

import grammar
from results import Refused, element

YEARLY = {'create': 810, 'renew': 935, 'autorenew': 935, 'transfer': 890}
RESTORE = 4400
PREMIUM_YEAR = 50_000
FEE = grammar.URIS['fee']


def decimal(cents: int) -> str:
    return f'{"-" if cents < 0 else ""}{abs(cents) // 100}.{abs(cents) % 100:02}'


# Names that became premium after they were sold.
TURNED_PREMIUM = set()


def is_premium(name: str) -> bool:
    return name.startswith('gold') or name in TURNED_PREMIUM


def parts(capabilities, name: str, verb: str, years: int) -> list:
    """(kind, what for, cents): a premium price may have parts, one of which is a credit."""
    if verb in ('restore', 'update'):
        return [('fee', 'restore', RESTORE)] + ([('fee', 'renew', YEARLY['renew'] * capabilities.restore_years)] if capabilities.restore_years else [])
    if verb == 'delete':
        return []
    if not is_premium(name):
        return [('fee', verb, YEARLY[verb] * years)]
    if not capabilities.fee_in_parts:
        return [('fee', verb, PREMIUM_YEAR * years)]
    return [('fee', 'premium', PREMIUM_YEAR * years), ('fee', 'application', 2_000), ('credit', 'promotion', -2_000)]


def total(priced: list) -> int:
    return sum(cents for _, _, cents in priced)


class Accounts:
    def __init__(self, capabilities, clock, queues):
        self.capabilities, self.clock, self.queues = capabilities, clock, queues
        self.balances, self.lines, self.cause = {}, [], ('', '')

    def deposit(self, client: str, cents: int) -> None:
        self._line(client, 'deposit', 'deposit', '', cents, self.clock.now())

    def afford(self, client: str, cents: int) -> None:
        if self.balances[client] < cents:
            raise Refused(2104, f'the balance is {decimal(self.balances[client])} {self.capabilities.currency}')

    def charge(self, client: str, command: str, name: str, cents: int, at=None) -> dict:
        before = self.balances[client]
        line = self._line(client, 'charge', command, name, -cents, at or self.clock.now())
        if before >= self.capabilities.low_balance > self.balances[client]:
            self.queues.put(client, f'Low balance: {decimal(self.balances[client])} {self.capabilities.currency}, below {decimal(self.capabilities.low_balance)}')
        return line

    def refund(self, line: dict) -> int:
        self._line(line['client'], 'refund', line['command'], line['domain'], line['cents'], self.clock.now())
        return line['cents']

    def _line(self, client: str, kind: str, command: str, name: str, change: int, at) -> dict:
        self.balances[client] = self.balances.get(client, 0) + change
        line = {'id': len(self.lines) + 1, 'at': at.isoformat(), 'client': client, 'kind': kind, 'command': command}
        line |= {'domain': name, 'cents': abs(change), 'amount': decimal(abs(change)), 'cltrid': self.cause[0], 'svtrid': self.cause[1]}
        self.lines.append(line)
        return line


def agreed(capabilities, offer, name: str, priced: list) -> None:
    """RFC 8748 5.2.1: the sums must be equal; a premium name requires its price in the command."""
    if offer is None:
        if is_premium(name):
            raise Refused(2003, f'the fee of {name} must be agreed to')
        return
    if grammar.text(offer, 'currency', capabilities.currency) != capabilities.currency:
        raise Refused(2004, f'prices are in {capabilities.currency}')
    said = sum(Decimal(grammar.text_of(each)) for each in grammar.children(offer, 'fee') + grammar.children(offer, 'credit'))
    if int(said * 100) != total(priced):
        raise Refused(2004, f'the fee is {decimal(total(priced))}')


def priced_elements(priced: list) -> str:
    return ''.join(element(kind, decimal(cents), description=what) for kind, what, cents in priced)


def receipt(capabilities, kind: str, priced: list, balance: int) -> str:
    return f'<{kind} xmlns="{FEE}"><currency>{capabilities.currency}</currency>{priced_elements(priced)}<balance>{decimal(balance)}</balance></{kind}>'


def price_list(capabilities, asked, names: list) -> str:
    """The answer to fee:check; the class of a name and the `standard` attribute are omitted by default."""
    if grammar.text(asked, 'currency', capabilities.currency) != capabilities.currency:
        raise Refused(2004, f'prices are in {capabilities.currency}')
    told = ''
    for name, available in names:
        told += f'<cd avail="1">{element("objID", name)}'
        told += '<class>premium</class>' if capabilities.fee_class and is_premium(name) else ''
        for command in grammar.children(asked, 'command'):
            told += one_price(capabilities, name, command)
        told += '</cd>'
    return f'<chkData xmlns="{FEE}"><currency>{capabilities.currency}</currency>{told}</chkData>'


def one_price(capabilities, name: str, command) -> str:
    verb, period = command.get('name'), grammar.child(command, 'period')
    years = 1 if period is None else int(grammar.text_of(period))
    if verb not in ('create', 'renew', 'transfer', 'restore', 'delete'):
        return f'<command name="{verb}"><reason>not a command that is charged</reason></command>'
    standard = ' standard="1"' if capabilities.fee_class and not is_premium(name) else ''
    told = f'<period unit="y">{years}</period>' if verb in ('create', 'renew', 'transfer') else ''
    return f'<command name="{verb}"{standard}>{told}{priced_elements(parts(capabilities, name, verb, years))}</command>'
