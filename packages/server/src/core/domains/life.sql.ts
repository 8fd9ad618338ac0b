import { type Reader, sql, type Tx } from '@namehold/postgres';

/** Never shortens a term that was already paid. */
export async function extendPrivacy(tx: Tx, domainId: string, until: Date): Promise<void> {
  await tx.run(
    sql`update domain set privacy_until = greatest(privacy_until, ${until}), privacy_enabled = true where id = ${domainId}`,
  );
}

/** Does not change the time of the last renewal. */
export async function setEndDate(tx: Tx, domainId: string, endDate: Date | null, now: Date): Promise<void> {
  await tx.run(
    sql`update domain set end_date = ${endDate}, kept_until = null, updated_at = ${now} where id = ${domainId}`,
  );
}

/** Refunded years are removed from the term, and deleted hosts from the nameservers of the domain. */
export async function shortenTerm(
  tx: Tx,
  domainId: string,
  registryDate: Date | null,
  hostsGone: readonly string[],
): Promise<void> {
  await tx.run(sql`delete from child_host where domain_id = ${domainId}`);
  await tx.run(sql`
    update domain set end_date = least(end_date, ${registryDate}::timestamptz),
      nameservers = array(select n from unnest(nameservers) with ordinality as u (n, place) where not n = any (${hostsGone}::text[]) order by place)
    where id = ${domainId}`);
}

export interface HostUser {
  readonly name: string;
  readonly reseller_id: string;
  readonly hostname: string;
}

/** The maximum number of domains in the refusal. */
const usersNamed = 20;

/** Other domains that use nameservers below this one. Most domains have no hosts below them and are not searched further. */
export async function usersOfChildHosts(db: Reader, domainId: string): Promise<HostUser[]> {
  const below = await db.many<{ hostname: string }>(sql`select hostname from child_host where domain_id = ${domainId}`);
  if (below.length === 0) return [];
  const hosts = below.map(({ hostname }) => hostname);
  return db.many<HostUser>(sql`
    select name, reseller_id, hostname from (
      select d.name, d.reseller_id, h.hostname from domain d join unnest(${hosts}::text[]) h (hostname) on h.hostname = any (d.nameservers)
      where d.nameservers && ${hosts}::text[] and d.id <> ${domainId} and d.state not in ('removed', 'unpaid') limit ${usersNamed}
    ) u order by name`);
}
