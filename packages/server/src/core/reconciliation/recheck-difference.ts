import { allTenants } from '@namehold/base';
import type { AppContext } from '../app-context.ts';
import { type Difference, differenceKey } from './difference.ts';
import { domainsBetween } from './domains.ts';
import { operationsBetween } from './operations.ts';
import { reconciliationLimits } from './reconcile.ts';
import { compareRegistryDomain, NoAnswer } from './registry.ts';
import { hasOpenOrder } from './repair.sql.ts';

/** One difference once more, after something was done about it: what is to be said of it where it is not gone. */
export async function recheckDifference(ctx: AppContext, known: Difference): Promise<string | undefined> {
  // Names with an order under way are not judged: silence about them proves nothing.
  if (known.name !== null && (await hasOpenOrder(ctx.db.as(allTenants), known.name)))
    return 'an order for the name is under way, look when it has ended';
  try {
    return (await found(ctx, known)).find((each) => differenceKey(each) === differenceKey(known))?.detail;
  } catch (error) {
    if (error instanceof NoAnswer) return `the registry does not tell: ${error.message}`;
    throw error;
  }
}

async function found(ctx: AppContext, known: Difference): Promise<Difference[]> {
  if (known.book === 'registry') return compareRegistryDomain(ctx, known.registry_id!, known.name!);
  if (known.book === 'domains' && known.domain_id !== null) {
    const id = known.domain_id;
    return domainsBetween(ctx.db, { after: (BigInt(id) - 1n).toString(), upTo: id });
  }
  const id = known.operation_id!;
  // Whatever else begins like it is left out by the key.
  return operationsBetween(ctx.db, { after: id.slice(0, -1), upTo: id }, reconciliationLimits.settlePatienceSeconds);
}
