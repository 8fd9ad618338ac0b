import { EppReadError } from '../../errors.ts';
import type { Disclose, Phone, PostalAddress, PostalInfo, PostalInfoChange, PostalType } from '../../model/contact.ts';
import { attribute, boolean, child, children, compact, need, neededToken, normalized, token } from '../../xml/read.ts';
import { element, type XmlElement } from '../../xml/tree.ts';
import { textElement } from '../parts.ts';

export function writePostal(ns: string, postal: readonly PostalInfoChange[] | undefined): XmlElement[] {
  return (postal ?? []).map((info) =>
    element(
      ns,
      'postalInfo',
      { type: info.type },
      textElement(ns, 'name', info.name),
      textElement(ns, 'org', info.org),
      writeAddress(ns, info.addr),
    ),
  );
}

function writeAddress(ns: string, addr: PostalAddress | undefined): XmlElement | undefined {
  if (addr === undefined) return undefined;
  return element(
    ns,
    'addr',
    undefined,
    addr.street.map((line) => element(ns, 'street', undefined, line)),
    textElement(ns, 'city', addr.city),
    textElement(ns, 'sp', addr.sp),
    textElement(ns, 'pc', addr.pc),
    textElement(ns, 'cc', addr.cc),
  );
}

export function readPostal(parent: XmlElement, ns: string): PostalInfo[] {
  return children(parent, ns, 'postalInfo').map((el) => {
    const addr = readAddress(need(el, ns, 'addr'), ns);
    const name = normalized(need(el, ns, 'name'));
    return compact<PostalInfo>({ type: postalType(el), name, org: optionalLine(el, ns, 'org'), addr });
  });
}

export function readPostalChanges(parent: XmlElement, ns: string): PostalInfoChange[] {
  return children(parent, ns, 'postalInfo').map((el) => {
    const addr = child(el, ns, 'addr');
    return compact<PostalInfoChange>({
      type: postalType(el),
      name: optionalLine(el, ns, 'name'),
      org: optionalLine(el, ns, 'org'),
      addr: addr === undefined ? undefined : readAddress(addr, ns),
    });
  });
}

function readAddress(el: XmlElement, ns: string): PostalAddress {
  const pc = child(el, ns, 'pc');
  return compact<PostalAddress>({
    street: children(el, ns, 'street').map(normalized),
    city: normalized(need(el, ns, 'city')),
    sp: optionalLine(el, ns, 'sp'),
    pc: pc === undefined ? undefined : token(pc),
    cc: neededToken(el, ns, 'cc'),
  });
}

function optionalLine(parent: XmlElement, ns: string, name: string): string | undefined {
  const el = child(parent, ns, name);
  return el === undefined ? undefined : normalized(el);
}

function postalType(el: XmlElement): PostalType {
  const type = attribute(el, 'type');
  if (type !== 'int' && type !== 'loc') throw new EppReadError('shape', 'type is neither int nor loc', el.name);
  return type;
}

export function writePhone(ns: string, name: 'voice' | 'fax', phone: Phone | undefined): XmlElement | undefined {
  return phone === undefined ? undefined : element(ns, name, { x: phone.extension }, phone.number);
}

export function readPhone(parent: XmlElement, ns: string, name: 'voice' | 'fax'): Phone | undefined {
  const el = child(parent, ns, name);
  return el === undefined ? undefined : compact<Phone>({ number: token(el), extension: attribute(el, 'x') });
}

export function writeDisclose(ns: string, disclose: Disclose | undefined): XmlElement | undefined {
  if (disclose === undefined) return undefined;
  const lines = (name: 'name' | 'org' | 'addr') => (disclose[name] ?? []).map((type) => element(ns, name, { type }));
  return element(
    ns,
    'disclose',
    { flag: disclose.flag ? '1' : '0' },
    lines('name'),
    lines('org'),
    lines('addr'),
    disclose.voice ? element(ns, 'voice') : undefined,
    disclose.fax ? element(ns, 'fax') : undefined,
    disclose.email ? element(ns, 'email') : undefined,
  );
}

export function readDisclose(parent: XmlElement, ns: string): Disclose | undefined {
  const el = child(parent, ns, 'disclose');
  if (el === undefined) return undefined;
  const lines = (name: 'name' | 'org' | 'addr') => {
    const found = children(el, ns, name).map(postalType);
    return found.length === 0 ? undefined : found;
  };
  const named = (name: string) => (child(el, ns, name) === undefined ? undefined : true);
  return compact<Disclose>({
    flag: boolean(el.attrs.flag, 'flag'),
    name: lines('name'),
    org: lines('org'),
    addr: lines('addr'),
    voice: named('voice'),
    fax: named('fax'),
    email: named('email'),
  });
}
