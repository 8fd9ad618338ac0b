"""Contacts (RFC 5733)."""

from dataclasses import dataclass, field
from datetime import datetime

from grammar import URIS, child, children, text, text_of
from results import Answer, Refused, element

CONTACT = URIS['contact']
POSTAL = ('name', 'org')
ADDRESS = ('city', 'sp', 'pc', 'cc')


@dataclass
class Contact:
    id: str
    roid: str
    sponsor: str
    created: datetime
    postal: dict
    voice: str
    fax: str
    email: str
    auth: str
    statuses: set = field(default_factory=set)
    disclose: str = ''
    updated: datetime = None
    updater: str = ''


def read_postal(node) -> dict:
    read = {part: text(node, part) for part in POSTAL if child(node, part) is not None}
    if child(node, 'addr') is not None:
        read |= {part: text(node, f'addr/{part}') for part in ADDRESS if child(node, f'addr/{part}') is not None}
        read['street'] = [text_of(each) for each in children(node, 'addr/street')]
    return read


def show_postal(kind: str, postal: dict) -> str:
    lines = ''.join(element('c:street', street) for street in postal.get('street', []))
    address = [element(f'c:{part}', postal[part]) for part in ADDRESS if part in postal]
    head = ''.join(element(f'c:{part}', postal[part]) for part in POSTAL if part in postal)
    return f'<c:postalInfo type="{kind}">{head}<c:addr>{lines}{"".join(address)}</c:addr></c:postalInfo>'


class Contacts:
    def __init__(self, registry):
        self.registry, self.by_id, self.last = registry, {}, 0

    def find(self, id: str) -> Contact:
        if id not in self.by_id:
            raise Refused(2303, f'contact {id}')
        return self.by_id[id]

    def own(self, client: str, id: str) -> Contact:
        contact = self.find(id)
        if contact.sponsor != client:
            raise Refused(2201, f'contact {id}')
        return contact

    def is_linked(self, id: str) -> bool:
        return any(id == name.registrant or id in [each for _, each in name.contacts] for name in self.registry.domains.by_name.values())

    def check(self, command) -> Answer:
        ids = [text_of(each) for each in children(command.object, 'id')]
        cds = ''.join(f'<c:cd>{element("c:id", id, avail="0" if id in self.by_id else "1")}</c:cd>' for id in ids)
        return Answer(1000, f'<c:chkData xmlns:c="{CONTACT}">{cds}</c:chkData>')

    def create(self, command) -> Answer:
        node, now = command.object, self.registry.clock.now()
        id, kinds = text(node, 'id'), children(node, 'postalInfo')
        if len({each.get('type') for each in kinds}) != len(kinds):
            raise Refused(2306, 'two postal addresses of one type')
        auth = self.registry.secret(node)
        if id in self.by_id:
            raise Refused(2302, f'contact {id}')
        postal = {each.get('type'): read_postal(each) for each in kinds}
        wished = child(node, 'disclose')
        if self.registry.capabilities.assigns_ids:
            id = self.assigned(command.client, postal, text(node, 'email'))
        self.by_id[id] = Contact(id, self.registry.roid('C'), command.client, now, postal, text(node, 'voice'),
                                 text(node, 'fax'), text(node, 'email'), auth, disclose='' if wished is None else wished.get('flag'))
        crdate = self.registry.clock.write('creData.crDate', now)
        return Answer(1000, f'<c:creData xmlns:c="{CONTACT}">{element("c:id", id)}<c:crDate>{crdate}</c:crDate></c:creData>')

    def assigned(self, client: str, postal: dict, email: str) -> str:
        if self.registry.capabilities.shares_ids:
            for each in self.by_id.values():
                if (each.sponsor, each.postal, each.email) == (client, postal, email):
                    return each.id
        self.last += 1
        return f'F-{self.last:06}'

    def info(self, command) -> Answer:
        contact = self.find(text(command.object, 'id'))
        given = child(command.object, 'authInfo/pw')
        if contact.sponsor != command.client and (given is None or text_of(given) != contact.auth):
            raise Refused(2201 if given is None else 2202, f'contact {contact.id}')
        date = self.registry.clock.write
        statuses = sorted(contact.statuses) or ['ok']
        data = element('c:id', contact.id) + element('c:roid', contact.roid)
        data += ''.join(f'<c:status s="{each}"/>' for each in statuses + (['linked'] if self.is_linked(contact.id) else []))
        data += ''.join(show_postal(kind, postal) for kind, postal in sorted(contact.postal.items()))
        data += ''.join(element(f'c:{part}', value) for part, value in (('voice', contact.voice), ('fax', contact.fax), ('email', contact.email)) if value)
        data += element('c:clID', contact.sponsor) + element('c:crID', contact.sponsor) + element('c:crDate', date('infData.crDate', contact.created))
        if contact.updated:
            data += element('c:upID', contact.updater) + element('c:upDate', date('infData.upDate', contact.updated))
        data += f'<c:authInfo>{element("c:pw", contact.auth)}</c:authInfo>'
        return Answer(1000, f'<c:infData xmlns:c="{CONTACT}">{data}</c:infData>')

    def update(self, command) -> Answer:
        node, registry = command.object, self.registry
        contact, changes = self.own(command.client, text(node, 'id')), child(node, 'chg')
        if all(child(node, part) is None for part in ('add', 'rem', 'chg')):
            raise Refused(2003, 'nothing to change')
        auth = None if changes is None or child(changes, 'authInfo') is None else registry.secret(changes)
        registry.change_statuses(contact.statuses, node)
        if changes is not None:
            for each in children(changes, 'postalInfo'):
                contact.postal.setdefault(each.get('type'), {}).update(read_postal(each))
            for part in ('voice', 'fax', 'email'):
                if child(changes, part) is not None:
                    setattr(contact, part, text(changes, part))
            if child(changes, 'disclose') is not None:
                contact.disclose = child(changes, 'disclose').get('flag')
        contact.auth = contact.auth if auth is None else auth
        contact.updated, contact.updater = registry.clock.now(), command.client
        return Answer()

    def delete(self, command) -> Answer:
        contact = self.own(command.client, text(command.object, 'id'))
        if self.is_linked(contact.id):
            raise Refused(2305, f'contact {contact.id} is in use')
        del self.by_id[contact.id]
        return Answer()
