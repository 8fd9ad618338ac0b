import { type Reader, sql, type Tx } from '@namehold/base';

export async function hasOpenUpdate(db: Reader, contactId: string, registryId: string): Promise<boolean> {
  const row = await db.maybe(sql`
    select 1 as one from operation
    where contact_id = ${contactId} and registry_id = ${registryId} and kind = 'contact_update'
      and state not in ('done', 'refused', 'cancelled')`);
  return row !== undefined;
}

/** Waits for a concurrent change of the contact. */
export async function presentFingerprint(tx: Tx, contactId: string): Promise<string> {
  const row = await tx.one<{ fingerprint: string }>(
    sql`select fingerprint from contact where id = ${contactId} for share`,
  );
  return row.fingerprint;
}
