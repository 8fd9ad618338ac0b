import { type Reader, sql } from '@namehold/postgres';

export interface LedgerDifference {
  /** The broken rule. */
  readonly rule: string;
  /** `account 12` or `transaction 1001`. */
  readonly subject: string;
  readonly detail: string;
}

/** Ids above the first, up to the second. A slice is read in one short transaction. */
export interface Slice {
  readonly after: string;
  readonly upTo: string;
}

/** An account with a balance, summed up to one of its lines. */
export interface AccountSoFar {
  readonly id: string;
  /** The time of that line as the database writes it, more precise than a `Date`. */
  readonly at: string;
  readonly entry: string;
  readonly total: string;
  /** An error in one of its lines was already reported. */
  readonly is_told: boolean;
}

export interface AccountAddedUp extends AccountSoFar {
  readonly is_ended: boolean;
  /** The first wrong line among these; and the balance and its limit, once the last line was reached. */
  readonly line: string | null;
  readonly balance: string | null;
  readonly limit: string | null;
}

export async function nextAccounts(db: Reader, after: string, size: number): Promise<AccountSoFar[]> {
  return db.many<AccountSoFar>(sql`
    select id, '-infinity' as at, '0' as entry, '0' as total, false as is_told from ledger_account
    where id > ${after} and balance is not null order by id limit ${size}`);
}

/**
 * The next lines of each of these accounts. Each line must have the balance of the entries up to it, so every past balance is correct as
 * well, such as at the end of a month.
 */
export async function addUp(db: Reader, open: readonly AccountSoFar[], lines: number): Promise<AccountAddedUp[]> {
  return db.many<AccountAddedUp>(sql`
    with so_far as (
      select id, at, entry, total, is_told from jsonb_to_recordset(${JSON.stringify(open)}::jsonb) as s (id bigint, at timestamptz, entry bigint, total numeric, is_told boolean)
    ), added as (
      select a.id, a.balance, a.credit_limit, a.overdrawn, a.currency, a.reseller_id, a.customer_id, s.is_told, x.n < ${lines} as is_ended, x.line,
        s.total + x.moved as total, coalesce(x.last_at, s.at) as at, coalesce(x.last_entry, s.entry) as entry
      from so_far s join ledger_account a on a.id = s.id cross join lateral (
        select count(*) as n, coalesce(sum(l.amount), 0) as moved, max(l.at) as last_at, (array_agg(l.id order by l.at desc, l.id desc))[1] as last_entry,
          (array_agg('entry ' || l.id || ' of ' || to_char(l.at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') || ' has ' || coalesce(l.balance::text, 'nothing')
             || ', entries up to it sum to ' || l.total || case when l.before > l.id then '; it is older than the one before it' else '' end order by l.at, l.id)
             filter (where l.balance is distinct from l.total or l.before > l.id))[1] as line
        from (
          select e.id, e.at, e.amount, e.balance, s.total + sum(e.amount) over line as total, coalesce(lag(e.id) over line, s.entry) as before
          from (
            select e.id, e.at, e.amount, e.balance from ledger_entry e where e.account_id = a.id and (e.at, e.id) > (s.at, s.entry)
            order by e.at, e.id limit ${lines}
          ) e window line as (order by e.at, e.id)
        ) l
      ) x
    )
    select a.id, a.at::text as at, a.entry::text as entry, a.total::text as total, a.is_told, a.is_ended, a.line,
      case when a.is_ended and a.balance <> a.total then 'stored ' || a.balance || ', entries sum to ' || a.total || ' ' || a.currency end as balance,
      case when a.is_ended and (a.balance < -a.credit_limit - a.overdrawn or (a.overdrawn > 0 and a.overdrawn > (
        select coalesce(sum(p.amount), 0) from payment p join ledger_transaction t on t.id = p.transaction_id
        where p.fate = 'charged_back' and t.reseller_id = a.reseller_id and t.customer_id is not distinct from a.customer_id and t.currency = a.currency)))
        then 'balance ' || a.balance || ', limit ' || a.credit_limit || ', overdrawn by charge-backs ' || a.overdrawn || ' ' || a.currency end as limit
    from added a order by a.id`);
}

