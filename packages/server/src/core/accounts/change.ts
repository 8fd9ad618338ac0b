import { violatedConstraint } from '@namehold/postgres';
import { type Actor, type AppContext, writeAsService } from '../app-context.ts';
import { badField, notFound } from '../errors.ts';
import { requireScope } from '../keys/require-scope.ts';
import { beforeAndNow, notifyAddressChange } from '../notices/notify-address-change.ts';
import { sameAddress } from '../reference/email.ts';
import { type PartyInput, readParty } from '../reference/party.ts';
import { emailSince, lockReseller, updateReseller } from './account.sql.ts';
import type { Reseller } from './account.ts';
import { auditBoth } from './audit-both.ts';
import { readCurrency, resellerEmailTaken } from './create.ts';

const emailChanged = {
  en: 'The email address of the account was changed',
  id: 'Alamat email akun telah diubah',
};

interface ResellerChange extends PartyInput {
  readonly sellingCurrency: string;
}

/**
 * The own account or a direct child's: the contract has parents maintain their children's addresses. Their customers and domains are not
 * visible to the parent here.
 */
export async function changeReseller(
  ctx: AppContext,
  actor: Actor,
  id: string,
  order: ResellerChange,
): Promise<Reseller> {
  const party = readParty(order);
  const currency = readCurrency(order.sellingCurrency);
  try {
    return await writeAsService(ctx, actor, async (tx) => {
      const before = await lockReseller(tx, actor.resellerId, id);
      if (!before) throw notFound('reseller');
      // Security notices go to this address, and the first owner of an account must confirm it.
      const isRedirected = !sameAddress(party.email, before.email);
      if (isRedirected) requireScope(actor, 'full', 'Changing the email address of an account');
      // Balance, prices and receipts are kept in it, and nothing here converts money.
      if (currency !== before.selling_currency) {
        throw badField('sellingCurrency', `The currency is ${before.selling_currency} and cannot be changed.`, 'fixed');
      }
      const since = await emailSince(tx, id);
      const after = await updateReseller(tx, id, party);
      const change = { action: 'reseller.change', objectType: 'reseller', objectId: id, before, after };
      await auditBoth(ctx, tx, actor, id, change);
      const { email } = before;
      const former = { email, since };
      const notification = { resellerId: id, what: emailChanged, label: beforeAndNow(email, after.email), former };
      if (isRedirected) await notifyAddressChange(ctx, tx, actor, notification);
      return after;
    });
  } catch (error) {
    if (violatedConstraint(error) === 'reseller_email') throw resellerEmailTaken();
    throw error;
  }
}
