"""The lifecycle of a domain: grace periods with refunds, auto-renewal, redemption and removal (RFC 3915 2)."""

from dataclasses import dataclass
from datetime import datetime, timedelta

import money
from clock import later_by_years
from grammar import URIS
from results import element

GRACE_DAYS = {'addPeriod': 5, 'renewPeriod': 5, 'transferPeriod': 5, 'autoRenewPeriod': 45}
REDEMPTION_DAYS, REPORT_DAYS, PENDING_DELETE_DAYS = 30, 7, 5


@dataclass
class Grace:
    kind: str
    until: datetime
    line: dict
    years: int


def begin(name, kind: str, now: datetime, line: dict, years: int) -> None:
    name.graces.append(Grace(kind, now + timedelta(days=GRACE_DAYS[kind]), line, years))


def running(name, now: datetime) -> list:
    return list(dict.fromkeys(each.kind for each in name.graces if each.until > now))


def end_all(registry, name) -> list:
    """Delete: charges within their grace period are refunded, and a domain in its add grace period is removed at once."""
    now, back = registry.clock.now(), []
    live = [each for each in name.graces if each.until > now]
    for each in live:
        registry.accounts.refund(each.line)
        back.append(each.line)
        name.expires = later_by_years(name.expires, -each.years)
    name.graces = []
    if any(each.kind == 'addPeriod' for each in live):
        del registry.domains.by_name[name.name]
    return back


def redeem(name, now: datetime) -> None:
    name.leaving, name.leaving_until = 'redemptionPeriod', now + timedelta(days=REDEMPTION_DAYS)


def await_report(name, now: datetime) -> None:
    name.leaving, name.leaving_until = 'pendingRestore', now + timedelta(days=REPORT_DAYS)


def advance(registry) -> None:
    """Makes all due changes, each at its own time."""
    now = registry.clock.now()
    for name in list(registry.domains.by_name.values()):
        while name.name in registry.domains.by_name:
            due = [(name.leaving_until, leave)] if name.leaving else [(name.expires, auto_renew)]
            if name.transfer and name.transfer.status == 'pending':
                due.append((name.transfer.ends, registry.transfers.approve_by_time))
            at, happen = min(due, key=lambda each: each[0])
            if at > now:
                break
            happen(registry, name, at)


def auto_renew(registry, name, at: datetime) -> None:
    priced = money.parts(registry.capabilities, name.name, 'autorenew', 1)
    line = registry.accounts.charge(name.sponsor, 'autorenew', name.name, money.total(priced), at)
    begin(name, 'autoRenewPeriod', at, line, 1)
    name.expires = later_by_years(name.expires, 1)


def leave(registry, name, at: datetime) -> None:
    if name.leaving == 'pendingRestore':
        redeem(name, at)
        registry.queues.put(name.sponsor, f'{name.name}: no restore report came, it is in redemption again', at=at)
    elif name.leaving == 'redemptionPeriod':
        name.leaving, name.leaving_until = 'pendingDelete', at + timedelta(days=PENDING_DELETE_DAYS)
        registry.queues.put(name.sponsor, f'{name.name}: redemption is over, it is pending delete', at=at)
    else:
        del registry.domains.by_name[name.name]
        data = element('d:name', name.name, paResult='1') + '<d:paTRID><svTRID>' + registry.server_trid() + '</svTRID></d:paTRID>'
        data += element('d:paDate', registry.clock.write('trnData.reDate', at))
        registry.queues.put(name.sponsor, f'{name.name}: deleted', f'<d:panData xmlns:d="{URIS["domain"]}">{data}</d:panData>', at)
