import { type Autocommit, sql } from '@namehold/postgres';

interface Purged {
  readonly reseller_id: string | null;
  readonly removed: string;
  readonly cut_number: string | null;
  readonly cut_hash: string | null;
}

export async function purgeSome(alone: Autocommit, what: string, before: Date, limit: number): Promise<Purged[]> {
  return alone.many<Purged>(sql`
    select reseller_id, removed, cut_number, cut_hash from retention_forget(${what}, ${before}, ${limit})`);
}
