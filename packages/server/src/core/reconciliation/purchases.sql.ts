import { type Reader, sql } from '@namehold/postgres';
import type { Slice } from '../ledger/verify.sql.ts';
import type { FoundRow } from './difference.ts';
import { isDone } from './operations.sql.ts';

/** Of an order `o` for a domain `d`: the journal or the domain shows that it was bought, whatever the state of the order. */
export const wasBought = sql`(
  exists (select from registry_command c where c.operation_id = o.id and c.step = o.kind and ${isDone})
  or (o.kind in ('register', 'transfer') and d.state not in ('pending', 'removed', 'unpaid'))
  or (o.kind = 'buy_privacy' and d.state not in ('removed', 'unpaid') and d.privacy_until is not null))`;

/** docs/guide/balances-and-prices.md: pending while the order is open, completed when it is done, cancelled when it was refused or cancelled. */
export async function purchasesAgainstOperations(db: Reader, { after, upTo }: Slice): Promise<FoundRow[]> {
  return db.many<FoundRow>(sql`
    with purchase as (
      select t.id, t.status, t.amount, t.currency, t.operation_id, t.domain_id, o.state, o.registry_id, coalesce(d.name, o.request ->> 'name') as name,
        case
          when o.id is null then 'purchase_without_operation'
          when t.status = 'pending' and o.state = 'done' then 'held_after_done'
          when t.status in ('pending', 'completed') and o.state in ('refused', 'cancelled') and ${wasBought} then 'refused_though_bought'
          when t.status = 'pending' and o.state in ('refused', 'cancelled') then 'held_after_refusal'
          when t.status = 'completed' and o.state in ('refused', 'cancelled') then 'captured_after_refusal'
          when t.status in ('completed', 'refunded') and o.state not in ('done', 'refused', 'cancelled') then 'captured_while_open'
          when t.status = 'cancelled' and o.state = 'done' then 'released_after_done'
          when t.status = 'cancelled' and o.state not in ('done', 'refused', 'cancelled') then 'released_while_open'
        end as rule
      from ledger_transaction t left join operation o on o.id = t.operation_id left join domain d on d.id = t.domain_id
      where t.id > ${after} and t.id <= ${upTo} and t.id = t.purchase_id and t.type in ('domain', 'privacy_protect') and t.customer_id is null
    )
    select rule, 'transaction ' || id as subject, 'the money is ' || status || ', its operation is ' || coalesce(state, 'missing') as detail,
      id as transaction_id, operation_id, domain_id, registry_id, name, amount, currency
    from purchase where rule is not null order by id`);
}

/** docs/guide/customer-billing.md: a waiting order has an open bill, and an open bill has an order that waits or has run. */
export async function billsAgainstOrders(db: Reader, { after, upTo }: Slice): Promise<FoundRow[]> {
  return db.many<FoundRow>(sql`
    with bill as (
      select t.id, t.status, t.amount, t.currency, t.operation_id, t.domain_id, d.name, w.transaction_id is not null as is_waiting, o.id as ran,
        case
          when w.transaction_id is not null and (t.status <> 'unpaid' or t.operation_id is not null) then 'waits_though_run'
          when w.transaction_id is null and t.status = 'unpaid' and t.operation_id is null then 'bill_without_order'
          when t.operation_id is not null and o.bill_id is distinct from t.id then 'bill_without_operation'
        end as rule
      from ledger_transaction t left join waiting_order w on w.transaction_id = t.id left join operation o on o.id = t.operation_id
      left join domain d on d.id = t.domain_id
      where t.id > ${after} and t.id <= ${upTo} and t.customer_id is not null and t.type in ('domain', 'privacy_protect')
    )
    select rule, 'transaction ' || id as subject, 'the bill is ' || status || ', its order '
        || case when is_waiting then 'waits' when ran is not null then 'is ' || ran else 'is missing' end as detail,
      id as transaction_id, operation_id, domain_id, name, amount, currency
    from bill where rule is not null order by id`);
}

export async function nextAudited(db: Reader, after: string, size: number): Promise<string | undefined> {
  const row = await db.one<{ last: string | null }>(sql`
    select max(id) as last from (select id from audit where id > ${after} order by id limit ${size}) s`);
  return row.last ?? undefined;
}

