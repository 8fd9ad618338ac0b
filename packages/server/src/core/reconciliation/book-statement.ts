import { formatMoney, type Money, money, parseMoney } from '@namehold/base';
import { allTenants, type Tx } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import { shownRefund } from '../domains/end/grace-refunds.ts';
import { notifyFormerOwner } from '../domains/end/notify-former-owner.ts';
import { completedPurchases, noteRefundOfPurchase } from '../domains/end/refunds.sql.ts';
import { Refusal } from '../errors.ts';
import { appendEvent } from '../events/append.ts';
import { lifeEvent } from '../events/life-event.ts';
import { endRegistryCharge, postRegistryCost, registryCostOf } from '../ledger/ledger.sql.ts';
import { refund } from '../ledger/refund.ts';
import type { Domain } from '../model/domain.ts';
import { lockDomain, readDomain } from '../tables/domain.sql.ts';
import { type Difference, differenceKey } from './difference.ts';
import { ourName } from './registry.sql.ts';
import { compareRegistryDomain } from './registry.ts';

const amountText = (amount: Money): string => `${formatMoney(amount)} ${amount.currency}`;

/**
 * Books what the registry's statement shows for a domain that has left and that is not in the ledger: a charge becomes a cost of the
 * operator, a refund goes to its payer. The statement is read again, and the transaction checks under the lock that nothing was booked
 * since.
 */
export async function bookStatement(
  ctx: AppContext,
  known: Difference,
  note: (tx: Tx) => Promise<void>,
  isDryRun: boolean,
): Promise<string> {
  const db = ctx.db.as(allTenants);
  const { registry_id: registryId, name, domain_id: domainId } = known;
  const before = await ourName(db, registryId!, name!);
  const found = (await compareRegistryDomain(ctx, registryId!, name!)).find(
    (each) => differenceKey(each) === differenceKey(known),
  );
  if (found?.repair.action !== 'book' || found.amount === null || domainId === null)
    throw new Refusal('conflict', `${name} no longer differs in this way. Run namehold verify.`);
  const difference = parseMoney(found.amount, found.currency!);
  let result = '';
  const domain = await readDomain(db, domainId);
  await ctx.db
    .transaction(allTenants, async (tx) => {
      await lockDomain(tx, domain.reseller_id, domainId);
      const present = await ourName(tx, registryId!, name!);
      if (JSON.stringify(present?.payable) !== JSON.stringify(before?.payable))
        throw new Refusal('conflict', `${name} was booked in the meantime. Run namehold verify.`);
      result =
        difference.amount > 0n
          ? await bookCharge(ctx, tx, domain, difference)
          : await bookRefund(ctx, tx, domain, money(-difference.amount, difference.currency));
      await note(tx);
      if (isDryRun) throw new DryRun();
    })
    .catch((error: unknown) => {
      if (!(error instanceof DryRun)) throw error;
    });
  return result;
}

class DryRun extends Error {}

async function bookCharge(ctx: AppContext, tx: Tx, { name, id: domainId }: Domain, cost: Money): Promise<string> {
  const now = ctx.clock.now();
  const description = `Charged by the registry for ${name}, booked from its statement`;
  await postRegistryCost(tx, now, { domainId, chargedAt: now, action: 'statement', cost, description });
  return `book ${amountText(cost)} that the registry charged for ${name} as a cost of the operator`;
}

/** A charge without a payer is matched first: its refund is the operator's. */
async function bookRefund(ctx: AppContext, tx: Tx, domain: Domain, back: Money): Promise<string> {
  const { registry_id: registryId, name, id: domainId } = domain;
  const charge = await registryCostOf(tx, { registryId, name, cost: back });
  if (charge) {
    await endRegistryCharge(tx, ctx.clock.now(), charge, 'refunded');
    return `book ${amountText(back)} that the registry refunded for ${name}: a cost of the operator ends`;
  }
  for (const { id, cost, years, captured, currency, reseller_id } of (
    await completedPurchases(tx, domainId)
  ).toReversed()) {
    for (let part = 1n; cost !== null && part <= BigInt(years); part += 1n) {
      if (BigInt(cost) * part !== back.amount * BigInt(years)) continue;
      const total = money((BigInt(captured) * part) / BigInt(years), currency);
      const { refunded } = await refund(ctx, tx, { transactionId: id, total });
      await notifyPayer(ctx, tx, domain, { id, reseller_id }, money(refunded, currency));
      return `refund ${amountText(money(refunded, currency))} to reseller ${reseller_id} (transaction ${id}), because the registry refunded ${amountText(back)} for ${domain.name}`;
    }
  }
  throw new Refusal(
    'conflict',
    `No charge or purchase of ${name} has the amount ${amountText(back)}. Find the refund in the registry statement, and credit the payer with a fund.`,
  );
}

/** A refund is stated by an operation, against which reconciliation compares the ledger, and by an event. */
async function notifyPayer(
  ctx: AppContext,
  tx: Tx,
  domain: Domain,
  purchase: { readonly id: string; readonly reseller_id: string },
  total: Money,
): Promise<void> {
  const refunded = shownRefund({ refunded: total.amount, currency: total.currency });
  if (!refunded) return;
  if (purchase.reseller_id !== domain.reseller_id) return notifyFormerOwner(ctx, tx, purchase.id, refunded);
  await noteRefundOfPurchase(tx, { transaction_id: purchase.id, ...refunded });
  const payload = { transaction_id: purchase.id, refunded };
  await appendEvent(ctx, tx, lifeEvent(domain, 'domain.purchase_refunded', payload));
}
