import { isBelow } from '@namehold/base';
import type { DomainContact, NameServers } from '@namehold/epp';
import { checkAddress } from '../host/address.ts';
import { readHostName } from '../registry/names.ts';
import { refuse } from '../registry/refusal.ts';
import type { SandboxTld } from '../tlds/index.ts';

/** The contacts that a domain of this TLD must, may and must not have. */
export function checkContacts(tld: SandboxTld, registrant: string | null, contacts: readonly DomainContact[]): void {
  const { dataModel, requiredContacts, sentContacts } = tld.rules;
  if (dataModel === 'minimum' || dataModel === 'thin') {
    if (registrant !== null || contacts.length > 0) {
      refuse(2306, `.${tld.tld} keeps no contacts: the command must not name any`);
    }
    return;
  }
  if (registrant === null) refuse(2003, `.${tld.tld} needs a registrant`);
  for (const type of requiredContacts) {
    if (!contacts.some((contact) => contact.type === type)) refuse(2003, `.${tld.tld} needs a contact of type ${type}`);
  }
  const unwanted = contacts.find(({ type }) => sentContacts && !sentContacts.includes(type));
  if (unwanted) refuse(2306, `.${tld.tld} keeps no contact of type ${unwanted.type}`);
  const keys = contacts.map((contact) => `${contact.type} ${contact.id}`);
  if (new Set(keys).size !== keys.length) refuse(2306, 'a contact is named twice');
}

export function checkNameServerNumber(tld: SandboxTld, count: number): void {
  const { minNameServers, maxNameServers } = tld.rules;
  if (count < minNameServers) refuse(2003, `.${tld.tld} needs ${minNameServers} name servers`);
  if (count > maxNameServers) refuse(2306, `.${tld.tld} takes ${maxNameServers} name servers`);
}

/** RFC 5731 1.1: one model per registry. Returns names in their stored form. */
export function readNameServers(tld: SandboxTld, domain: string, ns: NameServers | undefined): NameServers {
  const { hostModel } = tld.rules;
  if (ns === undefined) return { model: hostModel, hosts: [] };
  if (ns.model !== hostModel) refuse(2306, `.${tld.tld} takes name servers as host ${hostModel}`);
  if (ns.model === 'objects') {
    const hosts = ns.hosts.map(readHostName);
    refuseRepeated(hosts);
    return { model: 'objects', hosts };
  }
  const hosts = ns.hosts.map((host) => {
    const name = readHostName(host.name);
    const below = name === domain || isBelow(name, domain);
    if (below && host.addresses.length === 0) refuse(2003, `${name} is inside the domain and needs an address`);
    if (!below && host.addresses.length > 0) refuse(2306, `${name} is outside the domain and takes no address`);
    return { name, addresses: host.addresses.map(checkAddress) };
  });
  refuseRepeated(hosts.map((host) => host.name));
  return { model: 'attributes', hosts };
}

function refuseRepeated(names: readonly string[]): void {
  if (new Set(names).size !== names.length) refuse(2306, 'a name server is named twice');
}
