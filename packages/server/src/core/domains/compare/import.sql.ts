import { type Reader, sql, type Tx } from '@namehold/postgres';
import type { Domain } from '../../model/domain.ts';
import { holdsName } from '../../tables/domain.sql.ts';

/** Contacts of this reseller by the handles that the registry shows, without deleted ones. */
export async function contactsByHandle(
  db: Reader,
  resellerId: string,
  registryId: string,
  handles: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.many<{ handle: string; contact_id: string }>(sql`
    select r.handle, r.contact_id from registry_contact r join contact k on k.id = r.contact_id and k.deleted_at is null
    where r.registry_id = ${registryId} and r.reseller_id = ${resellerId} and r.handle = any (${handles}::text[])`);
  return new Map(rows.map((row) => [row.handle, row.contact_id]));
}

export async function isCustomerOf(db: Reader, resellerId: string, customerId: string): Promise<boolean> {
  const row = await db.maybe(sql`
    select id from customer where id = ${customerId} and reseller_id = ${resellerId} and deleted_at is null`);
  return row !== undefined;
}

export async function setFlags(
  tx: Tx,
  domainId: string,
  flags: Pick<Domain, 'locked' | 'suspended' | 'theft_protection'>,
): Promise<void> {
  await tx.run(sql`
    update domain set locked = ${flags.locked}, suspended = ${flags.suspended}, theft_protection = ${flags.theft_protection} where id = ${domainId}`);
}

/** The term until this date was paid outside this service, so it has no ledger entries. */
export async function setAdopted(tx: Tx, domainId: string, until: Date): Promise<void> {
  await tx.run(sql`update domain set adopted_until = ${until} where id = ${domainId}`);
}

export async function findLiveName(db: Reader, name: string): Promise<{ id: string; reseller_id: string } | undefined> {
  return db.maybe(sql`select id, reseller_id from domain where name = ${name} and ${holdsName('domain')}`);
}

export interface PaidBefore {
  readonly transaction_id: string;
  readonly operation_id: string | null;
  readonly reseller_id: string;
  readonly amount: string;
  readonly currency: string;
}

/** A registration of this domain that was paid here and not refunded. The creation day identifies this registration, not an earlier one. */
export async function paidBefore(db: Reader, name: string, createdAt: Date | null): Promise<PaidBefore | undefined> {
  return db.maybe<PaidBefore>(sql`
    select t.id as transaction_id, t.operation_id, t.reseller_id, t.captured - t.refunded as amount, t.currency
    from domain d join ledger_transaction t on t.domain_id = d.id and t.id = t.purchase_id
    where d.name = ${name} and t.action in ('create', 'transfer') and t.status = 'completed'
      and (d.registry_created_at is null or ${createdAt}::timestamptz is null
        or abs(extract(epoch from d.registry_created_at - ${createdAt}::timestamptz)) < 86400)
    order by t.id desc limit 1`);
}
