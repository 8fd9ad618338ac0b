import { audit } from '../audit/audit.ts';
import { badField, notFound } from '../errors.ts';
import { type Actor, type House, write } from '../house.ts';
import { tellOfAccess } from '../notices/tell.ts';
import { findAccount, listAccounts, type PaymentAccount, putAccount } from './payment.sql.ts';
import type { PaymentProvider } from './provider.ts';

export const sealedFor = (resellerId: string, provider: string): string => `payment_account:${resellerId}:${provider}`;

export function requireProvider(house: House, name: string): PaymentProvider {
  const provider = house.providers.get(name);
  if (!provider) throw badField('provider', `Must be one of ${[...house.providers.keys()].join(', ')}.`, 'not_found');
  return provider;
}

/** Whoever changes where payers send their money could have it. */
const paymentDetailsChanged = {
  en: 'The payment details shown to payers were changed',
  id: 'Rincian pembayaran yang ditampilkan kepada pembayar telah diubah',
};

/** What a seller's payers are shown, and what the provider signs with. */
export async function setPaymentAccount(
  house: House,
  actor: Actor,
  order: { readonly provider: string; readonly details: string; readonly secret?: string | undefined },
): Promise<PaymentAccount> {
  const { provider, details, secret } = order;
  const known = house.providers.get(provider);
  if (!known) throw notFound('provider');
  const { readNotice } = known;
  if (secret !== undefined && !readNotice)
    throw badField('secret', `${provider} does not send notices, so no secret is needed. Leave this field out.`);
  return write(house, actor, async (tx) => {
    const before = await findAccount(tx, actor.resellerId, provider);
    const sealed = secret === undefined ? null : house.vault.seal(secret, sealedFor(actor.resellerId, provider));
    const account = { provider, details, secret_sealed: sealed, updated_at: house.clock.now() };
    await putAccount(tx, actor.resellerId, account);
    await audit(house, tx, actor, {
      action: 'payment_account.set',
      objectType: 'payment_account',
      objectId: provider,
      before: before ? { details: before.details } : null,
      after: { details, secret_changed: secret !== undefined },
    });
    if (before?.details !== details || secret !== undefined)
      await tellOfAccess(house, tx, actor, {
        resellerId: actor.resellerId,
        what: paymentDetailsChanged,
        label: provider,
      });
    return { ...account, secret_sealed: sealed ?? before?.secret_sealed ?? null };
  });
}

export async function paymentAccounts(house: House, actor: Actor): Promise<PaymentAccount[]> {
  return listAccounts(house.db.as(actor.resellerId), actor.resellerId);
}