export async function unbalancedTransactions(db: Reader, { after, upTo }: Slice): Promise<LedgerDifference[]> {
  return db.many<LedgerDifference>(sql`
    select 'each transaction sums to zero' as rule, 'transaction ' || transaction_id as subject, posting || ' sums to ' || sum(amount) || ' ' || currency as detail
    from ledger_entry where transaction_id > ${after} and transaction_id <= ${upTo}
    group by transaction_id, posting, currency having sum(amount) <> 0`);
}

export async function foreignCurrencyEntries(db: Reader, { after, upTo }: Slice): Promise<LedgerDifference[]> {
  return db.many<LedgerDifference>(sql`
    select 'an entry has the currency of its account' as rule, 'transaction ' || e.transaction_id as subject,
           e.currency || ' on an account in ' || a.currency as detail
    from ledger_entry e join ledger_account a on a.id = e.account_id
    where a.currency <> e.currency and e.transaction_id > ${after} and e.transaction_id <= ${upTo}`);
}

/** The same for bills: held, captured and refunded amounts. An unpaid bill has moved nothing. */
export async function wrongBills(db: Reader, { after, upTo }: Slice): Promise<LedgerDifference[]> {
  return db.many<LedgerDifference>(sql`
    with bill as (
      select t.id, t.status, x.found, case t.status
          when 'pending' then array[t.amount, 0, 0]
          when 'completed' then array[t.captured, t.captured, t.refunded]
          when 'refunded' then array[t.captured, t.captured, t.refunded]
          else array[0, 0, 0] end as promised
      from ledger_transaction t cross join lateral (
        select array[
          coalesce(sum(e.amount) filter (where e.posting = 'hold' and a.kind = 'held'), 0)
            - coalesce(sum(e.amount) filter (where e.posting = 'release' and a.kind = 'customer'), 0),
          coalesce(sum(e.amount) filter (where e.posting = 'capture' and a.kind = 'revenue'), 0),
          coalesce(sum(e.amount) filter (where e.posting = 'refund' and a.kind = 'customer'), 0)] as found
        from ledger_entry e join ledger_account a on a.id = e.account_id where e.transaction_id = t.id
      ) x
      where t.id > ${after} and t.id <= ${upTo} and t.customer_id is not null and t.type in ('domain', 'privacy_protect')
    )
    select 'a bill says what the entries say' as rule, 'transaction ' || id as subject,
           status || ': held, captured, refunded are ' || found::text || ', should be ' || promised::text as detail
    from bill where found <> promised::numeric[] order by id`);
}

/** docs/guide/customer-billing.md: a bill follows its purchase; without one it waits or is cancelled. */
export async function dividedBills(db: Reader, { after, upTo }: Slice): Promise<LedgerDifference[]> {
  return db.many<LedgerDifference>(sql`
    select 'a bill has the status of its purchase' as rule, 'transaction ' || t.id as subject,
           t.status || ', and its purchase is ' || coalesce(p.status, 'missing') as detail
    from ledger_transaction t left join ledger_transaction p on p.id = t.purchase_id and p.id <> t.id and p.reseller_id = t.reseller_id and p.customer_id is null
    where t.id > ${after} and t.id <= ${upTo} and t.customer_id is not null and t.type in ('domain', 'privacy_protect')
      and not coalesce(case
        when t.purchase_id = t.id then t.status in ('unpaid', 'cancelled') and t.operation_id is null
        when p.operation_id is distinct from t.operation_id then false
        else case p.status
          when 'pending' then t.status in ('pending', 'unpaid')
          when 'completed' then t.status in ('completed', 'unpaid', 'refunded') or (t.status = 'cancelled' and t.amount = t.credited)
          when 'cancelled' then t.status = 'cancelled'
          when 'refunded' then t.status in ('refunded', 'cancelled') end end, false)
    order by t.id`);
}

