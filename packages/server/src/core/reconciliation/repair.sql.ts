import { type Reader, sql, type Tx } from '@namehold/postgres';
import { waitsForCode } from '../tables/domain.sql.ts';
import { wasBought } from './purchases.sql.ts';
import { isUnderway } from './registry.sql.ts';

/** A purchase with the state of its operation and whether it was bought, all locked until the transaction ends. */
export async function lockPurchase(
  tx: Tx,
  transactionId: string,
): Promise<{ status: string; state: string | null; was_bought: boolean } | undefined> {
  return tx.maybe(sql`
    select t.status, o.state, coalesce(${wasBought}, false) as was_bought
    from operation o join ledger_transaction t on t.operation_id = o.id and t.id = t.purchase_id left join domain d on d.id = t.domain_id
    where t.id = ${transactionId} for update of o`);
}

/** A domain that was adopted unpaid counts as paid to its end from now on. False if it is not one. */
export async function takeForPaid(tx: Tx, domainId: string): Promise<boolean> {
  const changed = await tx.run(sql`
    update domain set adopted_until = end_date
    where id = ${domainId} and state not in ('removed', 'unpaid') and end_date is not null and adopted_until <= registry_created_at`);
  return changed === 1;
}

export async function lastOwner(
  db: Reader,
  name: string,
): Promise<{ id: string; reseller_id: string; customer_id: string } | undefined> {
  return db.maybe(
    sql`select id, reseller_id, customer_id from domain where name = ${name} and not ${waitsForCode('domain')} order by id desc limit 1`,
  );
}

export async function hasOpenOrder(db: Reader, name: string): Promise<boolean> {
  const row = await db.one<{ is_busy: boolean }>(sql`
    select exists (select from operation o join domain d on d.id = o.domain_id where d.name = ${name} and ${isUnderway}) as is_busy`);
  return row.is_busy;
}

/** The last registration of a domain, if it was abandoned with a create command that was never answered. */
export async function givenUpRegistration(db: Reader, name: string): Promise<string | undefined> {
  const row = await db.maybe<{ id: string }>(sql`
    select o.id from (select id from domain where name = ${name} and not ${waitsForCode('domain')} order by id desc limit 1) d
    join operation o on o.domain_id = d.id and o.kind in ('register', 'transfer') and o.state in ('refused', 'cancelled')
    where exists (select from registry_command c where c.operation_id = o.id and c.step = o.kind and c.found in ('never', 'refused'))
    order by o.id desc limit 1`);
  return row?.id;
}
