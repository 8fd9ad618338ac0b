import { isIPv6 } from 'node:net';
import type {
  DomainContact,
  DsRecord as EppDs,
  FeeTransform,
  IpAddress,
  NameServers,
  PostalInfo,
  SecDnsRecords,
  TldRules,
} from '@namehold/epp';
import type { DomainOrder, DsRecord, HostAddresses, RegistryContact, RegistryFee } from '../../core/ports/registry.ts';

export function ipAddress(address: string): IpAddress {
  return { address, version: isIPv6(address) ? 'v6' : 'v4' };
}

export function nameServers(model: 'objects' | 'attributes', hosts: readonly HostAddresses[]): NameServers {
  if (model === 'objects') return { model, hosts: hosts.map((host) => host.hostname) };
  return { model, hosts: hosts.map((host) => ({ name: host.hostname, addresses: host.addresses.map(ipAddress) })) };
}

export function contactList(contacts: DomainOrder['contacts']): DomainContact[] {
  return (['admin', 'tech', 'billing'] as const).flatMap((type) =>
    contacts[type] ? [{ type, id: contacts[type] }] : [],
  );
}

export function feeTransform(fee: RegistryFee | undefined): { fee: FeeTransform } | undefined {
  return fee ? { fee: { currency: fee.currency, fees: [{ amount: fee.amount }] } } : undefined;
}

/** RFC 5910 4: a registry accepts DS records or keys; the profile defines which. */
export function secDnsRecords(interfaceOf: TldRules['dnssec'], records: readonly DsRecord[]): SecDnsRecords {
  if (interfaceOf !== 'key') return { kind: 'ds', records: records.map(toEppDs) };
  const keys = records.flatMap(({ algorithm, key }) =>
    key ? [{ flags: key.flags, protocol: key.protocol, alg: algorithm, pubKey: key.pubkey }] : [],
  );
  return { kind: 'key', records: keys };
}

function toEppDs(record: DsRecord): EppDs {
  return {
    keyTag: record.keytag,
    alg: record.algorithm,
    digestType: record.digesttype,
    digest: record.digest.toUpperCase(),
  };
}

export function fromEppDs(record: EppDs): DsRecord {
  return {
    keytag: record.keyTag,
    algorithm: record.alg,
    digesttype: record.digestType,
    digest: record.digest.toUpperCase(),
  };
}

/** `int` must be ASCII (RFC 5733 2.4); other text is also sent as `loc`, so that the registrant's spelling is kept. */
export function postalInfo(contact: RegistryContact): PostalInfo[] {
  const postal = (type: 'int' | 'loc', spell: (text: string) => string): PostalInfo => ({
    type,
    name: spell(contact.name),
    ...(contact.organisation ? { org: spell(contact.organisation) } : {}),
    addr: {
      street: contact.street.map(spell),
      city: spell(contact.city),
      ...(contact.state ? { sp: spell(contact.state) } : {}),
      ...(contact.postalCode ? { pc: spell(contact.postalCode) } : {}),
      cc: contact.countryCode,
    },
  });
  const whole = [contact.name, contact.organisation ?? '', ...contact.street, contact.city, contact.state ?? ''].join(
    '',
  );
  const isAscii = /^[\x20-\x7e]*$/.test(whole);
  return isAscii ? [postal('int', (text) => text)] : [postal('int', latin), postal('loc', (text) => text)];
}

const special: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  Æ: 'AE',
  ø: 'o',
  Ø: 'O',
  đ: 'd',
  Đ: 'D',
  ł: 'l',
  Ł: 'L',
  þ: 'th',
  Þ: 'Th',
  œ: 'oe',
  Œ: 'OE',
  ı: 'i',
};

/** The nearest ASCII spelling. A letter without one becomes a question mark. */
function latin(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]/gu, (letter) => special[letter] ?? '?');
}
