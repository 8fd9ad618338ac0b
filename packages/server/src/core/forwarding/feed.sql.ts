import { type Reader, sql } from '@namehold/base';
import type { Domain } from '../domains/domain.ts';
import type { Rule } from './rule.ts';

/** What an edge needs of one name. All of it is asked as the clockwork: names of every reseller. */
export type ForwardedRow = Pick<Domain, 'name' | 'state' | 'removed_reason' | 'suspended' | 'unverified' | 'unpaid'> & {
  readonly domain_id: string;
  readonly rules: Rule[];
  readonly certificate_id: string | null;
  /** PEM. */
  readonly chain: string | null;
  readonly key_sealed: string | null;
  /** Since when the name has had a certificate without a gap. */
  readonly live_since: Date | null;
  /** What `mta-sts` below the name tells senders of mail (RFC 8461). */
  readonly mail_policy?: string | null;
};

// The name is the domain's own: a row can say nothing about names that are not its domain's.
const columns = sql`f.domain_id, f.rules, f.mail_policy, d.name, d.state, d.removed_reason, d.suspended, d.unverified, d.unpaid,
  c.id as certificate_id, c.chain, c.key_sealed, c.live_since`;
const source = sql`forwarding f join domain d on d.id = f.domain_id left join certificate c on c.domain_id = f.domain_id`;

/** In the order of their ids; begin with '0'. */
function forwardedPage(db: Reader, page: { afterId: string; limit: number }): Promise<ForwardedRow[]> {
  return db.many<ForwardedRow>(sql`
    select ${columns} from ${source}
    where f.domain_id > ${page.afterId} order by f.domain_id limit ${page.limit}`);
}

function forwardedByIds(db: Reader, ids: readonly string[]): Promise<ForwardedRow[]> {
  return db.many<ForwardedRow>(sql`
    select ${columns} from ${source} where f.domain_id = any(${ids}::bigint[])`);
}

/** Whose last change may have become visible since the cursor was taken; as zones are followed. */
async function forwardedSince(
  db: Reader,
  cursor: string,
): Promise<{ readonly cursor: string; readonly rows: ForwardedRow[] }> {
  const rows = await db.many<{ cursor: string } & Partial<ForwardedRow>>(sql`
    select pg_snapshot_xmin(now.snapshot)::text as cursor, ${columns}
    from (select pg_current_snapshot() as snapshot) now
    left join forwarding f on f.changed_xid >= ${cursor}::xid8 and f.changed_xid < pg_snapshot_xmax(now.snapshot)
    left join domain d on d.id = f.domain_id
    left join certificate c on c.domain_id = f.domain_id`);
  const found = rows.filter((row): row is { cursor: string } & ForwardedRow => row.domain_id !== null);
  return { cursor: rows[0]?.cursor ?? cursor, rows: found };
}

/** As edges follow it. */
export const forwardedFeed = { page: forwardedPage, byIds: forwardedByIds, since: forwardedSince };
