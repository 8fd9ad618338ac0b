import { allTenants, formatMoney, type Money, money, parseMoney, type Tx } from '@namehold/base';
import type { AppContext } from '../app-context.ts';
import { completedPurchases } from '../domains/end/refunds.sql.ts';
import { Refusal } from '../errors.ts';
import { endRegistryCharge, postRegistryCost, registryCostOf } from '../ledger/ledger.sql.ts';
import { refund } from '../ledger/refund.ts';
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
  const { reseller_id } = await readDomain(db, domainId);
  await ctx.db
    .transaction(allTenants, async (tx) => {
      await lockDomain(tx, reseller_id, domainId);
      const present = await ourName(tx, registryId!, name!);
      if (JSON.stringify(present?.payable) !== JSON.stringify(before?.payable))
        throw new Refusal('conflict', `${name} was booked in the meantime. Run namehold verify.`);
      const order = { registryId: registryId!, name: name!, domainId };
      result =
        difference.amount > 0n
          ? await bookCharge(ctx, tx, order, difference)
          : await bookRefund(ctx, tx, order, money(-difference.amount, difference.currency));
      await note(tx);
      if (isDryRun) throw new DryRun();
    })
    .catch((error: unknown) => {
      if (!(error instanceof DryRun)) throw error;
    });
  return result;
}

class DryRun extends Error {}

interface Booked {
  readonly registryId: string;
  readonly name: string;
  readonly domainId: string;
}

async function bookCharge(ctx: AppContext, tx: Tx, { name, domainId }: Booked, cost: Money): Promise<string> {
  const now = ctx.clock.now();
  const description = `Charged by the registry for ${name}, booked from its statement`;
  await postRegistryCost(tx, now, { domainId, chargedAt: now, action: 'statement', cost, description });
  return `book ${amountText(cost)} that the registry charged for ${name} as a cost of the operator`;
}

/** A charge without a payer is matched first: its refund is the operator's. */
async function bookRefund(
  ctx: AppContext,
  tx: Tx,
  { registryId, name, domainId }: Booked,
  back: Money,
): Promise<string> {
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
      return `refund ${amountText(money(refunded, currency))} to reseller ${reseller_id} (transaction ${id}), because the registry refunded ${amountText(back)} for ${name}`;
    }
  }
  throw new Refusal(
    'conflict',
    `No charge or purchase of ${name} has the amount ${amountText(back)}. Find the refund in the registry statement, and credit the payer with a fund.`,
  );
}
