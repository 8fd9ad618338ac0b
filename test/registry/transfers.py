"""Transfers (RFC 5730 2.9.3.4, RFC 5731 3.2.4). A transfer without a response is approved after five days."""

from dataclasses import dataclass
from datetime import datetime, timedelta

import grace
import money
from clock import later_by_years
from domains import DOMAIN, MAX_YEARS, lower
from grammar import child, text_of
from results import Answer, Refused, element

PENDING_DAYS = 5


@dataclass
class Transfer:
    status: str
    gaining: str
    losing: str
    asked: datetime
    ends: datetime
    acted: datetime
    expires: datetime
    priced: list


class Transfers:
    def __init__(self, registry):
        self.registry = registry

    def handle(self, command) -> Answer:
        found = self.registry.domains.find(lower(command.object))
        if command.op == 'request':
            return self.request(command, found)
        if found.transfer is None:
            raise Refused(2301, found.name)
        if command.client not in (found.transfer.gaining, found.transfer.losing):
            raise Refused(2201, found.name)
        if command.op == 'query':
            return Answer(1000, self.told(found))
        return self.end(command, found)

    def must_know_secret(self, command, found) -> None:
        given = child(command.object, 'authInfo/pw')
        if given is None:
            raise Refused(2003, 'authInfo')
        # RFC 9154 4.3: without a stored auth code no value matches.
        if text_of(given) != found.auth or not found.auth:
            raise Refused(2202, found.name)

    def request(self, command, found) -> Answer:
        registry = self.registry
        if found.sponsor == command.client:
            raise Refused(2106, f'{found.name} is yours already')
        self.must_know_secret(command, found)
        if found.transfer and found.transfer.status == 'pending':
            raise Refused(2300, found.name)
        registry.domains.may(found, 'Transfer')
        registry.domains.years(command, 'transfer')
        priced, now = registry.domains.price(command, found.name, 'transfer', 1), registry.clock.now()
        found.transfer = Transfer('pending', command.client, found.sponsor, now, now + timedelta(days=PENDING_DAYS), now,
                                  self.new_expiry(found, now), priced)
        registry.queues.put(found.sponsor, 'Transfer requested.', self.told(found))
        return Answer(1001, self.told(found), registry.domains.receipt(command, 'trnData', priced))

    def new_expiry(self, found, now: datetime) -> datetime:
        """Adds a year, up to ten; a year of an auto-renewal within its grace period is not counted."""
        auto = sum(each.years for each in found.graces if each.kind == 'autoRenewPeriod' and each.until > now)
        return min(later_by_years(found.expires, 1 - auto), later_by_years(now, MAX_YEARS))

    def end(self, command, found) -> Answer:
        transfer = found.transfer
        if transfer.status != 'pending':
            raise Refused(2301, found.name)
        who, status = {'approve': (transfer.losing, 'clientApproved'), 'reject': (transfer.losing, 'clientRejected'),
                       'cancel': (transfer.gaining, 'clientCancelled')}[command.op]
        if command.client != who:
            raise Refused(2201, f'{command.op} is not yours to say')
        self.settle(found, status, self.registry.clock.now())
        other = transfer.losing if command.op == 'cancel' else transfer.gaining
        self.registry.queues.put(other, f'Transfer {status}.', self.told(found))
        return Answer(1000, self.told(found))

    def approve_by_time(self, _, found, at: datetime) -> None:
        self.settle(found, 'serverApproved', at)
        for client in (found.transfer.gaining, found.transfer.losing):
            self.registry.queues.put(client, 'Transfer serverApproved.', self.told(found), at)

    def settle(self, found, status: str, at: datetime) -> None:
        transfer = found.transfer
        transfer.status, transfer.acted, transfer.ends = status, at, at
        if not status.endswith('Approved'):
            return
        for each in [each for each in found.graces if each.kind == 'autoRenewPeriod' and each.until > at]:
            self.registry.accounts.refund(each.line)
        found.graces = []
        line = self.registry.accounts.charge(transfer.gaining, 'transfer', found.name, money.total(transfer.priced), at)
        if self.registry.capabilities.secure_auth:
            found.auth = ''
        found.sponsor, found.transferred, found.expires = transfer.gaining, at, transfer.expires
        grace.begin(found, 'transferPeriod', at, line, 1)

    def told(self, found) -> str:
        date, transfer = self.registry.clock.write, found.transfer
        data = element('d:name', found.name) + element('d:trStatus', transfer.status) + element('d:reID', transfer.gaining)
        data += element('d:reDate', date('trnData.reDate', transfer.asked)) + element('d:acID', transfer.losing)
        data += element('d:acDate', date('trnData.acDate', transfer.ends)) + element('d:exDate', date('trnData.exDate', transfer.expires))
        return f'<d:trnData xmlns:d="{DOMAIN}">{data}</d:trnData>'
