import { sql, type Tx } from '@namehold/base';
import type { Domain } from './domain.ts';

export async function setPrivacy(
  tx: Tx,
  id: string,
  privacy: { readonly enabled: boolean; readonly until: Date | null },
  now: Date,
): Promise<Domain> {
  return tx.one<Domain>(sql`
    update domain set privacy_enabled = ${privacy.enabled}, privacy_until = ${privacy.until}, updated_at = ${now}
    where id = ${id} returning *`);
}
