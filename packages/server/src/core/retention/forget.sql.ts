import { type Alone, sql } from '@namehold/base';

interface Forgotten {
  readonly reseller_id: string | null;
  readonly removed: string;
  readonly cut_number: string | null;
  readonly cut_hash: string | null;
}

export async function forgetSome(alone: Alone, what: string, before: Date, limit: number): Promise<Forgotten[]> {
  return alone.many<Forgotten>(sql`
    select reseller_id, removed, cut_number, cut_hash from retention_forget(${what}, ${before}, ${limit})`);
}
