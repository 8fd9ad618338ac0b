import { type Queryable, sql } from '@namehold/base';

export interface Difference {
  /** Which promise is broken. */
  readonly rule: string;
  /** `account 12` or `transaction 1001`. */
  readonly subject: string;
  readonly detail: string;
}

export async function wrongBalances(db: Queryable): Promise<Difference[]> {
  return db.many<Difference>(sql`
    select 'balance equals the sum of its entries' as rule, 'account ' || a.id as subject,
           'kept ' || a.balance || ', entries say ' || coalesce(e.total, 0) || ' ' || a.currency as detail
    from ledger_account a
    left join (select account_id, sum(amount) as total from ledger_entry group by account_id) e on e.account_id = a.id
    where a.balance is not null and a.balance <> coalesce(e.total, 0)`);
}

export async function passedLimits(db: Queryable): Promise<Difference[]> {
  return db.many<Difference>(sql`
    select 'no balance passes its limit' as rule, 'account ' || id as subject,
           'balance ' || balance || ', limit ' || credit_limit || ' ' || currency as detail
    from ledger_account where balance < -credit_limit`);
}

export async function unbalancedTransactions(db: Queryable): Promise<Difference[]> {
  return db.many<Difference>(sql`
    select 'each transaction sums to zero' as rule, 'transaction ' || transaction_id as subject, posting || ' sums to ' || sum(amount) || ' ' || currency as detail
    from ledger_entry group by transaction_id, posting, currency having sum(amount) <> 0`);
}

export async function foreignCurrencyEntries(db: Queryable): Promise<Difference[]> {
  return db.many<Difference>(sql`
    select 'an entry has the currency of its account' as rule, 'transaction ' || e.transaction_id as subject,
           e.currency || ' on an account in ' || a.currency as detail
    from ledger_entry e join ledger_account a on a.id = e.account_id where a.currency <> e.currency`);
}

/** What each status promises about the entries: held, taken, given back, refunded, and the registry's part. */
export async function wrongStatuses(db: Queryable): Promise<Difference[]> {
  return db.many<Difference>(sql`
    with moved as (
      select e.transaction_id as id,
        coalesce(sum(e.amount) filter (where e.posting = 'hold' and a.kind = 'held'), 0) as held,
        coalesce(sum(e.amount) filter (where e.posting = 'capture' and a.kind = 'revenue'), 0) as captured,
        coalesce(sum(e.amount) filter (where e.posting = 'release' and a.kind = 'available'), 0) as released,
        coalesce(sum(e.amount) filter (where e.posting = 'refund' and a.kind = 'available'), 0) as refunded,
        coalesce(sum(abs(e.amount)) filter (where e.posting in ('fund', 'debit') and a.kind in ('available', 'customer')), 0) as posted,
        coalesce(sum(e.amount) filter (where a.kind = 'registry_payable'), 0) as cost
      from ledger_entry e join ledger_account a on a.id = e.account_id group by e.transaction_id
    ), expected as (
      select t.id, t.status, coalesce(m.cost, 0) as cost, t.cost_posted,
        array[coalesce(m.held, 0), coalesce(m.captured, 0), coalesce(m.released, 0), coalesce(m.refunded, 0), coalesce(m.posted, 0)] as found,
        case
          when t.type in ('deposit', 'note') then array[0, 0, 0, 0, t.amount]
          when t.seller_id is null then array[0, 0, 0, 0, 0]
          when t.status = 'pending' then array[t.amount, 0, 0, 0, 0]
          when t.status = 'cancelled' then array[t.amount, 0, t.amount, 0, 0]
          else array[t.amount, t.captured, t.amount - t.captured, t.refunded, 0]
        end as promised
      from ledger_transaction t left join moved m on m.id = t.id
    )
    select 'a status says what the entries say' as rule, 'transaction ' || id as subject,
           status || ': held, captured, released, refunded, posted are ' || found::text || ', should be ' || promised::text
             || case when cost <> cost_posted then '; registry cost ' || cost || ', should be ' || cost_posted else '' end as detail
    from expected where found <> promised::numeric[] or cost <> cost_posted`);
}

export async function wrongRefundStatuses(db: Queryable): Promise<Difference[]> {
  return db.many<Difference>(sql`
    select 'refunded means all of it' as rule, 'transaction ' || id as subject, status || ' with ' || refunded || ' of ' || captured as detail
    from ledger_transaction
    where (status = 'refunded' and refunded <> captured) or (status in ('pending', 'cancelled') and captured + refunded <> 0)`);
}

export async function dividedChains(db: Queryable): Promise<Difference[]> {
  return db.many<Difference>(sql`
    select 'all levels of a purchase share one fate' as rule, 'transaction ' || t.id as subject, t.status || ', but the purchase is ' || p.status as detail
    from ledger_transaction t join ledger_transaction p on p.id = t.purchase_id where t.status <> p.status
    union all
    select 'all levels of a purchase share one fate', 'transaction ' || t.id, 'purchase ' || t.purchase_id || ' is missing'
    from ledger_transaction t where not exists (select from ledger_transaction p where p.id = t.purchase_id)`);
}

export interface Counts {
  readonly accounts: number;
  readonly transactions: number;
  readonly entries: number;
}

export async function countRows(db: Queryable): Promise<Counts> {
  const row = await db.one<{ accounts: string; transactions: string; entries: string }>(sql`
    select (select count(*) from ledger_account) as accounts, (select count(*) from ledger_transaction) as transactions,
           (select count(*) from ledger_entry) as entries`);
  return { accounts: Number(row.accounts), transactions: Number(row.transactions), entries: Number(row.entries) };
}
