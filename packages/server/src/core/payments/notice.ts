import { randomBytes } from 'node:crypto';
import { everyTenant } from '@namehold/base';
import { badField, Refusal } from '../errors.ts';
import type { Actor, House } from '../house.ts';
import { sealedFor } from './account.ts';
import { findAccount } from './payment.sql.ts';
import { type Fate, paymentLimits } from './payment.ts';
import type { SignedNotice } from './provider.ts';
import { receive } from './receive.ts';
import { takeBack } from './take-back.ts';

/** Stands in where a seller has no secret: what nobody knows signs nothing, and takes as long. */
const nobodys = randomBytes(32).toString('hex');

/**
 * What a provider sends by itself. An unknown provider, a seller without an account there and a wrong signature have one answer, and no effect.
 * Answers with what became of each event; a second notice of the same finds them already seen.
 */
export async function takeNotice(
  house: House,
  door: {
    readonly provider: string;
    readonly resellerId: string;
    readonly address: string;
    readonly requestId: string;
  },
  notice: Pick<SignedNotice, 'body' | 'header'>,
): Promise<{ readonly eventId: string; readonly fate: Fate }[]> {
  const { provider: name, resellerId } = door;
  const account = /^\d{1,18}$/.test(resellerId)
    ? await findAccount(house.db.as(everyTenant), resellerId, name)
    : undefined;
  const sealed = account?.secret_sealed;
  const secret = sealed ? house.vault.open(sealed, sealedFor(resellerId, name)) : nobodys;
  const read = house.providers.get(name)?.readNotice?.({ ...notice, secret, now: house.wall.now() });
  if (!read || !sealed || read.kind === 'forged') throw new Refusal('unauthorized');
  if (read.kind === 'unreadable') throw badField('body', read.why);
  if (read.events.length > paymentLimits.eventsPerNotice)
    throw badField('body', `Must have at most ${paymentLimits.eventsPerNotice} events.`, 'too_many');
  const actor: Actor = {
    resellerId,
    keyId: null,
    address: door.address,
    requestId: door.requestId,
    scopes: [],
    isOperator: false,
  };
  const told: { eventId: string; fate: Fate }[] = [];
  for (const { kind, eventId, reference, amount, currency } of read.events) {
    const telling = { provider: name, eventId, wanted: { reference }, amount, currency, keepUnmatched: true };
    const receipt = await (kind === 'came' ? receive : takeBack)(house, actor, telling);
    told.push({ eventId, fate: receipt.fate });
  }
  return told;
}
