"""The schemas of RFC 5730 to 5733, 3915, 5910 and 8748 in a notation of our own, and the validation of frames.

An element is described by `@attribute:pattern` (`@name?:` if it may be absent), then its children as a regular expression
over their names, or after `=` the pattern of its text. `any` is an element of another namespace.
"""

import re
import xml.etree.ElementTree as ET

from results import Refused

IETF = 'urn:ietf:params:xml:ns:'
PREFIXES = {
    IETF + 'epp-1.0': 'epp',
    IETF + 'domain-1.0': 'domain',
    IETF + 'contact-1.0': 'contact',
    IETF + 'secDNS-1.1': 'secDNS',
    IETF + 'rgp-1.0': 'rgp',
    IETF + 'epp:fee-1.0': 'fee',
    IETF + 'epp:secure-authinfo-transfer-1.0': 'secureAuthInfo',
}
URIS = {prefix: uri for uri, prefix in PREFIXES.items()}
LABEL, ID, DATETIME = '.{1,255}', r'\S.{1,14}\S', r'\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?'
CLIENT_STATUS = 'client(Hold|(Delete|Renew|Transfer|Update)Prohibited)'
ANY_STATUS = r'(client|server)\w+|inactive|linked|ok|pending\w+'

SCHEMA = {
    'epp:epp': 'hello|command|(any)',
    'epp:hello': '',
    'epp:command': '(check|create|delete|info|login|logout|poll|renew|transfer|update) extension? clTRID?',
    'epp:clTRID': '= .{3,64}',
    'epp:extension': 'any+',
    'epp:login': 'clID pw newPW? options svcs',
    'epp:clID': f'= {ID}',
    'epp:pw': '= .{6,16}',
    'epp:newPW': '= .{6,16}',
    'epp:options': 'version lang',
    'epp:version': r'= [1-9]+\.[0-9]+',
    'epp:lang': '= [a-zA-Z]{1,8}(-[a-zA-Z0-9]{1,8})*',
    'epp:svcs': 'objURI+ svcExtension?',
    'epp:svcExtension': 'extURI+',
    'epp:objURI': '= .+',
    'epp:extURI': '= .+',
    'epp:logout': '',
    'epp:poll': '@op:req|ack @msgID?:.+',
    'epp:check': 'any',
    'epp:create': 'any',
    'epp:delete': 'any',
    'epp:info': 'any',
    'epp:renew': 'any',
    'epp:update': 'any',
    'epp:transfer': '@op:approve|cancel|query|reject|request any',
    'domain:check': 'name+',
    'domain:name': f'= {LABEL}',
    'domain:create': 'name period? ns? registrant? contact* authInfo',
    'domain:period': '@unit:[ym] = [1-9][0-9]?',
    'domain:ns': 'hostObj+|hostAttr+',
    'domain:hostObj': f'= {LABEL}',
    'domain:hostAttr': 'hostName hostAddr*',
    'domain:hostName': f'= {LABEL}',
    'domain:hostAddr': '@ip?:v[46] = .{3,45}',
    'domain:registrant': f'= {ID}',
    'domain:contact': f'@type:admin|billing|tech = {ID}',
    'domain:authInfo': 'pw|ext',
    'domain:chg/authInfo': 'pw|ext|null',
    'domain:pw': r'@roid?:(\w|_){1,80}-\w{1,8} = .*',
    'domain:ext': 'any',
    'domain:null': '',
    'domain:delete': 'name',
    'domain:info': 'name authInfo?',
    'domain:info/name': f'@hosts?:all|del|none|sub = {LABEL}',
    'domain:renew': 'name curExpDate period?',
    'domain:curExpDate': r'= \d{4}-\d\d-\d\d(Z|[+-]\d\d:\d\d)?',
    'domain:transfer': 'name period? authInfo?',
    'domain:update': 'name add? rem? chg?',
    'domain:add': 'ns? contact* status{0,11}',
    'domain:rem': 'ns? contact* status{0,11}',
    'domain:status': f'@s:{ANY_STATUS} @lang?:.+ = .*',
    'domain:chg': 'registrant? authInfo?',
    'domain:chg/registrant': f'= ({ID})?',
    'contact:check': 'id+',
    'contact:id': f'= {ID}',
    'contact:info': 'id authInfo?',
    'contact:create': 'id postalInfo{1,2} voice? fax? email authInfo disclose?',
    'contact:postalInfo': '@type:loc|int name org? addr',
    'contact:chg/postalInfo': '@type:loc|int name? org? addr?',
    'contact:name': f'= {LABEL}',
    'contact:org': '= .{0,255}',
    'contact:addr': 'street{0,3} city sp? pc? cc',
    'contact:street': '= .{0,255}',
    'contact:city': f'= {LABEL}',
    'contact:sp': '= .{0,255}',
    'contact:pc': '= .{0,16}',
    'contact:cc': '= [A-Z]{2}',
    'contact:voice': r'@x?:.* = (\+[0-9]{1,3}\.[0-9]{1,14})?',
    'contact:fax': r'@x?:.* = (\+[0-9]{1,3}\.[0-9]{1,14})?',
    'contact:email': '= [^@]+@[^@]+',
    'contact:chg/email': '= ([^@]+@[^@]+)?',
    'contact:authInfo': 'pw|ext',
    'contact:pw': '@roid?:.+ = .*',
    'contact:disclose': '@flag:0|1|true|false name{0,2} org{0,2} addr{0,2} voice? fax? email?',
    'contact:disclose/name': '@type:loc|int',
    'contact:disclose/org': '@type:loc|int',
    'contact:disclose/addr': '@type:loc|int',
    'contact:disclose/voice': '',
    'contact:disclose/fax': '',
    'contact:disclose/email': '',
    'contact:delete': 'id',
    'contact:transfer': 'id authInfo?',
    'contact:update': 'id add? rem? chg?',
    'contact:add': 'status{1,7}',
    'contact:rem': 'status{1,7}',
    'contact:status': f'@s:{ANY_STATUS} @lang?:.+ = .*',
    'contact:chg': 'postalInfo{0,2} voice? fax? email? authInfo? disclose?',
    'secDNS:create': 'maxSigLife? (dsData+|keyData+)',
    'secDNS:update': '@urgent?:0|1|true|false rem? add? chg?',
    'secDNS:rem': 'all|dsData+|keyData+',
    'secDNS:add': 'maxSigLife? (dsData+|keyData+)',
    'secDNS:chg': 'maxSigLife?',
    'secDNS:all': '= 1|true|0|false',
    'secDNS:maxSigLife': r'= \d+',
    'secDNS:dsData': 'keyTag alg digestType digest keyData?',
    'secDNS:keyData': 'flags protocol alg pubKey',
    'secDNS:keyTag': r'= \d{1,5}',
    'secDNS:alg': r'= \d{1,3}',
    'secDNS:digestType': r'= \d{1,3}',
    'secDNS:digest': '= ([0-9A-Fa-f]{2})+',
    'secDNS:flags': r'= \d{1,5}',
    'secDNS:protocol': r'= \d{1,3}',
    'secDNS:pubKey': r'= [A-Za-z0-9+/= ]+',
    'rgp:update': 'restore',
    'rgp:restore': '@op:request|report report?',
    'rgp:report': 'preData postData delTime resTime resReason statement{1,2} other?',
    'rgp:preData': '= .*',
    'rgp:postData': '= .*',
    'rgp:delTime': f'= {DATETIME}',
    'rgp:resTime': f'= {DATETIME}',
    'rgp:resReason': '@lang?:.+ = .*',
    'rgp:statement': '@lang?:.+ = .*',
    'rgp:other': '= .*',
    'fee:check': 'currency? command+',
    'fee:command': r'@name:\w+ @customName?:.+ @phase?:.+ @subphase?:.+ period?',
    'fee:period': '@unit:[ym] = [1-9][0-9]?',
    'fee:currency': '= [A-Z]{3}',
    'fee:fee': r'@description?:.* @lang?:.+ @refundable?:.+ @grace-period?:.+ @applied?:immediate|delayed = \d+(\.\d+)?',
    'fee:credit': r'@description?:.* @lang?:.+ = -\d+(\.\d+)?',
    **{f'fee:{verb}': 'currency? fee+ credit*' for verb in ('create', 'renew', 'transfer', 'update', 'delete')},
}
XSI = '{http://www.w3.org/2001/XMLSchema-instance}'


