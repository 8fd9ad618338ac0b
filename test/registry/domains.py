"""Domains (RFC 5731) with nameservers as attributes, their keys (RFC 5910) and their prices (RFC 8748)."""

import re
from dataclasses import dataclass, field
from datetime import datetime

import grace
import money
from clock import later_by_years
from grammar import URIS, child, children, text, text_of
from results import Answer, Refused, element

DOMAIN, SECDNS, RGP = URIS['domain'], URIS['secDNS'], URIS['rgp']
LABELS = re.compile(r'(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}')
MAX_YEARS, MAX_NAMESERVERS = 10, 13
DS_PARTS = ('keyTag', 'alg', 'digestType', 'digest')


@dataclass
class Name:
    name: str
    roid: str
    sponsor: str
    creator: str
    created: datetime
    expires: datetime
    auth: str
    registrant: str
    contacts: list
    nameservers: dict
    ds: list
    statuses: set = field(default_factory=set)
    graces: list = field(default_factory=list)
    updated: datetime = None
    updater: str = ''
    transferred: datetime = None
    transfer: object = None
    # 'redemptionPeriod', 'pendingRestore' or 'pendingDelete' (RFC 3915 3.1), and its end.
    leaving: str = ''
    leaving_until: datetime = None
    restored_years: int = 0


def lower(node, path: str = 'name') -> str:
    name = text(node, path).lower()
    if not LABELS.fullmatch(name):
        raise Refused(2005, name)
    return name


def read_nameservers(node) -> dict:
    if children(node, 'ns/hostObj'):
        raise Refused(2102, 'nameservers are attributes of a name here')
    read = {}
    for host in children(node, 'ns/hostAttr'):
        read[lower(host, 'hostName')] = [(each.get('ip', 'v4'), text_of(each)) for each in children(host, 'hostAddr')]
    return read


def read_ds(node) -> list:
    if children(node, 'keyData'):
        raise Refused(2102, 'keys are told as dsData here')
    return [tuple(text(each, part).upper() for part in DS_PARTS) for each in children(node, 'dsData')]


