import type { AnswerExtensions, DomainInfData } from '@namehold/epp';
import { dsOfKey } from '../../core/domains/registry/ds-of-key.ts';
import type { DsRecord, RegistryDomain } from '../../core/ports/registry.ts';
import type { KeysysSettings } from './keysys/settings.ts';
import { keysysView } from './keysys/view.ts';
import { fromEppDs } from './translate.ts';

interface Viewer {
  readonly clientId: string;
  readonly keysys: KeysysSettings | undefined;
}

/** A domain as the registry returns it. */
export function domainView({ clientId, keysys }: Viewer, data: DomainInfData, ext: AnswerExtensions): RegistryDomain {
  const shown = viewOf(clientId, data, ext);
  return keysys ? { ...shown, ...keysysView(keysys, shown, ext) } : shown;
}

function viewOf(clientId: string, data: DomainInfData, ext: AnswerExtensions): RegistryDomain {
  const contacts = Object.fromEntries(data.contacts.map((contact) => [contact.type, contact.id]));
  return {
    name: data.name.toLowerCase(),
    sponsor: data.clID,
    isOurs: data.clID === clientId,
    createdAt: data.crDate ?? null,
    updatedAt: data.upDate ?? null,
    expiresAt: data.exDate ?? null,
    transferredAt: data.trDate ?? null,
    statuses: data.statuses.map((status) => status.value),
    ...noteOf(data),
    rgpStatuses: ext.rgp?.statuses.map((status) => status.value) ?? [],
    registrant: data.registrant ?? null,
    contacts,
    nameservers:
      data.ns === undefined
        ? []
        : data.ns.model === 'objects'
          ? data.ns.hosts.map((h) => h.toLowerCase())
          : data.ns.hosts.map((h) => h.name.toLowerCase()),
    ...addressesOf(data),
    hosts: data.hosts,
    ds: dsOf(data.name.toLowerCase(), ext.secDNS),
  };
}

function addressesOf({ ns }: DomainInfData): Pick<RegistryDomain, 'nameserverAddresses'> {
  if (ns?.model !== 'attributes') return {};
  const pairs = ns.hosts.map(({ name, addresses = [] }) => [name.toLowerCase(), addresses.map((each) => each.address)]);
  return { nameserverAddresses: Object.fromEntries(pairs) };
}

const noteLength = 500;

function noteOf({ statuses }: DomainInfData): Pick<RegistryDomain, 'reviewNote'> {
  const note = statuses.find(({ value }) => value === 'pendingCreate')?.text?.trim();
  return note ? { reviewNote: note.slice(0, noteLength) } : {};
}

/** RFC 5910 4: DS records, or the keys from which the registry derives them. */
function dsOf(name: string, secDNS: AnswerExtensions['secDNS']): DsRecord[] {
  if (secDNS?.kind !== 'key') return secDNS?.records.map(fromEppDs) ?? [];
  return secDNS.records.map(({ flags, protocol, alg, pubKey }) =>
    dsOfKey(name, alg, { flags, protocol, pubkey: pubKey }),
  );
}
