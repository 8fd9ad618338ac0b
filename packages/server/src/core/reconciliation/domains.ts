import type { Database, Tx } from '@namehold/base';
import { bySlice, inSlice, type SliceResult } from '../ledger/slices.ts';
import type { Slice } from '../ledger/verify.sql.ts';
import { domainsOfDeleted } from './deleted.sql.ts';
import { undeleteOwner } from './deleted.ts';
import { type Difference, difference, type Repair } from './difference.ts';
import { domainsAgainstCaptures, nextDomains } from './domains.sql.ts';

const mends: Readonly<Record<string, Repair>> = {
  pending_without_operation: {
    act: 'by_hand',
    words: 'no operation will end this order: look at its last operation and at the registry',
  },
  unpaid_without_order: {
    act: 'by_hand',
    words: 'no order waits for this row: look for its bill in the ledger and in the audit log',
  },
  paid_and_refused: { act: 'refund', words: 'nothing was bought: give the money back' },
  live_unpaid: { act: 'by_hand', words: 'charge the name with a debit note, or find out how it came here' },
  paid_by_another: {
    act: 'by_hand',
    words:
      'a name belongs to whoever paid for it, and nothing here moves one: find out who changed it (audit log, database log), then correct it as the owner of the database',
  },
  customer_of_another: {
    act: 'by_hand',
    words:
      'a name and its customer belong to one reseller: find out who changed it (audit log, database log), then correct it as the owner of the database',
  },
  registered_twice: { act: 'by_hand', words: 'one registration was paid twice: give the later one back with a fund' },
  years_unpaid: {
    act: 'reconcile',
    words: 'compare the name with the registry; then charge the years that nobody paid with a debit note',
  },
  years_overpaid: {
    act: 'reconcile',
    words:
      'more years are paid than the name has: compare it with the registry; where it has them there they are taken over, else renew it there or give them back with a fund',
  },
  adopted_unpaid: {
    act: 'accept',
    words:
      'charge it with a debit note or decide that nobody pays, then mend this with a reason that says which: its term counts as paid from then on',
  },
  privacy_too_long: {
    act: 'by_hand',
    words:
      'find out who changed it (audit log, database log), then correct it as the owner of the database, or charge it with a debit note',
  },
  privacy_too_short: {
    act: 'by_hand',
    words: 'it was paid for: correct it as the owner of the database, or give the rest back with a fund',
  },
  customer_deleted: undeleteOwner,
  contact_deleted: undeleteOwner,
  privacy_unpaid: { act: 'by_hand', words: 'end the privacy protection, or charge it with a debit note' },
};

/** The third book: names against what was paid for them. */
export const compareDomains = (db: Database, from = '0'): AsyncGenerator<SliceResult<Difference>> =>
  bySlice(db, from, nextDomains, readDomains);

export const domainsBetween = (db: Database, slice: Slice): Promise<Difference[]> =>
  inSlice(db, (tx) => readDomains(tx, slice));

async function readDomains(tx: Tx, slice: Slice): Promise<Difference[]> {
  const rows = [...(await domainsAgainstCaptures(tx, slice)), ...(await domainsOfDeleted(tx, slice))];
  return rows.map((row) => difference('domains', row, mends[row.rule]!));
}
