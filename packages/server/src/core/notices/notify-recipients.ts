import { isIP } from 'node:net';
import type { Tx } from '@namehold/postgres';
import { type Actor, type AppContext, actingId } from '../app-context.ts';
import { dayText, type FactValue, type Language } from './kinds.ts';
import { type NewNotice, type NoticeContent, notify } from './notify.ts';
import { findOwner, findRegistrant, type HeldNameRow } from './recipient.sql.ts';
import type { RecipientRow } from './recipient.ts';
import { repeatsNote, type SecurityTopic } from './security-topics.ts';

/** Notifies the registrant of a domain, in the transaction of the change. Without a registrant no mail is sent. */
export async function notifyRegistrant(
  ctx: AppContext,
  tx: Tx,
  domain: HeldNameRow,
  notice: NoticeContent & Pick<NewNotice, 'promised'>,
): Promise<string | undefined> {
  const { reseller_id: resellerId, registrant_contact_id: contactId } = domain;
  const to = contactId === null ? undefined : await findRegistrant(tx, resellerId, contactId);
  if (!to) return undefined;
  const facts = { ...notice.facts, domain: domain.name };
  return notify(ctx, tx, { ...notice, facts, resellerId, to, domainId: domain.id } as NewNotice);
}

/** Notifies the account itself. */
export async function notifyOwner(
  ctx: AppContext,
  tx: Tx,
  resellerId: string,
  notice: NoticeContent & Pick<NewNotice, 'domainId' | 'purpose' | 'foldKey'>,
): Promise<string | undefined> {
  const to = await findOwner(tx, resellerId);
  return to && notify(ctx, tx, { ...notice, resellerId, to } as NewNotice);
}

/** Notifies an account that a sign-in method or key was made, changed or removed, with the IP address and time. */
export async function notifyAccessChange(
  ctx: AppContext,
  tx: Tx,
  actor: Actor,
  change: {
    readonly resellerId: string;
    readonly topic: SecurityTopic;
    readonly what: FactValue;
    readonly label: FactValue | null;
    /** Names the change: if the same caller repeats it within a day, no other mail is sent. */
    readonly repeats?: string;
  },
): Promise<void> {
  const { what, label, topic: purpose, repeats } = change;
  const note = repeats === undefined ? null : repeatsNote;
  const facts = { what, label, at: minuteText(ctx.wall.now()), address: addressOf(actor), note };
  const foldKey = repeats === undefined ? undefined : `${repeats} ${actingId(actor) ?? ''} ${actor.address}`;
  await notifyOwner(ctx, tx, change.resellerId, { kind: 'account_security', facts, purpose, foldKey });
}

/** Background jobs have no IP address, so the mail names none. */
const addressOf = ({ address }: Actor): string | null => (isIP(address) === 0 ? null : address);

/** Notifies a user of the actor's account. */
export async function notifyUser(
  ctx: AppContext,
  tx: Tx,
  actor: Actor,
  notice: { readonly to: Signer; readonly what: FactValue; readonly label: string | null },
): Promise<void> {
  const { to, what, label } = notice;
  const facts = { what, label, at: minuteText(ctx.wall.now()), address: addressOf(actor) };
  const { resellerId } = actor;
  await notify(ctx, tx, { kind: 'account_security', facts, resellerId, to: signerOf(to), purpose: 'users' });
}

/** The user. */
interface Signer {
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

/** A moment in each language, to the minute. */
export const minuteText = (at: Date): Readonly<Record<Language, string>> => {
  const time = at.toISOString().slice(11, 16);
  return { en: `${dayText(at, 'en')}, ${time} UTC`, id: `${dayText(at, 'id')} pukul ${time} UTC` };
};
