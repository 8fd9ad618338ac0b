import { everyTenant } from '@namehold/base';
import type { House } from '../house.ts';
import { type Difference, differenceKey } from './difference.ts';
import { domainsBetween } from './domains.ts';
import { hasOpenOrder } from './mend.sql.ts';
import { operationsBetween } from './operations.ts';
import { lookAtName, Silence } from './registry.ts';
import { booksLimits } from './verify.ts';

/** One difference once more, after something was done about it: what is to be said of it where it is not gone. */
export async function lookAgain(house: House, known: Difference): Promise<string | undefined> {
  // Names with an order under way are not judged: silence about them proves nothing.
  if (known.name !== null && (await hasOpenOrder(house.db.as(everyTenant), known.name)))
    return 'an order for the name is under way, look when it has ended';
  try {
    return (await found(house, known)).find((each) => differenceKey(each) === differenceKey(known))?.detail;
  } catch (error) {
    if (error instanceof Silence) return `the registry does not tell: ${error.message}`;
    throw error;
  }
}

async function found(house: House, known: Difference): Promise<Difference[]> {
  if (known.book === 'registry') return lookAtName(house, known.registry_id!, known.name!);
  if (known.book === 'domains' && known.domain_id !== null) {
    const id = known.domain_id;
    return domainsBetween(house.db, { after: (BigInt(id) - 1n).toString(), upTo: id });
  }
  const id = known.operation_id!;
  // Whatever else begins like it is left out by the key.
  return operationsBetween(house.db, { after: id.slice(0, -1), upTo: id }, booksLimits.settlePatienceSeconds);
}