/** What each status promises about the entries: held, captured, released, refunded, and the registry's part. */
export async function wrongStatuses(db: Reader, { after, upTo }: Slice): Promise<LedgerDifference[]> {
  return db.many<LedgerDifference>(sql`
    with moved as (
      select e.transaction_id as id,
        coalesce(sum(e.amount) filter (where e.posting = 'hold' and a.kind = 'held'), 0) as held,
        coalesce(sum(e.amount) filter (where e.posting = 'capture' and a.kind = 'revenue'), 0) as captured,
        coalesce(sum(e.amount) filter (where e.posting = 'release' and a.kind = 'available'), 0) as released,
        coalesce(sum(e.amount) filter (where e.posting = 'refund' and a.kind = 'available'), 0) as refunded,
        coalesce(sum(abs(e.amount)) filter (where e.posting in ('fund', 'debit') and a.kind in ('available', 'customer')), 0) as posted,
        coalesce(sum(e.amount) filter (where a.kind = 'registry_payable'), 0) as cost
      from ledger_entry e join ledger_account a on a.id = e.account_id
      where e.transaction_id > ${after} and e.transaction_id <= ${upTo} group by e.transaction_id
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
      from ledger_transaction t left join moved m on m.id = t.id where t.id > ${after} and t.id <= ${upTo}
        and (t.customer_id is null or t.type in ('deposit', 'note'))
    )
    select 'a status says what the entries say' as rule, 'transaction ' || id as subject,
           status || ': held, captured, released, refunded, posted are ' || found::text || ', should be ' || promised::text
             || case when cost <> cost_posted then '; registry cost ' || cost || ', should be ' || cost_posted else '' end as detail
    from expected where found <> promised::numeric[] or cost <> cost_posted`);
}

/** Includes credit notes on charges to a sub-reseller: refunds never exceed what was paid. */
export async function wrongRefundStatuses(db: Reader, { after, upTo }: Slice): Promise<LedgerDifference[]> {
  return db.many<LedgerDifference>(sql`
    select 'refunded means all of it' as rule, 'transaction ' || t.id as subject,
           t.status || ' with ' || t.refunded || ' of ' || t.captured || case when c.given > 0 then ', ' || c.given || ' by credit notes' else '' end as detail
    from ledger_transaction t left join invoice_charge c on c.transaction_id = t.id and c.replaced_by is null
    where t.id > ${after} and t.id <= ${upTo}
      and ((t.status = 'refunded' and t.refunded + coalesce(c.given, 0) <> t.captured) or t.refunded + coalesce(c.given, 0) > t.captured
        or (t.status in ('pending', 'cancelled', 'unpaid') and t.captured + t.refunded <> 0))`);
}

export async function dividedChains(db: Reader, { after, upTo }: Slice): Promise<LedgerDifference[]> {
  return db.many<LedgerDifference>(sql`
    select 'all levels of a purchase have one status' as rule, 'transaction ' || t.id as subject,
           case when p.id is null then 'purchase ' || t.purchase_id || ' is missing' else t.status || ', but the purchase is ' || p.status end as detail
    from ledger_transaction t left join ledger_transaction p on p.id = t.purchase_id
    where t.id > ${after} and t.id <= ${upTo} and (t.customer_id is null or t.type in ('deposit', 'note')) and t.status is distinct from p.status`);
}

/**
 * docs/guide/balances-and-prices.md: the accounts that each posting of a transaction may affect. Any other account belongs to another
 * party.
 */
export async function foreignAccountEntries(db: Reader, { after, upTo }: Slice): Promise<LedgerDifference[]> {
  return db.many<LedgerDifference>(sql`
    select 'an entry is on an account of its transaction' as rule, 'transaction ' || t.id as subject,
           e.posting || ' of ' || e.amount || ' ' || e.currency || ' on account ' || a.id || ' (' || a.kind || ' of reseller ' || a.reseller_id || ')' as detail
    from ledger_transaction t join ledger_entry e on e.transaction_id = t.id join ledger_account a on a.id = e.account_id
    where t.id > ${after} and t.id <= ${upTo} and not coalesce(case a.kind
        when 'available' then a.reseller_id = t.reseller_id and t.customer_id is null and e.posting in ('hold', 'release', 'refund', 'fund', 'debit')
        when 'held' then a.reseller_id = t.reseller_id and a.customer_id is not distinct from t.customer_id and e.posting in ('hold', 'capture', 'release')
        when 'customer' then a.customer_id = t.customer_id and e.posting in ('hold', 'release', 'refund', 'fund', 'debit')
        when 'revenue' then a.reseller_id = t.seller_id and e.posting in ('capture', 'refund')
        when 'receivable' then a.reseller_id = t.seller_id and e.posting in ('fund', 'debit')
        else a.reseller_id = coalesce(t.seller_id, t.reseller_id) and e.posting in ('capture', 'refund') end, false)
    order by t.id, e.id`);
}

