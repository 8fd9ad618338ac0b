import { EppReadError } from '../../errors.ts';
import type { DomainContact, DomainContactType, HostAttribute, NameServers } from '../../model/domain.ts';
import { attribute, child, children, neededToken, token } from '../../xml/read.ts';
import { element, type XmlElement } from '../../xml/tree.ts';
import { readAddresses, textElement, writeAddresses } from '../parts.ts';

export function writeNameServers(ns: string, servers: NameServers | undefined): XmlElement | undefined {
  if (servers === undefined || servers.hosts.length === 0) return undefined;
  if (servers.model === 'objects') {
    return element(
      ns,
      'ns',
      undefined,
      servers.hosts.map((host) => element(ns, 'hostObj', undefined, host)),
    );
  }
  const hosts = servers.hosts.map((host) =>
    element(
      ns,
      'hostAttr',
      undefined,
      textElement(ns, 'hostName', host.name),
      writeAddresses(ns, 'hostAddr', host.addresses),
    ),
  );
  return element(ns, 'ns', undefined, hosts);
}

export function readNameServers(parent: XmlElement, ns: string): NameServers | undefined {
  const el = child(parent, ns, 'ns');
  if (el === undefined) return undefined;
  const attributes = children(el, ns, 'hostAttr');
  if (attributes.length === 0) return { model: 'objects', hosts: children(el, ns, 'hostObj').map(token) };
  const hosts: HostAttribute[] = attributes.map((host) => ({
    name: neededToken(host, ns, 'hostName'),
    addresses: readAddresses(host, ns, 'hostAddr'),
  }));
  return { model: 'attributes', hosts };
}

export function writeContacts(ns: string, contacts: readonly DomainContact[] | undefined): XmlElement[] {
  return (contacts ?? []).map((contact) => element(ns, 'contact', { type: contact.type }, contact.id));
}

const CONTACT_TYPES: readonly string[] = ['admin', 'tech', 'billing'] satisfies DomainContactType[];

export function readContacts(parent: XmlElement, ns: string): DomainContact[] {
  return children(parent, ns, 'contact').map((el) => {
    const type = attribute(el, 'type') ?? 'admin';
    if (!CONTACT_TYPES.includes(type)) throw new EppReadError('shape', 'unknown contact type', 'contact');
    return { type: type as DomainContactType, id: token(el) };
  });
}