/** The price of an order is kept in the audit log, whose rows form a hash chain: the ledger must have the same price. */
export async function pricesAgainstOrders(db: Reader, { after, upTo }: Slice): Promise<FoundRow[]> {
  return db.many<FoundRow>(sql`
    select 'price_differs' as rule, 'transaction ' || t.id as subject, 'the order was placed for ' || (a.after ->> 'total') as detail,
      t.id as transaction_id, t.operation_id, t.domain_id, d.name, t.amount, t.currency
    from audit a join ledger_transaction t on t.operation_id = a.after ->> 'operation_id' and t.id = t.purchase_id
    left join domain d on d.id = t.domain_id
    where a.id > ${after} and a.id <= ${upTo} and a.action in ('domain.register', 'domain.renew', 'domain.transfer', 'domain.restore')
      and a.after ->> 'total' ~ '^[0-9.]+ [A-Z]{3}$' and (split_part(a.after ->> 'total', ' ', 2) <> t.currency
        or replace(split_part(a.after ->> 'total', ' ', 1), '.', '')::numeric <> t.amount)
    order by a.id`);
}

/**
 * A deposit or a note has no order, so the audit log is the only other record: it is there once, with its amount. Entries older than the
 * kept audit log of the reseller are skipped.
 */
export async function depositsAgainstAudit(db: Reader, { after, upTo }: Slice): Promise<FoundRow[]> {
  return db.many<FoundRow>(sql`
    with kept as (
      select h.reseller_id, (select min(a.object_id::bigint) from audit a where a.reseller_id = h.reseller_id and a.object_type = 'transaction') as first
      from audit_head h where h.cut_number > 0
    )
    select case when a.id is null then 'deposit_unaudited' else 'deposit_differs' end as rule, 'transaction ' || t.id as subject,
      t.type || ' of ' || t.amount || ' ' || t.currency || ' (minor units) for reseller ' || t.reseller_id
        || case when a.id is null then ': not in the audit log' else ': the audit log has ' || (a.after ->> 'amount') || ' ' || (a.after ->> 'currency') end as detail,
      t.id as transaction_id, t.operation_id, t.domain_id, t.amount, t.currency
    from ledger_transaction t
    left join audit a on a.object_type = 'transaction' and a.object_id = t.id::text and a.reseller_id = t.seller_id
    left join kept k on k.reseller_id = t.seller_id
    where t.id > ${after} and t.id <= ${upTo} and t.type in ('deposit', 'note') and (k.reseller_id is null or t.id >= k.first)
      and (a.id is null or a.after ->> 'amount' is distinct from t.amount::text or a.after ->> 'currency' is distinct from t.currency)
    order by t.id`);
}

export interface RefundRow {
  readonly transaction_id: string;
  readonly operation_id: string | null;
  readonly domain_id: string;
  readonly name: string;
  readonly currency: string;
  /** In minor units, as in the ledger. */
  readonly refunded: string;
  /** Decimal, as in the operation that refunded it; null if there is none. */
  readonly promised: string | null;
  readonly promised_by: string | null;
}

/** Every purchase that was refunded, or that an operation says it refunded. Refused orders have their own rules. */
export async function refundsAndDeletes(db: Reader, { after, upTo }: Slice): Promise<RefundRow[]> {
  return db.many<RefundRow>(sql`
    select t.id as transaction_id, t.operation_id, t.domain_id, d.name, t.currency, t.refunded, p.amount as promised, p.id as promised_by
    from ledger_transaction t
    join domain d on d.id = t.domain_id
    left join operation own on own.id = t.operation_id
    left join lateral (
      select x.id, r.amount from operation x, jsonb_to_recordset(x.outcome -> 'refunded') as r (transaction_id text, amount text)
      where x.domain_id = t.domain_id and x.state = 'done' and jsonb_typeof(x.outcome -> 'refunded') = 'array' and r.transaction_id = t.id::text
      union all
      select 'transfer away', r.amount from jsonb_to_recordset(d.transfer_away -> 'refunded') as r (transaction_id text, amount text)
      where jsonb_typeof(d.transfer_away -> 'refunded') = 'array' and r.transaction_id = t.id::text
      order by 1 desc limit 1
    ) p on true
    where t.id > ${after} and t.id <= ${upTo} and t.id = t.purchase_id and (t.refunded > 0 or p.amount is not null)
      and coalesce(own.state, '') not in ('refused', 'cancelled')
    order by t.id`);
}
