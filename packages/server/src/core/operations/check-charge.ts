import { formatMoney, isCurrency, money } from '@namehold/base';
import { allTenants } from '@namehold/postgres';
import { clearQuietAlarm, raiseAlarm } from '../alarms/alarm.ts';
import type { AppContext } from '../app-context.ts';
import { costOfPurchase } from '../ledger/ledger.sql.ts';
import { feeMoney } from '../model/fee-money.ts';
import type { Operation } from '../model/operation.ts';
import type { RegistryFee } from '../ports/registry.ts';

/** Long enough for the operator to see the alarm. */
const quietMs = 7 * 86_400_000;

/**
 * Compares the charge that the registry reports with the expected cost. If they differ, the price list is wrong and affects every
 * further order of the kind: an alarm with both amounts. A correct charge for another domain does not clear the alarm, because only the
 * first correct charge after a week without a difference does.
 */
export async function checkCharge(ctx: AppContext, operation: Operation, charged: RegistryFee): Promise<void> {
  if (operation.transaction_id === null) return;
  const cost = await costOfPurchase(ctx.db.as(allTenants), operation.transaction_id);
  if (!cost) return;
  const expected = money((cost.amount * BigInt(sentYears(operation, cost.years))) / BigInt(cost.years), cost.currency);
  const chargedMoney = isCurrency(charged.currency) ? feeMoney(charged) : undefined;
  const key = `charge:${operation.registry_id}:${cost.tld}:${operation.kind}`;
  if (chargedMoney?.currency === expected.currency && chargedMoney.amount === expected.amount)
    return clearQuietAlarm(ctx, key, quietMs);
  await raiseAlarm(ctx, {
    key,
    severity: 'critical',
    sentence: `registry ${operation.registry_id} charged ${charged.amount} ${charged.currency} for ${cost.name} (${operation.kind}), but the ledger expected ${formatMoney(expected)} ${expected.currency}: unless it is a premium domain, correct the costs of .${cost.tld} with namehold price import`,
    facts: {
      operation_id: operation.id,
      charged,
      expected: { amount: formatMoney(expected), currency: expected.currency },
    },
  });
}

/** Auto-renewed years were charged then, not with this renewal. */
function sentYears(operation: Operation, years: number): number {
  return operation.kind === 'renew' ? (operation.outcome?.sent_years ?? years) : years;
}
