import type { Reader } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import type { ContactParty } from '../model/contact.ts';
import type { Operation, OperationOf } from '../model/operation.ts';
import { findRegistrant, type RegistrantRow } from '../notices/recipient.sql.ts';
import { contactOf } from '../tables/contacts-of.sql.ts';
import { findDomain } from '../tables/domain.sql.ts';
import { namesHeld } from './names-held.ts';
import { registrantFingerprint } from './path.ts';

/** The present registrant, the new one, and the domains. */
export interface Parties {
  readonly former: RegistrantRow;
  /** Set if it exists as a contact. */
  readonly present: Omit<RegistrantRow, 'id'> & { readonly id?: string };
  readonly names: readonly string[];
  /** Number of domains, if more than are listed. */
  readonly count: number;
  /** A domain to which notices and links belong. */
  readonly domainId: string;
}

/** The present parties; undefined if they differ from the request: another registrant, other data, no such domain. */
export async function partiesOf(ctx: AppContext, db: Reader, operation: Operation): Promise<Parties | undefined> {
  if (operation.kind === 'update') return ofName(ctx, db, operation);
  return operation.kind === 'holder_change' ? ofContact(ctx, db, operation) : undefined;
}

async function ofName(ctx: AppContext, db: Reader, operation: OperationOf<'update'>): Promise<Parties | undefined> {
  const { reseller_id: resellerId, domain_id: domainId } = operation;
  const { holder, wanted, name } = operation.request;
  const domain = await findDomain(db, resellerId, domainId);
  const presentId = wanted.contacts?.registrant;
  if (!holder || !presentId || domain?.state !== 'live' || domain.registrant_contact_id !== holder.formerId)
    return undefined;
  const former = await findRegistrant(db, resellerId, holder.formerId);
  const present = await findRegistrant(db, resellerId, presentId);
  if (!former || !present) return undefined;
  if (registrantFingerprint(ctx, former) !== holder.former || registrantFingerprint(ctx, present) !== holder.present)
    return undefined;
  return { former, present, names: [name], count: 1, domainId };
}

async function ofContact(
  ctx: AppContext,
  db: Reader,
  operation: OperationOf<'holder_change'>,
): Promise<Parties | undefined> {
  const { holder, domains, count, domain_id: domainId } = operation.request;
  const former = await contactOf(db, operation.contact_id);
  const party = wantedParty(ctx, operation);
  if (!former || !party || registrantFingerprint(ctx, former) !== holder.former) return undefined;
  // A confirmation for some domains does not cover others.
  const held = await namesHeld(db, operation.reseller_id, operation.contact_id);
  if (held.count !== count || held.names.map((each) => each.name).join() !== domains.join()) return undefined;
  const { name, company, email, country_code } = party;
  return { former, present: { name, company, email, country_code }, names: domains, count, domainId };
}

/** The new data of a contact, stored encrypted until confirmed. */
export function wantedParty(
  ctx: Pick<AppContext, 'vault'>,
  { id, secrets_sealed: encrypted }: Pick<Operation, 'id' | 'secrets_sealed'>,
): ContactParty | undefined {
  if (encrypted === null) return undefined;
  return (JSON.parse(ctx.vault.open(encrypted, `operation:${id}`)) as { readonly party: ContactParty }).party;
}

const namesListed = 10;

export const namesText = ({ names, count }: Pick<Parties, 'names' | 'count'>): string => {
  const first = names.slice(0, namesListed);
  return first.join(', ') + (count > first.length ? `, +${count - first.length}` : '');
};
