import type { Tx } from '@namehold/postgres';
import {
  findContacts,
  findHosts,
  linkContacts,
  linkHosts,
  requireAllFound,
  unlinkAllHosts,
  unlinkContacts,
} from '../domain/link.sql.ts';
import type { DomainRecord } from '../domain/record.ts';
import type { Parties } from './fields.ts';

const handlesOf = ({ registrant, contacts }: Parties): string[] => [
  ...(registrant === undefined ? [] : [registrant]),
  ...contacts.map(({ id }) => id),
];

/** They must exist when the transfer is ordered. */
export async function requireParties(tx: Tx, parties: Parties | null): Promise<void> {
  if (parties === null) return;
  requireAllFound(await findContacts(tx, handlesOf(parties)), handlesOf(parties), 'contact');
  requireAllFound(await findHosts(tx, parties.hosts), parties.hosts, 'host');
}

/** Sets the contacts and nameservers of a transfer order. Returns the registrant of the domain. */
export async function setParties(tx: Tx, domain: DomainRecord, parties: Parties | null): Promise<string | null> {
  if (parties === null) return domain.registrantId;
  const known = await findContacts(tx, handlesOf(parties));
  const idOf = (handle: string) => known.get(handle)!.id;
  const roles = parties.contacts.map(({ type }) => type);
  await unlinkContacts(
    tx,
    domain.id,
    domain.contacts.filter(({ type }) => roles.includes(type)),
  );
  await linkContacts(
    tx,
    domain.id,
    parties.contacts.map(({ type, id }) => ({ type, contactId: idOf(id) })),
  );
  if (parties.hosts.length > 0) {
    await unlinkAllHosts(tx, domain.id);
    await linkHosts(tx, domain.id, [...(await findHosts(tx, parties.hosts)).values()]);
  }
  return parties.registrant === undefined ? domain.registrantId : idOf(parties.registrant);
}