class Domains:
    def __init__(self, registry):
        self.registry, self.by_name = registry, {}

    def find(self, name: str) -> Name:
        if name not in self.by_name:
            raise Refused(2303, name)
        return self.by_name[name]

    def own(self, command) -> Name:
        found = self.find(lower(command.object))
        if found.sponsor != command.client:
            raise Refused(2201, f'{found.name} is sponsored by another registrar')
        return found

    def must_serve(self, name: str) -> None:
        if name.partition('.')[2] not in self.registry.tlds:
            raise Refused(2306, f'{name} is not of this registry')

    def check(self, command) -> Answer:
        names = [text_of(each).lower() for each in children(command.object, 'name')]
        if len(names) > self.registry.capabilities.names_per_check:
            raise Refused(2004, f'at most {self.registry.capabilities.names_per_check} names')
        told = ''
        for name in names:
            served = LABELS.fullmatch(name) and name.partition('.')[2] in self.registry.tlds
            reason = '' if served and name not in self.by_name else element('d:reason', 'In use' if served else 'Not of this registry')
            told += f'<d:cd>{element("d:name", name, avail="0" if reason else "1")}{reason}</d:cd>'
        asked = command.extensions.get('fee')
        prices = '' if asked is None else money.price_list(self.registry.capabilities, asked, [(name, name not in self.by_name) for name in names])
        return Answer(1000, f'<d:chkData xmlns:d="{DOMAIN}">{told}</d:chkData>', prices)

    def years(self, command, verb: str) -> int:
        period = child(command.object, 'period')
        if period is None:
            return 1
        if period.get('unit') != 'y' or int(text_of(period)) > MAX_YEARS or (verb == 'transfer' and text_of(period) != '1'):
            raise Refused(2004, f'period {text_of(period)}{period.get("unit")}')
        return int(text_of(period))

    def price(self, command, name: str, verb: str, years: int) -> list:
        """The price, after checking the fee agreement and the balance."""
        priced = money.parts(self.registry.capabilities, name, verb, years)
        money.agreed(self.registry.capabilities, command.extensions.get('fee'), name, priced)
        self.registry.accounts.afford(command.client, money.total(priced))
        return priced

    def receipt(self, command, kind: str, priced: list) -> str:
        # RFC 8748 5.2.1: only if the login announced the extension.
        return money.receipt(self.registry.capabilities, kind, priced, self.registry.accounts.balances[command.client]) if priced and 'fee' in command.announced else ''

    def checked_contacts(self, command, node) -> list:
        found = [(each.get('type'), text_of(each)) for each in children(node, 'contact')]
        for _, id in found:
            self.registry.contacts.own(command.client, id)
        return found

    def checked_nameservers(self, name: str, nameservers: dict) -> dict:
        if len(nameservers) > MAX_NAMESERVERS:
            raise Refused(2306, f'more than {MAX_NAMESERVERS} nameservers')
        for host, addresses in nameservers.items():
            if host.endswith(f'.{name}') != bool(addresses):
                raise Refused(2306 if addresses else 2003, f'addresses of {host}')
        return nameservers

    def create(self, command) -> Answer:
        node, registry = command.object, self.registry
        name, auth = lower(node), registry.secret(node)
        self.must_serve(name)
        if not text(node, 'registrant'):
            raise Refused(2003, 'registrant')
        registry.contacts.own(command.client, text(node, 'registrant'))
        contacts = self.checked_contacts(command, node)
        missing = {'admin', 'tech'} - {kind for kind, _ in contacts}
        if missing:
            raise Refused(2003, f'contact {min(missing)}')
        nameservers = self.checked_nameservers(name, read_nameservers(node))
        ds = [] if 'secDNS' not in command.extensions else read_ds(command.extensions['secDNS'])
        years = self.years(command, 'create')
        if name in self.by_name:
            raise Refused(2302, name)
        priced, now = self.price(command, name, 'create', years), registry.clock.now()
        made = Name(name, registry.roid('D'), command.client, command.client, now, later_by_years(now, years), auth,
                    text(node, 'registrant'), contacts, nameservers, ds)
        line = registry.accounts.charge(command.client, 'create', name, money.total(priced))
        grace.begin(made, 'addPeriod', now, line, years)
        self.by_name[name] = made
        date = registry.clock.write
        data = element('d:name', name) + element('d:crDate', date('creData.crDate', now)) + element('d:exDate', date('creData.exDate', made.expires))
        return Answer(1000, f'<d:creData xmlns:d="{DOMAIN}">{data}</d:creData>', self.receipt(command, 'creData', priced))

    def info(self, command) -> Answer:
        found, given = self.find(lower(command.object)), child(command.object, 'authInfo/pw')
        if given is not None and (text_of(given) != found.auth or not found.auth):
            raise Refused(2202, found.name)
        is_ours = found.sponsor == command.client
        if not is_ours and given is None and self.registry.capabilities.strangers == 'refused':
            raise Refused(2201, f'{found.name} is sponsored by another registrar')
        data = self.shown(found, is_ours or given is not None, is_ours)
        more, announced = '', command.announced
        if found.ds and 'secDNS' in announced:
            more += f'<k:infData xmlns:k="{SECDNS}">{"".join(self.shown_ds(each) for each in found.ds)}</k:infData>'
        states = [found.leaving] if found.leaving else grace.running(found, self.registry.clock.now())
        if states and 'rgp' in announced:
            told = ''.join(f'<g:rgpStatus s="{each}"/>' for each in states)
            more += f'<g:infData xmlns:g="{RGP}">{told}</g:infData>'
        return Answer(1000, f'<d:infData xmlns:d="{DOMAIN}">{data}</d:infData>', more)

    def shown_ds(self, ds: tuple) -> str:
        return '<k:dsData>' + ''.join(element(f'k:{part}', value) for part, value in zip(DS_PARTS, ds)) + '</k:dsData>'

    def shown(self, found: Name, whole: bool, with_secret: bool) -> str:
        date = self.registry.clock.write
        data = element('d:name', found.name) + element('d:roid', found.roid)
        data += ''.join(f'<d:status s="{each}"/>' for each in self.statuses(found))
        if whole:
            data += element('d:registrant', found.registrant)
            data += ''.join(element('d:contact', id, type=kind) for kind, id in found.contacts)
            if found.nameservers:
                hosts = ''
                for host, addresses in found.nameservers.items():
                    told = ''.join(element('d:hostAddr', address, ip=kind) for kind, address in addresses)
                    hosts += f'<d:hostAttr>{element("d:hostName", host)}{told}</d:hostAttr>'
                data += f'<d:ns>{hosts}</d:ns>'
        data += element('d:clID', found.sponsor)
        if whole:
            data += element('d:crID', found.creator) + element('d:crDate', date('infData.crDate', found.created))
            if found.updated:
                data += element('d:upID', found.updater) + element('d:upDate', date('infData.upDate', found.updated))
            data += element('d:exDate', date('infData.exDate', found.expires))
            if found.transferred:
                data += element('d:trDate', date('infData.trDate', found.transferred))
        # RFC 9154 4.2: an auth code is stored as a hash and never returned.
        shows = with_secret and not self.registry.capabilities.secure_auth
        return data + (f'<d:authInfo>{element("d:pw", found.auth)}</d:authInfo>' if shows else '')

    def statuses(self, found: Name) -> list:
        told = sorted(found.statuses) + (['inactive'] if not found.nameservers else [])
        told += ['pendingDelete'] if found.leaving else []
        told += ['pendingTransfer'] if found.transfer and found.transfer.status == 'pending' else []
        return told or ['ok']

    def may(self, found: Name, verb: str) -> None:
        """RFC 5731 2.3: the statuses that prohibit the command."""
        if found.leaving or f'client{verb}Prohibited' in found.statuses:
            raise Refused(2304, ', '.join(self.statuses(found)))
        if found.transfer and found.transfer.status == 'pending':
            raise Refused(2304, 'pendingTransfer')

    def renew(self, command) -> Answer:
        found = self.own(command)
        self.may(found, 'Renew')
        years = self.years(command, 'renew')
        if text(command.object, 'curExpDate')[:10] != found.expires.strftime('%Y-%m-%d'):
            raise Refused(2004, f'curExpDate is {found.expires:%Y-%m-%d}')
        expires, now = later_by_years(found.expires, years), self.registry.clock.now()
        if expires > later_by_years(now, MAX_YEARS):
            raise Refused(2105, f'{found.name} would end later than in {MAX_YEARS} years')
        priced = self.price(command, found.name, 'renew', years)
        line = self.registry.accounts.charge(command.client, 'renew', found.name, money.total(priced))
        grace.begin(found, 'renewPeriod', now, line, years)
        found.expires = expires
        data = element('d:name', found.name) + element('d:exDate', self.registry.clock.write('renData.exDate', expires))
        return Answer(1000, f'<d:renData xmlns:d="{DOMAIN}">{data}</d:renData>', self.receipt(command, 'renData', priced))

    def update(self, command) -> Answer:
        if 'rgp' in command.extensions:
            return self.restore(command)
        found, node, registry = self.own(command), command.object, self.registry
        keys = command.extensions.get('secDNS')
        if all(child(node, part) is None for part in ('add', 'rem', 'chg')) and keys is None:
            raise Refused(2003, 'nothing to change')
        removed = [each.get('s') for each in children(node, 'rem/status')]
        if 'clientUpdateProhibited' not in removed or found.leaving:
            self.may(found, 'Update')
        # All or nothing: the new state is computed first and then stored.
        nameservers, contacts, statuses = dict(found.nameservers), list(found.contacts), set(found.statuses)
        for part in (each for each in (child(node, 'rem'), child(node, 'add')) if each is not None):
            is_rem = part.tag.endswith('}rem')
            self.change_nameservers(nameservers, read_nameservers(part), is_rem)
            self.change_contacts(contacts, [(each.get('type'), text_of(each)) for each in children(part, 'contact')] if is_rem
                                 else self.checked_contacts(command, part), is_rem)
        registry.change_statuses(statuses, node)
        if {'admin', 'tech'} - {kind for kind, _ in contacts}:
            raise Refused(2306, 'an admin and a tech contact must stay')
        self.checked_nameservers(found.name, nameservers)
        registrant, auth, changes = found.registrant, found.auth, child(node, 'chg')
        if changes is not None and child(changes, 'registrant') is not None:
            registrant = registry.contacts.own(command.client, text(changes, 'registrant')).id
        if changes is not None and child(changes, 'authInfo') is not None:
            auth = registry.secret(changes)
        ds = found.ds if keys is None else self.changed_ds(found.ds, keys)
        found.nameservers, found.contacts, found.statuses, found.ds = nameservers, contacts, statuses, ds
        found.registrant, found.auth, found.updated, found.updater = registrant, auth, registry.clock.now(), command.client
        return Answer()

    def change_nameservers(self, nameservers: dict, named: dict, is_rem: bool) -> None:
        for host, addresses in named.items():
            if (host in nameservers) != is_rem:
                raise Refused(2303 if is_rem else 2302, f'nameserver {host}')
            if is_rem:
                del nameservers[host]
            else:
                nameservers[host] = addresses

    def change_contacts(self, contacts: list, named: list, is_rem: bool) -> None:
        for each in named:
            if (each in contacts) != is_rem:
                raise Refused(2303 if is_rem else 2302, f'contact {each[1]} as {each[0]}')
            contacts.remove(each) if is_rem else contacts.append(each)

    def changed_ds(self, before: list, keys) -> list:
        rem, add, after = child(keys, 'rem'), child(keys, 'add'), list(before)
        if rem is not None:
            gone = after if child(rem, 'all') is not None else read_ds(rem)
            if any(each not in after for each in gone):
                raise Refused(2303, 'dsData')
            after = [each for each in after if each not in gone]
        for each in [] if add is None else read_ds(add):
            if each in after:
                raise Refused(2302, 'dsData')
            after.append(each)
        return after

    def delete(self, command) -> Answer:
        found = self.own(command)
        self.may(found, 'Delete')
        given_back = [('credit', line['command'], -line['cents']) for line in grace.end_all(self.registry, found)]
        receipt = self.receipt(command, 'delData', given_back)
        if found.name not in self.by_name:
            return Answer(1000, '', receipt)
        grace.redeem(found, self.registry.clock.now())
        return Answer(1001, '', receipt)

    def restore(self, command) -> Answer:
        """RFC 3915 4.2.5: the request, then the report."""
        found, wish = self.own(command), child(command.extensions['rgp'], 'restore')
        if wish.get('op') == 'request':
            if found.leaving != 'redemptionPeriod' or child(wish, 'report') is not None:
                raise Refused(2304 if child(wish, 'report') is None else 2001, found.leaving or 'ok')
            priced = self.price(command, found.name, 'restore', 1)
            self.registry.accounts.charge(command.client, 'restore', found.name, money.total(priced))
            grace.await_report(found, self.registry.clock.now())
            found.restored_years = self.registry.capabilities.restore_years
            state = f'<g:upData xmlns:g="{RGP}"><g:rgpStatus s="pendingRestore"/></g:upData>'
            return Answer(1000, '', state + self.receipt(command, 'updData', priced))
        if found.leaving != 'pendingRestore':
            raise Refused(2304, found.leaving or 'ok')
        if child(wish, 'report') is None:
            raise Refused(2003, 'report')
        found.leaving, found.leaving_until = '', None
        # The years of a restore are added by the report.
        found.expires, found.restored_years = later_by_years(found.expires, found.restored_years), 0
        return Answer()