class Rule:
    def __init__(self, text: str):
        self.attributes = {}
        while text.startswith('@'):
            mark, _, text = text.partition(' ')
            name, _, pattern = mark[1:].partition(':')
            self.attributes[name.rstrip('?')] = (not name.endswith('?'), re.compile(pattern))
        self.text = re.compile(text[2:], re.S) if text.startswith('= ') else None
        model = '' if self.text else text
        self.known = set(re.findall('[A-Za-z]+', model))
        self.children = re.compile(re.sub('[A-Za-z]+', r'(?:\g<0>;)', model).replace(' ', ''))
        # The same without required elements: a frame that matches only this one lacks an element.
        loose = re.sub('[A-Za-z]+', r'(?:\g<0>;)?', model).replace(' ', '')
        self.loose = re.compile(re.sub(r'\?\{\d,(\d+)\}', r'{0,\1}', loose.replace('?+', '*').replace('?*', '*').replace('??', '?')))


RULES = {name: Rule(text) for name, text in SCHEMA.items()}


def split(tag: str) -> tuple:
    """('domain', 'name') of an element; an unknown namespace is its own prefix."""
    uri, _, name = tag[1:].partition('}') if tag.startswith('{') else ('', '', tag)
    return PREFIXES.get(uri, uri), name


def parse(frame: bytes) -> ET.Element:
    if b'<!DOCTYPE' in frame or b'<!ENTITY' in frame:
        raise Refused(2001, 'a document type is not welcome')
    try:
        return ET.fromstring(frame)
    except ET.ParseError as error:
        raise Refused(2001, f'not well-formed: {error}') from None


