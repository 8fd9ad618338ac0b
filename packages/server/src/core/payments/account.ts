import { type Actor, type AppContext, write } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { badField, notFound } from '../errors.ts';
import { notifyAccessChange } from '../notices/notify-recipients.ts';
import type { PaymentProvider } from '../ports/payment-provider.ts';
import { findAccount, listAccounts, type PaymentAccount, putAccount } from './payment.sql.ts';

export const encryptionContextOf = (resellerId: string, provider: string): string =>
  `payment_account:${resellerId}:${provider}`;

export function requireProvider(ctx: AppContext, name: string): PaymentProvider {
  const provider = ctx.providers.get(name);
  if (!provider) throw badField('provider', `Must be one of ${[...ctx.providers.keys()].join(', ')}.`, 'not_found');
  return provider;
}

/** A change of the payment details could redirect payers' money, so the users of the account are notified. */
const paymentDetailsChanged = {
  en: 'The payment details shown to payers were changed',
  id: 'Rincian pembayaran yang ditampilkan kepada pembayar telah diubah',
};

/** The details that a seller's payers see, and the secret with which the provider signs. */
export async function setPaymentAccount(
  ctx: AppContext,
  actor: Actor,
  order: { readonly provider: string; readonly details: string; readonly secret?: string | undefined },
): Promise<PaymentAccount> {
  const { provider, details, secret } = order;
  const known = ctx.providers.get(provider);
  if (!known) throw notFound('provider');
  const { readNotice } = known;
  if (secret !== undefined && !readNotice)
    throw badField('secret', `${provider} does not send notices, so no secret is needed. Leave this field out.`);
  return write(ctx, actor, async (tx) => {
    const before = await findAccount(tx, actor.resellerId, provider);
    const encrypted =
      secret === undefined ? null : ctx.vault.encrypt(secret, encryptionContextOf(actor.resellerId, provider));
    const account = { provider, details, secret_sealed: encrypted, updated_at: ctx.clock.now() };
    await putAccount(tx, actor.resellerId, account);
    await audit(ctx, tx, actor, {
      action: 'payment_account.set',
      objectType: 'payment_account',
      objectId: provider,
      before: before ? { details: before.details } : null,
      after: { details, secret_changed: secret !== undefined },
    });
    if (before?.details !== details || secret !== undefined)
      await notifyAccessChange(ctx, tx, actor, {
        resellerId: actor.resellerId,
        topic: 'payment_details',
        what: paymentDetailsChanged,
        label: provider,
      });
    return { ...account, secret_sealed: encrypted ?? before?.secret_sealed ?? null };
  });
}

export async function paymentAccounts(ctx: AppContext, actor: Actor): Promise<PaymentAccount[]> {
  return listAccounts(ctx.db.as(actor.resellerId), actor.resellerId);
}
