import { randomBytes } from 'node:crypto';
import { allTenants } from '@namehold/postgres';
import type { Actor, AppContext } from '../app-context.ts';
import { badField, Refusal } from '../errors.ts';
import type { SignedNotice } from '../ports/payment-provider.ts';
import { encryptionContextOf } from './account.ts';
import { findAccount } from './payment.sql.ts';
import { type PaymentResult, paymentLimits } from './payment.ts';
import { receive } from './receive.ts';
import { recordChargeBack } from './record-charge-back.ts';

/** Used when a seller has no secret: a random value verifies no signature, and takes the same time. */
const decoy = randomBytes(32).toString('hex');

/**
 * Receives a notice of a provider. An unknown provider, a seller without an account there and a wrong signature get the same answer and
 * have no effect. Returns the outcome of each event; a repeated notice finds its events already seen.
 */
export async function takeNotice(
  ctx: AppContext,
  proxy: {
    readonly provider: string;
    readonly resellerId: string;
    readonly address: string;
    readonly requestId: string;
  },
  notice: Pick<SignedNotice, 'body' | 'header'>,
): Promise<{ readonly eventId: string; readonly fate: PaymentResult }[]> {
  const { provider: name, resellerId } = proxy;
  const account = /^\d{1,18}$/.test(resellerId)
    ? await findAccount(ctx.db.as(allTenants), resellerId, name)
    : undefined;
  const encrypted = account?.secret_sealed;
  const secret = encrypted ? ctx.vault.open(encrypted, encryptionContextOf(resellerId, name)) : decoy;
  const read = ctx.providers.get(name)?.readNotice?.({ ...notice, secret, now: ctx.wall.now() });
  if (!read || !encrypted || read.kind === 'forged') throw new Refusal('unauthorized');
  if (read.kind === 'unreadable') throw badField('body', read.why);
  if (read.events.length > paymentLimits.eventsPerNotice)
    throw badField('body', `Must have at most ${paymentLimits.eventsPerNotice} events.`, 'too_many');
  const actor: Actor = {
    resellerId,
    keyId: null,
    address: proxy.address,
    requestId: proxy.requestId,
    scopes: [],
    isOperator: false,
  };
  const handled: { eventId: string; fate: PaymentResult }[] = [];
  for (const { kind, eventId, reference, amount, currency } of read.events) {
    const report = { provider: name, eventId, wanted: { reference }, amount, currency, keepUnmatched: true };
    const receipt = await (kind === 'came' ? receive : recordChargeBack)(ctx, actor, report);
    handled.push({ eventId, fate: receipt.fate });
  }
  return handled;
}
