import { allTenants } from '@namehold/postgres';
import type { AppContext } from '../app-context.ts';
import { type Difference, differenceKey } from './difference.ts';
import { domainsBetween } from './domains.ts';
import { operationsBetween } from './operations.ts';
import { reconciliationLimits } from './reconcile.ts';
import { compareRegistryDomain, NoAnswer } from './registry.ts';
import { hasOpenOrder } from './repair.sql.ts';

/** Checks one difference again after a repair. Returns the reason if it remains. */
export async function recheckDifference(ctx: AppContext, known: Difference): Promise<string | undefined> {
  // Domains with an open order are not compared: no difference proves nothing.
  if (known.name !== null && (await hasOpenOrder(ctx.db.as(allTenants), known.name)))
    return 'an order for the domain is open; check again when it has ended';
  try {
    return (await found(ctx, known)).find((each) => differenceKey(each) === differenceKey(known))?.detail;
  } catch (error) {
    if (error instanceof NoAnswer) return `the registry does not report: ${error.message}`;
    throw error;
  }
}

async function found(ctx: AppContext, known: Difference): Promise<Difference[]> {
  if (known.source === 'registry') return compareRegistryDomain(ctx, known.registry_id!, known.name!);
  if (known.source === 'domains' && known.domain_id !== null) {
    const id = known.domain_id;
    return domainsBetween(ctx.db, { after: (BigInt(id) - 1n).toString(), upTo: id });
  }
  const id = known.operation_id!;
  // The slice may contain other ids; the comparison of keys leaves them out.
  return operationsBetween(ctx.db, { after: id.slice(0, -1), upTo: id }, reconciliationLimits.settlingToleranceSeconds);
}
