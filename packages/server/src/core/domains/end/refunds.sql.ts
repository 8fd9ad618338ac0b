import { type Reader, sql, type Tx } from '@namehold/postgres';
import type { RegistryCharge } from '../../ledger/ledger.sql.ts';
import type { DeleteOutcome } from '../../model/operation-kinds.ts';

/** The row of a domain and its rows under former resellers: their purchases count for the domain, and they get the refunds. */
const rowsOf = (domainId: string) =>
  sql`(select id from domain where id = ${domainId} union all select unnest(former_ids) from domain where id = ${domainId})`;

/** A purchase for a domain, with the outcome of its operation. */
export interface DomainPurchaseRow {
  readonly id: string;
  readonly reseller_id: string;
  readonly action: string;
  readonly years: number;
  readonly captured: string;
  readonly currency: string;
  readonly settled_at: Date;
  /** The registry's charge for it; null if there is none. */
  readonly cost: string | null;
  readonly outcome: {
    /** When the registry acted, by its own date. */
    readonly acted_at?: string;
    readonly sent_years?: number;
    readonly auto_renewed_years?: number;
    /** The registry's last auto-renewal that this purchase pays for. */
    readonly auto_renewed_at?: string;
  } | null;
}

export async function completedPurchases(db: Reader, domainId: string): Promise<DomainPurchaseRow[]> {
  return db.many<DomainPurchaseRow>(sql`
    select t.id, t.reseller_id, t.action, t.years, t.captured, t.currency, t.settled_at, c.cost_amount as cost, o.outcome
    from ledger_transaction t left join operation o on o.id = t.operation_id
    left join ledger_transaction c on c.purchase_id = t.id and c.cost_amount is not null
    join domain d on d.id = t.domain_id and d.reseller_id = t.reseller_id
    where t.domain_id in ${rowsOf(domainId)} and t.id = t.purchase_id and t.status = 'completed'
      and t.action in ('create', 'renew', 'transfer', 'privacy')
    order by t.id`);
}

/** Unpaid auto-renewals, in the form of purchases: the same rules decide about their refunds. */
export const asPurchase = ({ id, period, cost, currency }: RegistryCharge): DomainPurchaseRow => ({
  id,
  // No reseller has paid it.
  reseller_id: '',
  action: 'auto_renew',
  years: 1,
  captured: '0',
  currency,
  settled_at: period,
  cost,
  outcome: { sent_years: 0, auto_renewed_years: 1, auto_renewed_at: period.toISOString() },
});

export type BookedRefund = Pick<DomainPurchaseRow, 'action' | 'cost'>;

/** Earlier refunds for a domain name, in any account and any registration at this registry. */
export async function bookedRefunds(db: Reader, name: string, registryId: string): Promise<BookedRefund[]> {
  return db.many<BookedRefund>(sql`
    select t.action, c.cost_amount as cost
    from ledger_transaction t join ledger_transaction c on c.purchase_id = t.id and c.cost_amount is not null
    join domain d on d.id = t.domain_id and d.reseller_id = t.reseller_id
    where d.name = ${name} and d.registry_id = ${registryId} and t.id = t.purchase_id and t.status = 'refunded'
      and t.action in ('create', 'renew', 'transfer')
    order by t.id`);
}

/** The refunds by the registry for a domain that are already in the ledger, in minor units. */
export async function refundedCost(db: Reader, domainId: string): Promise<bigint> {
  const row = await db.one<{ refunded: string }>(sql`
    select coalesce(sum(cost_amount - cost_posted), 0) as refunded from ledger_transaction
    where domain_id in ${rowsOf(domainId)} and status in ('completed', 'refunded') and cost_amount is not null`);
  return BigInt(row.refunded);
}

/** Records the actual refund in the delete operation: less than was due if a credit note had refunded a part before. */
export async function noteRefunds(
  tx: Tx,
  operationId: string,
  refunds: Pick<DeleteOutcome, 'refunded' | 'refunded_before'>,
): Promise<void> {
  await tx.run(sql`
    update operation set outcome = outcome || ${JSON.stringify(refunds)}::jsonb where id = ${operationId} and kind = 'delete'`);
}

/** Adds a refund that came after the delete to its operation. */
export async function noteLateRefund(
  tx: Tx,
  operationId: string,
  line: { readonly transaction_id: string; readonly amount: string; readonly currency: string },
): Promise<void> {
  await tx.run(sql`
    update operation set outcome = outcome || jsonb_build_object('refunded', coalesce(outcome -> 'refunded', '[]') || ${JSON.stringify([line])}::jsonb)
    where id = ${operationId} and kind = 'delete' and state = 'done'`);
}

/** The order that bought it states its refund, because no other operation refunded it. */
export async function noteRefundOfPurchase(
  tx: Tx,
  line: { readonly transaction_id: string; readonly amount: string; readonly currency: string },
): Promise<void> {
  await tx.run(sql`
    update operation o set outcome = coalesce(o.outcome, '{}') || jsonb_build_object('refunded',
      coalesce((select jsonb_agg(r) from jsonb_array_elements(o.outcome -> 'refunded') r where r ->> 'transaction_id' <> ${line.transaction_id}), '[]')
        || ${JSON.stringify([line])}::jsonb)
    from ledger_transaction t where t.id = ${line.transaction_id} and o.id = t.operation_id and o.state = 'done'`);
}

/** Since when the domain has been sponsored by us without interruption, in any account, less a minute for clock differences. */
export async function sponsoredSince(db: Reader, domainId: string): Promise<Date> {
  const row = await db.one<{ since: Date }>(sql`
    select min(created_at) - interval '1 minute' as since from domain where id in ${rowsOf(domainId)}`);
  return row.since;
}
