import type { Database, Tx } from '@namehold/postgres';
import { bySlice, inSlice, type SliceResult } from '../ledger/slices.ts';
import type { Slice } from '../ledger/verify.sql.ts';
import { domainsOfDeleted } from './deleted.sql.ts';
import { undeleteOwner } from './deleted.ts';
import { type Difference, difference, type Repair } from './difference.ts';
import { domainsAgainstCaptures, nextDomains } from './domains.sql.ts';

const repairs: Readonly<Record<string, Repair>> = {
  pending_without_operation: {
    action: 'manual',
    message: 'no operation will end this order: check its last operation and the registry',
  },
  unpaid_without_order: {
    action: 'manual',
    message: 'no order waits for this row: look for its bill in the ledger and in the audit log',
  },
  paid_and_refused: { action: 'refund', message: 'nothing was bought: refund the money' },
  live_unpaid: { action: 'manual', message: 'charge the domain with a debit note, or find out how it came here' },
  paid_by_another: {
    action: 'manual',
    message:
      'a domain belongs to its payer, and no function of the service moves one in this way: find out what changed it (audit log, database log), then correct it as the owner of the database',
  },
  customer_of_another: {
    action: 'manual',
    message:
      'a domain and its customer belong to one reseller: find out what changed it (audit log, database log), then correct it as the owner of the database',
  },
  registered_twice: { action: 'manual', message: 'one registration was paid twice: refund the later one with a fund' },
  years_unpaid: {
    action: 'reconcile',
    message: 'compare the domain with the registry; then charge the unpaid years with a debit note',
  },
  years_overpaid: {
    action: 'reconcile',
    message:
      'more years are paid than the domain has: compare it with the registry; if the registry has them they are taken over, else renew it there or refund them with a fund',
  },
  adopted_unpaid: {
    action: 'accept',
    message:
      'charge it with a debit note or decide to waive it, then repair this with a reason that says which: its term counts as paid from then on',
  },
  privacy_too_long: {
    action: 'manual',
    message:
      'find out what changed it (audit log, database log), then correct it as the owner of the database, or charge it with a debit note',
  },
  privacy_too_short: {
    action: 'manual',
    message: 'it was paid for: correct it as the owner of the database, or refund the rest with a fund',
  },
  customer_deleted: undeleteOwner,
  contact_deleted: undeleteOwner,
  privacy_unpaid: { action: 'manual', message: 'end the privacy protection, or charge it with a debit note' },
};

/** Compares domains with what was paid for them. */
export const compareDomains = (db: Database, from = '0'): AsyncGenerator<SliceResult<Difference>> =>
  bySlice(db, from, nextDomains, readDomains);

export const domainsBetween = (db: Database, slice: Slice): Promise<Difference[]> =>
  inSlice(db, (tx) => readDomains(tx, slice));

async function readDomains(tx: Tx, slice: Slice): Promise<Difference[]> {
  const rows = [...(await domainsAgainstCaptures(tx, slice)), ...(await domainsOfDeleted(tx, slice))];
  return rows.map((row) => difference('domains', row, repairs[row.rule]!));
}
