import { type Reader, sql } from '@namehold/postgres';
import type { Domain } from '../model/domain.ts';
import type { Rule } from './rule.ts';

/** The data of one domain that an edge needs. Read with the scheduler login, because it covers all resellers. */
export type ForwardedRow = Pick<Domain, 'name' | 'state' | 'removed_reason' | 'suspended' | 'unverified' | 'unpaid'> & {
  readonly domain_id: string;
  readonly rules: Rule[];
  readonly certificate_id: string | null;
  /** PEM. */
  readonly chain: string | null;
  readonly key_sealed: string | null;
  /** Time since which the domain has had a valid certificate without a gap. */
  readonly live_since: Date | null;
  /** The policy that `mta-sts.` of the domain serves to senders of mail (RFC 8461). */
  readonly mail_policy?: string | null;
};

// The domain name is read from the domain itself, so a row cannot claim another one.
const columns = sql`f.domain_id, f.rules, f.mail_policy, d.name, d.state, d.removed_reason, d.suspended, d.unverified, d.unpaid,
  c.id as certificate_id, c.chain, c.key_sealed, c.live_since`;
const source = sql`forwarding f join domain d on d.id = f.domain_id left join certificate c on c.domain_id = f.domain_id`;

/** Pages in the order of ids; begin with '0'. */
function forwardedPage(db: Reader, page: { afterId: string; limit: number }): Promise<ForwardedRow[]> {
  return db.many<ForwardedRow>(sql`
    select ${columns} from ${source}
    where f.domain_id > ${page.afterId} order by f.domain_id limit ${page.limit}`);
}

function forwardedByIds(db: Reader, ids: readonly string[]): Promise<ForwardedRow[]> {
  return db.many<ForwardedRow>(sql`
    select ${columns} from ${source} where f.domain_id = any(${ids}::bigint[])`);
}

/** Rows whose last change may have become visible since the cursor was taken, as for zones. */
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

/** Channel and queries that an edge follows. */
export const forwardedFeed = { page: forwardedPage, byIds: forwardedByIds, since: forwardedSince };
