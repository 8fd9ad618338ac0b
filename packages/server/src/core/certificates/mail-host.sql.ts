import { type Autocommit, type Reader, sql } from '@namehold/postgres';
import type { Domain } from '../model/domain.ts';
import { domainTable } from '../tables/domain.sql.ts';

/** Creates a row for each mail host. Rows of removed hosts stay and are not checked. */
export async function ensureHosts(alone: Autocommit, hosts: readonly string[]): Promise<void> {
  await alone.run(sql`insert into certificate (host) select unnest(${hosts}::text[]) on conflict do nothing`);
}

/** Of these domains the longest one that we sponsor. */
export async function longestOf(db: Reader, names: readonly string[]): Promise<Domain | undefined> {
  return db.maybe<Domain>(sql`
    select ${domainTable.columns} from domain where name = any(${names}::text[]) and state in ('live', 'pending_transfer')
    order by length(name) desc limit 1`);
}

/** The certificate of a mail host and its encrypted key. */
interface HostCertificate {
  readonly id: string;
  readonly chain: string;
  readonly key_sealed: string;
}

export async function hostCertificate(db: Reader, host: string): Promise<HostCertificate | undefined> {
  return db.maybe<HostCertificate>(sql`
    select id, chain, key_sealed from certificate where host = ${host} and id is not null`);
}

/** The certificate that the Postfix of a host presents to senders. */
interface SeenHost {
  readonly host: string;
  readonly isGood: boolean;
  readonly reason: string | null;
  readonly notAfter: Date | null;
}

export async function keepSeen(alone: Autocommit, seen: SeenHost): Promise<void> {
  await alone.run(sql`
    insert into mail_host (host, is_good, reason, not_after) values (${seen.host}, ${seen.isGood}, ${seen.reason}, ${seen.notAfter})
    on conflict (host) do update set seen_at = now(), is_good = excluded.is_good, reason = excluded.reason, not_after = excluded.not_after`);
}
