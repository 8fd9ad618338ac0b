import { type Reader, type Sql, sql } from '@namehold/postgres';
import type { Slice } from '../ledger/verify.sql.ts';
import type { FoundRow } from './difference.ts';

/**
 * Bills with what was billed and refunded, and the amounts of their documents. A bill that has just changed is left out: its documents
 * follow.
 */
const billed = (slice: Slice, toleranceSeconds: number) => sql`
  with bill as (
    select t.id, t.status, t.captured, t.currency, t.operation_id, t.domain_id, d.name, p.status in ('completed', 'refunded') as is_sold,
      case when t.status in ('completed', 'refunded') then t.captured + t.credited else t.amount end as billed, t.credited + t.refunded as back
    from ledger_transaction t join ledger_transaction p on p.id = t.purchase_id left join domain d on d.id = t.domain_id
    where t.id > ${slice.after} and t.id <= ${slice.upTo} and t.customer_id is not null and t.type in ('domain', 'privacy_protect')
      and not exists (select from invoice_due q where q.bill_id = t.id and q.asked_at > now() - ${toleranceSeconds}::float8 * interval '1 second')
  ), documents as (
    select b.id, b.status, b.captured, b.currency, b.operation_id, b.domain_id, b.name, b.is_sold, b.billed, b.back, x.issued, x.waiting, x.documented, l.id as invoice_id, l.number, l.paid, l.total
    from bill b cross join lateral (
      select count(*) filter (where i.number is not null) as issued, count(*) filter (where i.waits_for = 'tax_rate' and i.state = 'draft') as waiting,
        coalesce(sum(case i.kind when 'invoice' then i.total else -i.total end) filter (where i.number is not null), 0) as documented
      from invoice i where i.bill_id = b.id
    ) x left join lateral (
      select i.id, i.number, i.paid, i.total from invoice i where i.bill_id = b.id and i.kind = 'invoice' and i.number is not null order by i.id desc limit 1
    ) l on true
  )`;

export async function billsAgainstInvoices(db: Reader, slice: Slice, toleranceSeconds: number): Promise<FoundRow[]> {
  return db.many<FoundRow>(sql`
    ${billed(slice, toleranceSeconds)}, judged as (
      select id, status, captured, currency, operation_id, domain_id, name, billed, back, documented, number, paid, case
          when is_sold and billed > 0 and issued + waiting = 0 then 'bill_without_invoice'
          when not is_sold and issued > 0 then 'invoice_without_sale'
          when issued > 0 and documented <> billed - back then 'invoice_total'
          when issued > 0 and paid <> case when status in ('completed', 'refunded') then least(captured, total) else 0 end then 'invoice_paid'
        end as rule
      from documents
    )
    select rule, 'transaction ' || id as subject, case rule
        when 'bill_without_invoice' then 'was sold, and has neither an invoice nor a draft with a reason'
        when 'invoice_without_sale' then number || ' was issued, and nothing was sold'
        when 'invoice_total' then 'documents have ' || documented || ', the ledger ' || (billed - back) || ' (minor units)'
        else number || ' has ' || paid || ' as paid, the bill is ' || status || ' with ' || captured || ' (minor units)' end as detail,
      id as transaction_id, operation_id, domain_id, name, billed - back as amount, currency
    from judged where rule is not null order by id`);
}

/** Each document individually: lines, taxes and total; for an invoice, its credit notes. */
export const wrongDocuments = (db: Reader, { after, upTo }: Slice): Promise<FoundRow[]> =>
  wrongAmong(db, sql`i.bill_id > ${after} and i.bill_id <= ${upTo}`);

/** Invoices to sub-resellers: a few a month. */
export const wrongChildDocuments = (db: Reader): Promise<FoundRow[]> => wrongAmong(db, sql`i.child_id is not null`);

async function wrongAmong(db: Reader, which: Sql): Promise<FoundRow[]> {
  return db.many<FoundRow>(sql`
    with document as (
      select i.id, i.kind, i.state, i.number, i.bill_id, i.net, i.tax, i.total, i.credited, i.currency, x.net as line_net, x.tax as line_tax, x.total as line_total, y.tax as tax_tax, z.total as noted
      from invoice i cross join lateral (
        select coalesce(sum((l ->> 'net')::bigint), 0) as net, coalesce(sum((l ->> 'tax')::bigint), 0) as tax, coalesce(sum((l ->> 'total')::bigint), 0) as total
        from jsonb_array_elements(i.lines) l
      ) x cross join lateral (select coalesce(sum((t ->> 'tax')::bigint), 0) as tax from jsonb_array_elements(i.taxes) t) y
      cross join lateral (select coalesce(sum(n.total), 0) as total from invoice n where n.corrects_id = i.id) z
      where ${which} and i.number is not null
    )
    select case when line_net <> net or line_tax <> tax or line_total <> total or tax_tax <> tax then 'invoice_lines' else 'invoice_credited' end as rule,
      'invoice ' || number as subject,
      case when line_net <> net or line_tax <> tax or line_total <> total or tax_tax <> tax
        then 'net, tax and total are ' || net || ', ' || tax || ', ' || total || '; its lines have ' || line_net || ', ' || line_tax || ', ' || line_total
        else credited || ' is recorded as credited, credit notes have ' || noted || '; it is ' || state end as detail,
      bill_id as transaction_id, total as amount, currency
    from document
    where line_net <> net or line_tax <> tax or line_total <> total or tax_tax <> tax
      or credited <> noted or (kind = 'invoice' and (state = 'credited') <> (credited = total and total > 0))
    order by id`);
}