def check(node: ET.Element, parent: str = '') -> None:
    """Validates an element and its children: 2001 for structure, 2003 for missing elements, 2005 for patterns."""
    prefix, name = split(node.tag)
    rule = RULES.get(f'{prefix}:{parent}/{name}') or RULES.get(f'{prefix}:{name}')
    if rule is None:
        raise Refused(2001, f'{prefix}:{name} is not known')
    given = {key: value for key, value in node.attrib.items() if not key.startswith(XSI)}
    for key, value in given.items():
        if key not in rule.attributes:
            raise Refused(2001, f'{name} has no attribute {key}')
        if not rule.attributes[key][1].fullmatch(value):
            raise Refused(2005, f'{key} of {name}: {value}')
    for key, (required, _) in rule.attributes.items():
        if required and key not in given:
            raise Refused(2003, f'{key} of {name}')
    if rule.text is not None:
        if len(node) and f'{prefix}:{name}' not in ('rgp:preData', 'rgp:postData', 'rgp:other'):
            raise Refused(2001, f'{name} holds text')
        if not rule.text.fullmatch(text_of(node)):
            raise Refused(2005 if text_of(node) else 2003, f'{prefix}:{name}')
        return
    if (node.text or '').strip() or any((child.tail or '').strip() for child in node):
        raise Refused(2001, f'{name} holds no text')
    names = [split(child.tag)[1] if split(child.tag)[0] == prefix else 'any' for child in node]
    unknown = [child for child in names if child not in rule.known]
    if unknown:
        raise Refused(2001, f'{unknown[0]} does not belong into {prefix}:{name}')
    line = ''.join(f'{child};' for child in names)
    if not rule.children.fullmatch(line):
        raise Refused(2003 if rule.loose.fullmatch(line) else 2001, f'{prefix}:{name} holds {" ".join(names) or "nothing"}')
    for child in node:
        if split(child.tag)[0] == prefix or split(child.tag)[0] in URIS:
            check(child, name)


def text_of(node: ET.Element) -> str:
    return (node.text or '').strip()


def child(node, path: str):
    """The first `a/b` below an element, in its own namespace; None if it is absent."""
    uri = node.tag.partition('}')[0] + '}'
    return node.find('/'.join(uri + step for step in path.split('/')))


def children(node, path: str) -> list:
    uri = node.tag.partition('}')[0] + '}'
    return node.findall('/'.join(uri + step for step in path.split('/')))


def text(node, path: str, otherwise: str = '') -> str:
    found = child(node, path)
    return otherwise if found is None else text_of(found)
