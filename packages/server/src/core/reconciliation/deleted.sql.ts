import { type Reader, sql } from '@namehold/postgres';
import type { Slice } from '../ledger/verify.sql.ts';
import type { FoundRow } from './difference.ts';

export async function nextResellers(db: Reader, after: string, size: number): Promise<string | undefined> {
  const row = await db.one<{ last: string | null }>(sql`
    select max(id) as last from (select id from reseller where id > ${after} order by id limit ${size}) s`);
  return row.last ?? undefined;
}

/** Deleted resellers that still have customers or children. */
export async function deletedResellersInUse(db: Reader, { after, upTo }: Slice): Promise<FoundRow[]> {
  return db.many<FoundRow>(sql`
    select 'reseller_deleted' as rule, 'reseller ' || r.id as subject,
      'is deleted, and has ' || u.customers || ' customers and ' || u.children || ' resellers below it' as detail
    from reseller r cross join lateral (
      select (select count(*) from customer c where c.reseller_id = r.id and c.deleted_at is null) as customers,
        (select count(*) from reseller b where b.parent_id = r.id and b.deleted_at is null) as children
    ) u
    where r.id > ${after} and r.id <= ${upTo} and r.deleted_at is not null and u.customers + u.children > 0 order by r.id`);
}

/** Domains that are live or ordered, and whose customer or one of whose contacts is deleted. */
export async function domainsOfDeleted(db: Reader, { after, upTo }: Slice): Promise<FoundRow[]> {
  return db.many<FoundRow>(sql`
    select case when c.deleted_at is null then 'contact_deleted' else 'customer_deleted' end as rule, 'domain ' || d.id as subject,
      case when c.deleted_at is null then 'its contact ' || k.id || ' is deleted' else 'its customer ' || c.id || ' is deleted' end as detail,
      d.id as domain_id, d.name, d.registry_id
    from domain d join customer c on c.id = d.customer_id left join lateral (
      select min(k.id) as id from contact k
      where k.id in (d.registrant_contact_id, d.admin_contact_id, d.tech_contact_id, d.billing_contact_id) and k.deleted_at is not null
    ) k on true
    where d.id > ${after} and d.id <= ${upTo} and d.state <> 'removed' and (c.deleted_at is not null or k.id is not null) order by d.id`);
}

export async function nextLedgerAccounts(db: Reader, after: string, size: number): Promise<string | undefined> {
  const row = await db.one<{ last: string | null }>(sql`
    select max(id) as last from (select id from ledger_account where id > ${after} order by id limit ${size}) s`);
  return row.last ?? undefined;
}

/** Balances of deleted customers and resellers that are not zero. */
export async function moneyOfDeleted(db: Reader, { after, upTo }: Slice): Promise<FoundRow[]> {
  return db.many<FoundRow>(sql`
    select 'deleted_with_money' as rule, 'account ' || a.id as subject,
      case when c.id is null then 'reseller ' || r.id else 'customer ' || c.id || ' of reseller ' || r.id end
        || ' is deleted, and has a balance' || case when a.kind = 'held' then ' held for orders' else '' end as detail,
      a.balance::text as amount, a.currency
    from ledger_account a join reseller r on r.id = a.reseller_id left join customer c on c.id = a.customer_id
    where a.id > ${after} and a.id <= ${upTo} and a.kind in ('available', 'held', 'customer') and a.balance <> 0
      and case when c.id is null then r.deleted_at is not null else c.deleted_at is not null end
    order by a.id`);
}
