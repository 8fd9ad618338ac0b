import { type Reader, sql } from '@namehold/postgres';
import { type MailDomainRow, routesOf } from './read-routes.ts';
import type { RoutedDomainRow } from './routes.ts';

// Name and customer are read from the domain itself. Consents of target owners belong to that customer.
const columns = sql`m.domain_id, d.name, d.state, d.removed_reason, d.suspended, d.unverified, d.unpaid,
  (select coalesce(jsonb_agg(jsonb_build_object('local_part', f.local_part, 'targets', f.targets, 'action', f.action, 'spam', f.spam,
    'enabled', f.enabled) order by f.local_part), '[]') from mail_forward f where f.domain_id = m.domain_id) as forwards,
  (select coalesce(jsonb_object_agg(t.address, t.state), '{}') from mail_target t where t.customer_id = d.customer_id
    and t.address in (select unnest(f.targets) from mail_forward f where f.domain_id = m.domain_id)) as targets`;

/** Channel and queries that mail hosts follow. */
export const mailFeed = {
  async page(db: Reader, page: { readonly afterId: string; readonly limit: number }): Promise<RoutedDomainRow[]> {
    const rows = await db.many<MailDomainRow>(sql`
      select ${columns} from mail_domain m join domain d on d.id = m.domain_id
      where m.domain_id > ${page.afterId} order by m.domain_id limit ${page.limit}`);
    return rows.map(routesOf);
  },

  async byIds(db: Reader, ids: readonly string[]): Promise<RoutedDomainRow[]> {
    const rows = await db.many<MailDomainRow>(sql`
      select ${columns} from mail_domain m join domain d on d.id = m.domain_id where m.domain_id = any(${ids}::bigint[])`);
    return rows.map(routesOf);
  },

  async since(db: Reader, cursor: string): Promise<{ readonly cursor: string; readonly rows: RoutedDomainRow[] }> {
    const rows = await db.many<{ cursor: string } & Partial<MailDomainRow>>(sql`
      select pg_snapshot_xmin(now.snapshot)::text as cursor, ${columns}
      from (select pg_current_snapshot() as snapshot) now
      left join mail_domain m on m.changed_xid >= ${cursor}::xid8 and m.changed_xid < pg_snapshot_xmax(now.snapshot)
      left join domain d on d.id = m.domain_id`);
    const found = rows.filter((row): row is { cursor: string } & MailDomainRow => row.domain_id !== null);
    return { cursor: rows[0]?.cursor ?? cursor, rows: found.map(routesOf) };
  },
};
