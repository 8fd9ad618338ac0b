import { formatMoney, type Money, MoneyError, parseMoney } from '@namehold/base';
import { shareReseller } from '../accounts/account.sql.ts';
import { type Actor, type AppContext, writeAsService } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { badField, notFound, Refusal } from '../errors.ts';
import { readBalance, updateCreditLimit } from './ledger.sql.ts';

/** How far below zero a parent allows the balance of a direct child to go. */
export async function setCreditLimit(
  ctx: AppContext,
  actor: Actor,
  resellerId: string,
  amount: string,
): Promise<Money> {
  return writeAsService(ctx, actor, async (tx) => {
    const child = await shareReseller(tx, actor.resellerId, resellerId);
    if (!child || child.parent_id !== actor.resellerId) throw notFound('reseller');
    const limit = limitOf(amount, child.selling_currency);
    const before = await readBalance(tx, actor.resellerId, resellerId, limit.currency);
    if (!(await updateCreditLimit(tx, actor.resellerId, resellerId, limit))) {
      throw new Refusal(
        'conflict',
        'The account already owes more than that. Wait for a payment or choose a higher limit.',
      );
    }
    await audit(ctx, tx, actor, {
      action: 'reseller.credit_limit',
      objectType: 'reseller',
      objectId: resellerId,
      before: { credit_limit: formatMoney({ amount: before.creditLimit, currency: limit.currency }) },
      after: { credit_limit: formatMoney(limit), currency: limit.currency },
    });
    return limit;
  });
}

function limitOf(text: string, currency: string): Money {
  try {
    const limit = parseMoney(text, currency);
    if (limit.amount >= 0n) return limit;
  } catch (error) {
    if (!(error instanceof MoneyError)) throw error;
    throw badField('creditLimit', error.message);
  }
  throw badField('creditLimit', 'Must not be negative.');
}
