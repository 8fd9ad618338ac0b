import { isIP } from 'node:net';
import type { Tx } from '@namehold/base';
import type { Actor, House } from '../house.ts';
import { findHolder, findOwner, type HeldNameRow } from './holder.sql.ts';
import type { FactValue, Language } from './kinds.ts';
import { type NewNotice, notify, type RecipientRow, type Told } from './notify.ts';

/** Tells the registrant of a name, in the transaction of what is told. A name without one has nobody who could be told. */
export async function tellHolder(house: House, tx: Tx, domain: HeldNameRow, told: Told): Promise<string | undefined> {
  const { reseller_id: resellerId, registrant_contact_id: contactId } = domain;
  const to = contactId === null ? undefined : await findHolder(tx, resellerId, contactId);
  if (!to) return undefined;
  const facts = { ...told.facts, domain: domain.name };
  return notify(house, tx, { ...told, facts, resellerId, to, domainId: domain.id } as NewNotice);
}

/** Tells the account itself. */
export async function tellOwner(
  house: House,
  tx: Tx,
  resellerId: string,
  told: Told & { readonly domainId?: string },
): Promise<string | undefined> {
  const to = await findOwner(tx, resellerId);
  return to && notify(house, tx, { ...told, resellerId, to } as NewNotice);
}

/** Tells an account that a way into it was made, changed or closed, from where and when. */
export async function tellOfAccess(
  house: House,
  tx: Tx,
  actor: Actor,
  change: { readonly resellerId: string; readonly what: FactValue; readonly label: string | null },
): Promise<void> {
  const { what, label } = change;
  const facts = { what, label, at: minuteText(house.wall.now()), address: addressOf(actor) };
  await tellOwner(house, tx, change.resellerId, { kind: 'account_security', facts });
}

/** Background jobs have no IP address, so the mail names none. */
const addressOf = ({ address }: Actor): string | null => (isIP(address) === 0 ? null : address);

/** Tells somebody who signs in to the actor's account. */
export async function tellPerson(
  house: House,
  tx: Tx,
  actor: Actor,
  told: { readonly to: Signer; readonly what: FactValue; readonly label: string | null },
): Promise<void> {
  const { to, what, label } = told;
  const facts = { what, label, at: minuteText(house.wall.now()), address: addressOf(actor) };
  const { resellerId } = actor;
  await notify(house, tx, { kind: 'account_security', facts, resellerId, to: signerOf(to) });
}

/** Who signs in. */
export interface Signer {
  readonly name: string;
  readonly email: string;
  readonly language: Language;
}

export const signerOf = ({ name, email, language }: Signer): RecipientRow => ({
  name,
  email,
  language,
  country_code: '',
});

/** The same in every language: a moment, to the minute. */
export const minuteText = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