/**
 * docs/guide/bank-transfers.md: a payment is a deposit of its payer, of the same amount, and a charge-back is a note. The expected
 * payment includes all of them.
 */
export async function wrongPayments(db: Reader, { after, upTo }: Slice): Promise<LedgerDifference[]> {
  return db.many<LedgerDifference>(sql`
    select 'a payment is a deposit of who paid' as rule, 'transaction ' || t.id as subject,
           'payment ' || p.id || ' of ' || p.amount || ' ' || p.currency || ' for ' || x.id || ', which has ' || x.received || ' of ' || s.total || ', ' || x.charged_back || ' of ' || s.back || ' back' as detail
    from ledger_transaction t join payment p on p.transaction_id = t.id join expected_payment x on x.id = p.expected_id
    cross join lateral (
      select coalesce(sum(o.amount) filter (where o.fate <> 'charged_back'), 0) as total, coalesce(sum(o.amount) filter (where o.fate = 'charged_back'), 0) as back
      from payment o where o.expected_id = x.id) s
    where t.id > ${after} and t.id <= ${upTo} and (
      t.type <> case p.fate when 'charged_back' then 'note' else 'deposit' end or t.amount <> p.amount or t.currency <> p.currency or t.seller_id is distinct from x.reseller_id
      or t.customer_id is distinct from x.customer_id or t.reseller_id <> coalesce(x.payer_id, x.reseller_id) or s.total <> x.received or s.back <> x.charged_back)
    order by t.id`);
}

export async function wrongDirections(db: Reader, { after, upTo }: Slice): Promise<LedgerDifference[]> {
  return db.many<LedgerDifference>(sql`
    select 'a direction says what the entries say' as rule, 'transaction ' || t.id as subject,
           'a ' || t.type || ' is marked as ' || t.direction || ', its entries are a ' || x.moved as detail
    from ledger_transaction t cross join lateral (
      select case when t.type in ('deposit', 'note') and coalesce(sum(e.amount), 0) > 0 then 'credit' else 'debit' end as moved
      from ledger_entry e join ledger_account a on a.id = e.account_id
      where e.transaction_id = t.id and a.kind in ('available', 'customer')
    ) x
    where t.id > ${after} and t.id <= ${upTo} and t.direction <> x.moved order by t.id`);
}

/** Every seller except the operator has bought: each level of a purchase leads to the next, up to the operator. */
export async function missingLevels(db: Reader, { after, upTo }: Slice): Promise<LedgerDifference[]> {
  return db.many<LedgerDifference>(sql`
    select 'no level of a purchase is missing' as rule, 'transaction ' || t.id as subject,
           'reseller ' || t.seller_id || ' sold this to reseller ' || t.reseller_id || ', and its own level of the purchase is missing' as detail
    from ledger_transaction t join reseller s on s.id = t.seller_id and s.parent_id is not null
    where t.id > ${after} and t.id <= ${upTo} and t.type in ('domain', 'privacy_protect')
      and not exists (select from ledger_transaction u where u.purchase_id = t.purchase_id and u.reseller_id = t.seller_id)
    order by t.id`);
}

/** The last id of the next slice; undefined where nothing follows. */
export async function nextTransactions(db: Reader, after: string, size: number): Promise<string | undefined> {
  const row = await db.one<{ last: string | null }>(sql`
    select max(id) as last from (select id from ledger_transaction where id > ${after} order by id limit ${size}) s`);
  return row.last ?? undefined;
}

export interface Counts {
  readonly accounts: number;
  readonly transactions: number;
  readonly entries: number;
}

export async function countRows(db: Reader): Promise<Counts> {
  const row = await db.one<{ accounts: string; transactions: string; entries: string }>(sql`
    select (select count(*) from ledger_account) as accounts, (select count(*) from ledger_transaction) as transactions,
           (select count(*) from ledger_entry) as entries`);
  return { accounts: Number(row.accounts), transactions: Number(row.transactions), entries: Number(row.entries) };
}