/**
 * Charges to sub-resellers in past months for which the parent issues invoices. Each charge is on one invoice, less its refunds;
 * otherwise an alarm gives the reason.
 */
export async function chargesAgainstInvoices(
  db: Reader,
  { after, upTo }: Slice,
  toleranceSeconds: number,
  owedBefore: Date,
): Promise<FoundRow[]> {
  return db.many<FoundRow>(sql`
    with charge as (
      select t.id, t.operation_id, t.domain_id, d.name, t.currency, greatest(0, t.captured - t.refunded - coalesce(c.given, 0)) as charged, c.amount - c.credited as invoiced,
        exists (
          select from invoice_months m
          where m.reseller_id = t.seller_id and t.settled_at >= m.since::timestamp at time zone 'UTC'
            and (m.until is null or t.settled_at < (m.until + interval '1 month')::timestamp at time zone 'UTC')
            and (t.settled_at < (m.through + interval '1 month')::timestamp at time zone 'UTC' or (t.settled_at < ${owedBefore} and not exists (
              select from alarm a where a.key = 'invoices:children:' || t.seller_id and a.cleared_at is null)))) as is_owed
      from ledger_transaction t left join invoice_charge c on c.transaction_id = t.id and c.replaced_by is null
        left join domain d on d.id = t.domain_id
      where t.id > ${after} and t.id <= ${upTo} and t.customer_id is null and t.seller_id is not null and t.type in ('domain', 'privacy_protect')
        and not exists (select from invoice_due q where q.bill_id = t.id and q.asked_at > now() - ${toleranceSeconds}::float8 * interval '1 second')
    )
    select case when invoiced is null then 'charge_without_invoice' else 'charge_total' end as rule, 'transaction ' || id as subject,
      case when invoiced is null then 'was charged in a past month, and is on no invoice'
        else 'documents have ' || invoiced || ', the ledger ' || charged || ' (minor units)' end as detail,
      id as transaction_id, operation_id, domain_id, name, charged as amount, currency
    from charge where (invoiced is null and is_owed and charged > 0) or invoiced <> charged order by id`);
}

/** The lines of an invoice to a sub-reseller equal its charges, less its credit notes. */
export async function chargesOfDocuments(db: Reader): Promise<FoundRow[]> {
  return db.many<FoundRow>(sql`
    select 'invoice_charges' as rule, 'invoice ' || i.number as subject,
      'total and credited are ' || i.total || ', ' || i.credited || '; its charges have ' || c.amount || ', ' || c.credited || '; paid: ' || i.paid as detail,
      i.total as amount, i.currency
    from invoice i cross join lateral (
      select coalesce(sum(x.amount), 0) as amount, coalesce(sum(x.credited), 0) as credited from invoice_charge x where x.invoice_id = i.id
    ) c
    where i.child_id is not null and i.kind = 'invoice' and i.number is not null and (c.amount <> i.total or c.credited <> i.credited or i.paid <> i.total)
    order by i.id`);
}

export async function gapsInNumbers(db: Reader): Promise<FoundRow[]> {
  return db.many<FoundRow>(sql`
    select 'number_gap' as rule, 'series ' || coalesce(s.series, i.series) || ' of reseller ' || coalesce(s.reseller_id, i.reseller_id) as subject,
      coalesce(i.documents, 0) || ' documents up to ' || coalesce(i.last, 0) || ', and the last allocated number is ' || coalesce(s.last, 0) as detail
    from invoice_series s full join (
      select reseller_id, series, count(*) as documents, max(place) as last from invoice where number is not null group by reseller_id, series
    ) i on i.reseller_id = s.reseller_id and i.series = s.series
    where s.last is distinct from i.last or i.documents is distinct from i.last order by 2`);
}

export async function countInvoices(db: Reader): Promise<number> {
  return (await db.one<{ count: number }>(sql`select count(*)::integer as count from invoice where number is not null`))
    .count;
}
