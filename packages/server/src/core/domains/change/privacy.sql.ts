import { type Reader, sql, type Tx } from '@namehold/postgres';
import type { Domain } from '../../model/domain.ts';
import { domainTable } from '../../tables/domain.sql.ts';
import { rulesOfDomain } from '../../tables/tld-registry.sql.ts';

/** Bought and in force: the registry has the private handles. */
export async function setPrivacyBought(tx: Tx, id: string, until: Date, now: Date): Promise<Domain> {
  return tx.one<Domain>(sql`
    update domain set privacy_enabled = true, privacy_sent = true, privacy_until = greatest(privacy_until, ${until}), updated_at = ${now}
    where id = ${id} returning ${domainTable.columns}`);
}

/** The registry hides the registrant, whether or not that is paid for. */
export async function noteHidden(tx: Tx, id: string): Promise<void> {
  await tx.run(sql`update domain set privacy_sent = true where id = ${id} and not privacy_sent`);
}

/** The registry now shows the wanted state. */
export async function markPrivacySent(tx: Tx, id: string, on: boolean): Promise<void> {
  await tx.run(sql`update domain set privacy_enabled = ${on}, privacy_sent = ${on} where id = ${id}`);
}

/**
 * Domains whose registry hides the registrant although that is no longer paid, or shows it although it is paid. After a refusal a domain
 * is left out until the given time; a locked or suspended domain until that flag is removed.
 */
export async function privacyToSend(
  db: Reader,
  times: { readonly now: Date; readonly refusedSince: Date },
  limit: number,
): Promise<(Pick<Domain, 'id' | 'reseller_id'> & { on: boolean })[]> {
  return db.many(sql`
    select d.id, d.reseller_id, d.privacy_enabled and d.privacy_until > ${times.now} as on
    from domain d join tld t on t.name = d.tld
    where (d.privacy_sent or d.privacy_enabled) and d.privacy_sent <> (d.privacy_enabled and coalesce(d.privacy_until > ${times.now}, false))
      and d.state = 'live' and not d.locked and not d.suspended
      and (${rulesOfDomain}->>'privacy_offered')::boolean
      and not exists (select from operation o where o.domain_id = d.id and o.state not in ('done', 'refused', 'cancelled') and o.approval_until is null)
      and not exists (select from operation o where o.domain_id = d.id and o.kind = 'update' and o.request->>'change' = 'privacy'
        and o.state = 'refused' and o.finished_at > ${times.refusedSince})
    order by d.privacy_until limit ${limit}`);
}
