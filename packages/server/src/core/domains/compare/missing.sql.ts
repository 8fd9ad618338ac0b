import { type Reader, sql, type Tx } from '@namehold/postgres';
import type { Domain, DomainState } from '../../model/domain.ts';
import { undeleteContactsOf } from '../../tables/contact.sql.ts';
import { domainTable, holdsName } from '../../tables/domain.sql.ts';

/** Keeps the time of the first notice. */
export async function noteMissing(tx: Tx, id: string, now: Date): Promise<void> {
  await tx.run(sql`
    update domain set missing_since = coalesce(missing_since, ${now}), synced_at = ${now} where id = ${id} and state not in ('removed', 'unpaid')`);
}

/** Domains that disappeared without a reason in the recent past and were not queried today. */
export async function missingDomains(
  db: Reader,
  times: { readonly removedSince: Date; readonly queriedBefore: Date },
  limit: number,
): Promise<Domain[]> {
  return db.many<Domain>(sql`
    select ${domainTable.of('d')} from domain d
    where d.state = 'removed' and d.missing_since is not null and d.removed_at > ${times.removedSince} and d.synced_at < ${times.queriedBefore}
      and not exists (select from domain o where o.name = d.name and ${holdsName('o')})
    order by d.synced_at limit ${limit}`);
}

export async function noteQueried(tx: Tx, id: string, now: Date): Promise<void> {
  await tx.run(sql`update domain set synced_at = ${now} where id = ${id}`);
}

/**
 * Makes the domain active again as it was, and restores its contacts that were deleted since. False if the domain name was taken
 * meanwhile; throws if its customer is deleted.
 */
export async function bringBack(tx: Tx, id: string, state: DomainState, now: Date): Promise<boolean> {
  const free = await tx.maybe(sql`
    select d.id from domain d
    where d.id = ${id} and d.state = 'removed' and not exists (select from domain o where o.name = d.name and ${holdsName('o')})
    for no key update`);
  if (!free) return false;
  await undeleteContactsOf(tx, id);
  await tx.run(sql`
    update domain set state = ${state}, removed_reason = null, removed_at = null, missing_since = null, updated_at = ${now} where id = ${id}`);
  return true;
}
