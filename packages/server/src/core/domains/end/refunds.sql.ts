import { type Queryable, sql } from '@namehold/base';

/** A purchase for a domain, with what its operation found out. */
export interface DomainPurchaseRow {
  readonly id: string;
  readonly action: string;
  readonly years: number;
  readonly captured: string;
  readonly currency: string;
  readonly settled_at: Date;
  readonly outcome: {
    /** When the registry acted, by its own date. */
    readonly acted_at?: string;
    readonly sent_years?: number;
    readonly auto_renewed_years?: number;
    /** The registry's last renewal of its own that this purchase pays for. */
    readonly auto_renewed_at?: string;
  } | null;
}

export async function completedPurchases(
  db: Queryable,
  resellerId: string,
  domainId: string,
): Promise<DomainPurchaseRow[]> {
  return db.many<DomainPurchaseRow>(sql`
    select t.id, t.action, t.years, t.captured, t.currency, t.settled_at, o.outcome
    from ledger_transaction t left join operation o on o.id = t.operation_id
    where t.domain_id = ${domainId} and t.reseller_id = ${resellerId} and t.id = t.purchase_id and t.status = 'completed'
      and t.action in ('create', 'renew', 'privacy')
    order by t.id`);
}
