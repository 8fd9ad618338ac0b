import { type Sql, sql } from '@namehold/postgres';

/** A change made directly in the database, and the differences that reconciliation must report. */
interface Injection {
  readonly what: string;
  readonly here?: readonly Sql[];
  readonly there?: readonly Sql[];
  /** `book:rule`, each once. */
  readonly found: readonly string[];
  /** The name that every difference must have. */
  readonly name?: string;
  /** The detail that every difference must match. */
  readonly says?: RegExp;
  /** The repair text that every difference must match. */
  readonly advises?: RegExp;
}

const operation = (name: string, kind: string) =>
  sql`(select id from operation where kind = ${kind} and request ->> 'name' = ${name} order by id desc limit 1)`;
const purchase = (name: string, kind: string) =>
  sql`(select id from ledger_transaction where id = purchase_id and operation_id = ${operation(name, kind)})`;

/** A reseller below another one, and the level of its purchase that its parent pays. */
const child = sql`(select reseller_id from domain where name = 'chained.net')`;
const upperLevel = sql`(select id from ledger_transaction where purchase_id = ${purchase('chained.net', 'register')} order by id desc limit 1)`;

/** Someone who knows the schema and changes entries changes the balances on their lines too. */
export const recount = sql`
  update ledger_entry e set balance = r.balance, at = r.at from (
    select x.id, sum(x.amount) over line as balance, max(x.at) over line as at
    from ledger_entry x join ledger_account a on a.id = x.account_id where a.balance is not null
    window line as (partition by x.account_id order by x.id)
  ) r where r.id = e.id`;

/** A customer's bill for a domain, and its documents. */
const bill = (name: string) =>
  sql`(select t.id from ledger_transaction t join domain d on d.id = t.domain_id where d.name = ${name} and t.customer_id is not null)`;
const invoice = (name: string) => sql`bill_id = ${bill(name)} and kind = 'invoice'`;

export const injections: readonly Injection[] = [
  // Invoices
  {
    what: 'the invoice of a sold domain is missing, with its series',
    here: [
      sql`delete from invoice where ${invoice('owed.com')}`,
      sql`update invoice set place = place - 1 where reseller_id = 1000 and kind = 'invoice' and number is not null and place > 1`,
      sql`update invoice_series set last = last - 1 where reseller_id = 1000 and series like 'INV%'`,
    ],
    found: ['invoices:bill_without_invoice'],
    name: 'owed.com',
  },
  {
    what: 'an invoice is missing, and leaves a gap in its series',
    here: [sql`delete from invoice where ${invoice('owed.com')}`],
    found: ['invoices:bill_without_invoice', 'invoices:number_gap'],
  },
  {
    what: 'a number was allocated without a document',
    here: [sql`update invoice_series set last = last + 1 where reseller_id = 1000 and series like 'INV%'`],
    found: ['invoices:number_gap'],
  },
  {
    what: 'an invoice has a higher amount than the ledger, with lines and taxes',
    here: [
      sql`update invoice set net = net + 1, lines = jsonb_build_array(lines -> 0 || jsonb_build_object('net', (net + 1)::text, 'total', (net + tax + 1)::text))
          where ${invoice('owed.com')}`,
    ],
    found: ['invoices:invoice_total'],
    name: 'owed.com',
  },
  {
    what: 'a line of an invoice is changed',
    here: [
      sql`update invoice set lines = jsonb_build_array(lines -> 0 || '{"total": "1"}') where ${invoice('owed.com')}`,
    ],
    found: ['invoices:invoice_lines'],
  },
  {
    what: 'an unpaid invoice is marked as paid',
    here: [sql`update invoice set paid = net + tax, state = 'paid', settled_at = now() where ${invoice('owed.com')}`],
    found: ['invoices:invoice_paid'],
    name: 'owed.com',
  },
  {
    what: 'a paid invoice is marked as open',
    here: [sql`update invoice set paid = 0, state = 'open', settled_at = null where ${invoice('billed.com')}`],
    found: ['invoices:invoice_paid'],
    name: 'billed.com',
  },
  {
    what: 'a credit note is missing',
    here: [
      sql`delete from invoice where kind = 'credit_note' and bill_id = ${bill('billed-back.com')}`,
      sql`delete from invoice_series where reseller_id = 1000 and series like 'CN%'`,
    ],
    found: ['invoices:invoice_total', 'invoices:invoice_credited'],
  },
  {
    what: 'an invoice is marked as credited',
    here: [
      sql`update invoice set credited = net + tax, state = 'credited', settled_at = now() where ${invoice('owed.com')}`,
    ],
    found: ['invoices:invoice_credited'],
  },
  {
    what: 'an invoice is issued for something that was never sold',
    here: [
      sql`update invoice set state = 'open', waits_for = null, series = 'X', place = 1, number = 'X1', issued_at = now(), issued_on = now(), due_on = now()
          where ${invoice('waiting.com')}`,
      sql`insert into invoice_series (reseller_id, series, last) values (1000, 'X', 1)`,
    ],
    found: ['invoices:invoice_without_sale'],
    name: 'waiting.com',
  },

  {
    what: 'a charge to a sub-reseller is on no invoice',
    here: [sql`delete from invoice_charge where transaction_id = ${purchase('chained.net', 'register')}`],
    found: ['invoices:charge_without_invoice', 'invoices:invoice_charges'],
  },
  {
    what: 'more of a charge is credited than was refunded',
    here: [
      sql`update invoice_charge set credited = amount where transaction_id = ${purchase('chained.net', 'register')}`,
    ],
    found: ['invoices:charge_total', 'invoices:invoice_charges'],
  },
  {
    what: 'an invoice to a sub-reseller has a lower amount than its lines',
    here: [
      sql`update invoice set net = net - 1, paid = paid - 1
          where id = (select invoice_id from invoice_charge where transaction_id = ${purchase('chained.net', 'register')})`,
    ],
    found: ['invoices:invoice_lines', 'invoices:invoice_charges'],
  },

  // Payments
  {
    what: 'a payment has a higher amount than its deposit',
    here: [sql`update payment set amount = amount + 1 where fate = 'matched'`],
    found: ['entries:payment_deposit'],
  },
  {
    what: 'the received amount of an expected payment is missing',
    here: [sql`update expected_payment set received = received + 1 where state = 'paid'`],
    found: ['entries:payment_deposit'],
  },
  {
    what: 'an account may be overdrawn, and nothing was charged back',
    here: [sql`update ledger_account set overdrawn = 1 where customer_id = 2001 and kind = 'customer'`],
    found: ['entries:balance_limit'],
  },

  {
    what: 'a bank line for a known payment was not credited',
    here: [
      sql`insert into statement_line (reseller_id, provider, expected_id, line_key, nth, columns_key, cells, amount, currency, fate, imported_at)
          select reseller_id, provider, id, 'k', 1, 'c', '{}', 500, currency, 'id_reused', '2000-01-01' from expected_payment where state = 'paid'`,
    ],
    found: ['entries:bank_line_uncredited'],
    says: /id_reused/,
  },
  {
    what: 'a bank line was credited as a payment of another amount',
    here: [
      sql`insert into statement_line (reseller_id, provider, expected_id, payment_id, line_key, nth, columns_key, cells, amount, currency, fate, imported_at)
          select reseller_id, provider, expected_id, id, 'k', 1, 'c', '{}', amount + 1, currency, fate, '2000-01-01' from payment where fate = 'matched'`,
    ],
    found: ['entries:bank_line_differs'],
  },
  {
    what: 'the line of an imported payment is missing',
    here: [sql`update payment set from_line = true where fate = 'matched'`],
    found: ['entries:payment_without_line'],
  },
  {
    what: 'a charge-back has no payment',
    here: [
      sql`insert into payment (id, reseller_id, provider, event_id, fate, reference, amount, currency, received_at, is_charge_back)
          values ('rcp_alone', 1000, 'card', 'evt_alone', 'charge_back_pending', 'RF00', 500, 'USD', '2000-01-01', true)`,
    ],
    found: ['entries:charge_back_unmatched'],
    says: /evt_alone/,
  },
  {
    what: 'a provider reported a payment that was not credited',
    here: [
      sql`insert into payment (id, reseller_id, provider, event_id, fate, reference, amount, currency, received_at, is_charge_back)
          values ('rcp_lost', 1000, 'card', 'evt_lost', 'wrong_currency', 'RF00', null, 'EUR', '2000-01-01', false)`,
    ],
    found: ['entries:payment_uncredited'],
    says: /evt_lost/,
  },

  // Bills
  {
    what: 'an owed bill is marked as paid',
    here: [
      sql`update ledger_transaction set status = 'completed', captured = amount, settled_at = now() where id = ${bill('owed.com')}`,
    ],
    found: ['entries:bill_entries', 'invoices:invoice_paid'],
    name: 'owed.com',
  },
  {
    what: 'a bill of a completed purchase is cancelled',
    here: [sql`update ledger_transaction set status = 'cancelled', settled_at = now() where id = ${bill('owed.com')}`],
    found: ['entries:divided_bill'],
    name: 'owed.com',
  },
  {
    what: 'the row of a waiting order is missing',
    here: [sql`delete from waiting_order where transaction_id = ${bill('waiting.com')}`],
    found: ['entries:bill_without_order', 'domains:unpaid_without_order'],
    name: 'waiting.com',
  },
  {
    what: 'a bill is cancelled while its order waits',
    here: [
      sql`update ledger_transaction set status = 'cancelled', settled_at = now() where id = ${bill('waiting.com')}`,
    ],
    found: ['entries:waits_though_run'],
    name: 'waiting.com',
  },
  {
    what: 'the bill of an operation is missing',
    here: [sql`update operation set bill_id = null where bill_id = ${bill('owed.com')}`],
    found: ['entries:bill_without_operation'],
    name: 'owed.com',
  },

  // Entries
  {
    what: 'a balance is one cent too high',
    here: [sql`update ledger_account set balance = balance + 1 where kind = 'available' and reseller_id = 1000`],
    found: ['entries:balance_sum'],
  },
  {
    what: 'a line has a month-end balance that is one cent too high',
    here: [
      sql`update ledger_entry set balance = balance + 1 where id = (select max(e.id) from ledger_entry e join ledger_account a on a.id = e.account_id
          where a.kind = 'available' and a.reseller_id = 1000)`,
    ],
    found: ['entries:line_balance'],
  },
  {
    what: 'one entry is changed',
    here: [
      sql`update ledger_entry e set amount = amount + 1 from ledger_account a where a.id = e.account_id and a.kind = 'receivable'
          and e.id = (select min(x.id) from ledger_entry x join ledger_account y on y.id = x.account_id where y.kind = 'receivable')`,
    ],
    found: ['entries:transaction_sum'],
  },
  {
    what: 'entries are in another currency than their accounts',
    here: [
      sql`update ledger_entry set currency = 'EUR' where transaction_id = (select min(id) from ledger_transaction where type = 'deposit')`,
    ],
    found: ['entries:entry_currency'],
  },
  {
    what: 'the registry cost of a purchase is changed on both sides',
    here: [
      sql`update ledger_entry e set amount = amount * 2 from ledger_account a where a.id = e.account_id
          and a.kind in ('registry_cost', 'registry_payable') and e.transaction_id = ${purchase('plain.com', 'register')}`,
    ],
    found: ['entries:status_entries', 'registry:payable_differs'],
    name: 'plain.com',
  },
  {
    what: 'a deposit is marked as refunded',
    here: [
      sql`update ledger_transaction set status = 'refunded' where id = (select min(id) from ledger_transaction where type = 'deposit')`,
    ],
    found: ['entries:refund_status'],
  },
  {
    what: 'a deposit belongs to a purchase that does not exist',
    here: [
      sql`update ledger_transaction set purchase_id = 7 where id = (select min(id) from ledger_transaction where type = 'deposit')`,
    ],
    found: ['entries:divided_purchase'],
  },
  {
    what: 'a deposit is duplicated, consistent in itself',
    here: [sql`select ledger_post(now(), 'fund', 1, 1000, null, 12345, 'USD', 'Opening balance of the demo account')`],
    found: ['entries:deposit_unaudited'],
  },
  {
    what: 'a deposit is made larger, with its entries and balances',
    here: [
      sql`update ledger_entry set amount = amount * 2 where transaction_id = (select min(id) from ledger_transaction where type = 'deposit')`,
      sql`update ledger_account a set balance = (select sum(e.amount) from ledger_entry e where e.account_id = a.id) where a.balance is not null`,
      sql`update ledger_transaction set amount = amount * 2 where id = (select min(id) from ledger_transaction where type = 'deposit')`,
      recount,
    ],
    found: ['entries:deposit_differs'],
  },
  {
    what: 'money is on hold without an order',
    here: [
      sql`select ledger_hold(now(), array[1000], array[1], array[500], array['USD'], null, null, 'domain', null, null, 'create', 1, 'forged')`,
    ],
    found: ['entries:purchase_without_operation'],
  },
  {
    what: 'a refund has no delete',
    here: [sql`select ledger_refund(now(), ${purchase('plain.com', 'register')}, 100, true)`],
    found: ['entries:refund_without_delete'],
    name: 'plain.com',
  },
  {
    what: 'a delete has another refund than the ledger',
    here: [
      sql`update operation set outcome = jsonb_set(outcome, '{refunded,0,amount}', '"1.00"') where id = ${operation('regret.com', 'delete')}`,
    ],
    found: ['entries:refund_differs'],
    name: 'regret.com',
  },
  {
    what: 'the money of a refused order is on hold again',
    here: [
      sql`update ledger_account a set balance = a.balance + case a.kind when 'held' then t.amount else -t.amount end
          from ledger_transaction t where t.id = ${purchase('two.org', 'renew')} and a.reseller_id = t.reseller_id and a.customer_id is null and a.kind in ('held', 'available')
            and a.currency = t.currency`,
      sql`delete from ledger_entry where posting = 'release' and transaction_id = ${purchase('two.org', 'renew')}`,
      sql`update ledger_transaction set status = 'pending', settled_at = null where id = ${purchase('two.org', 'renew')}`,
      recount,
    ],
    found: ['entries:held_after_refusal'],
    name: 'two.org',
  },
  ...(['capture', 'hold'] as const).map((posting) => ({
    what: `money of one reseller goes to another inside a purchase (${posting})`,
    here: [
      sql`insert into ledger_entry (transaction_id, account_id, posting, amount, currency, at)
          select ${purchase('plain.com', 'register')}, a.id, ${posting}, case a.reseller_id when 1000 then -777 else 777 end, 'USD', now()
          from ledger_account a where a.kind = 'available' and a.currency = 'USD' and a.reseller_id in (1000, ${child})`,
      sql`update ledger_account set balance = balance + case reseller_id when 1000 then -777 else 777 end
          where kind = 'available' and currency = 'USD' and reseller_id in (1000, ${child})`,
      recount,
    ],
    found: ['entries:entry_account'],
    name: 'plain.com',
  })),
  {
    what: 'a purchase costs more than the order was placed for',
    here: [
      sql`update ledger_transaction set amount = amount + 1000, captured = captured + 1000 where id = ${purchase('plain.com', 'renew')}`,
      sql`update ledger_entry e set amount = e.amount + sign(e.amount) * 1000 from ledger_account a
          where a.id = e.account_id and a.kind in ('available', 'held', 'revenue') and e.transaction_id = ${purchase('plain.com', 'renew')}`,
      sql`update ledger_account set balance = balance - 1000 where kind = 'available' and currency = 'USD' and reseller_id = 1000`,
      recount,
    ],
    found: ['entries:price_differs'],
    name: 'plain.com',
  },
  {
    what: 'a debit note is marked as a credit',
    here: [sql`update ledger_transaction set direction = 'credit' where type = 'note'`],
    found: ['entries:direction_entries'],
  },
  {
    what: 'a level of a purchase is missing',
    here: [
      sql`update ledger_account a set balance = a.balance + t.captured from ledger_transaction t
          where t.id = ${upperLevel} and a.reseller_id = t.reseller_id and a.kind = 'available' and a.currency = t.currency`,
      sql`delete from ledger_entry where transaction_id = ${upperLevel}`,
      sql`delete from ledger_transaction where id = ${upperLevel}`,
      recount,
    ],
    found: ['entries:missing_level', 'registry:payable_differs'],
    name: 'chained.net',
  },
  // Operations
  {
    what: 'a refused order is marked as done',
    here: [sql`update operation set state = 'done' where id = ${operation('ditolak.web.id', 'register')}`],
    found: ['entries:released_after_done', 'operations:done_without_answer'],
    name: 'ditolak.web.id',
  },
  {
    what: 'a done order is marked as refused',
    here: [sql`update operation set state = 'refused' where id = ${operation('plain.com', 'register')}`],
    found: ['entries:refused_though_bought', 'operations:refused_after_success'],
    name: 'plain.com',
  },
  {
    what: 'a done registration whose journal is lost is marked as refused; the domain is live',
    here: [
      sql`update operation set state = 'refused' where id = ${operation('plain.com', 'register')}`,
      sql`delete from registry_command where operation_id = ${operation('plain.com', 'register')}`,
    ],
    found: ['entries:refused_though_bought'],
    name: 'plain.com',
  },
  {
    what: 'a refused renewal was paid, without evidence that it was carried out',
    here: [
      sql`update operation set state = 'refused' where id = ${operation('plain.com', 'renew')}`,
      sql`delete from registry_command where operation_id = ${operation('plain.com', 'renew')}`,
    ],
    found: ['entries:captured_after_refusal'],
    name: 'plain.com',
  },
  {
    what: 'a settled purchase is open again',
    here: [sql`update operation set state = 'unknown' where id = ${operation('plain.com', 'buy_privacy')}`],
    found: ['entries:captured_while_open'],
    name: 'plain.com',
  },
  {
    what: 'a purchase names another operation',
    here: [
      sql`update ledger_transaction set operation_id = 'op_nobody' where id = ${purchase('plain.com', 'buy_privacy')}`,
    ],
    found: ['entries:purchase_without_operation', 'operations:operation_without_purchase'],
    name: 'plain.com',
  },
  {
    what: 'the transaction of an operation is missing',
    here: [sql`update operation set transaction_id = null where id = ${operation('two.org', 'register')}`],
    found: ['operations:operation_without_purchase'],
    name: 'two.org',
  },
  {
    what: 'a command was executed twice',
    here: [
      sql`insert into registry_command (cltrid, registry_id, operation_id, step, object, verb, name, frame_sealed, frame_sha256, state, result_code,
            prepared_at, answered_at)
          select cltrid || '-2', registry_id, operation_id, step, object, verb, name, frame_sealed, frame_sha256, state, result_code, prepared_at, answered_at
          from registry_command where operation_id = ${operation('plain.com', 'renew')} and step = 'renew'`,
    ],
    found: ['operations:sent_twice'],
    name: 'plain.com',
  },
  {
    what: 'the answer of a done order is missing',
    here: [
      sql`update registry_command set state = 'unknown', result_code = null, found = null where operation_id = ${operation('two.org', 'register')} and step = 'register'`,
    ],
    found: ['operations:done_without_answer'],
    name: 'two.org',
  },
  {
    what: 'an answer from long ago is not settled',
    here: [
      sql`update operation set state = 'unknown' where id = ${operation('dropped.com', 'delete')}`,
      sql`update registry_command set answered_at = now() - interval '1 day' where operation_id = ${operation('dropped.com', 'delete')}`,
    ],
    found: ['operations:answered_not_settled'],
    name: 'dropped.com',
  },
  {
    what: 'a refused order has a command without an answer',
    here: [
      sql`update registry_command set state = 'unknown', result_code = null where operation_id = ${operation('two.org', 'renew')} and step = 'renew'`,
    ],
    found: ['operations:refused_without_answer'],
    name: 'two.org',
  },
  {
    what: 'a carried-out delete is marked as refused',
    here: [sql`update operation set state = 'refused' where id = ${operation('dropped.com', 'delete')}`],
    found: ['operations:refused_after_success'],
    name: 'dropped.com',
  },
  {
    what: 'a carried-out delete is marked as refused after an operator queried it again',
    here: [
      sql`update operation set state = 'refused', decision = '{"says":"ask_again"}' where id = ${operation('dropped.com', 'delete')}`,
    ],
    found: ['operations:refused_after_success'],
    name: 'dropped.com',
  },
  // Domains
  {
    what: 'a domain exists that was not bought',
    here: [
      sql`insert into domain (reseller_id, customer_id, name, tld, registry_id, state, end_date, registry_created_at, created_at, updated_at)
          select reseller_id, customer_id, 'ghost.com', tld, registry_id, state, end_date, registry_created_at, created_at, updated_at
          from domain where name = 'plain.com'`,
    ],
    found: ['domains:live_unpaid', 'registry:held_here_not_there'],
    name: 'ghost.com',
  },
  {
    what: 'a term contains a year that was not paid',
    here: [sql`update domain set end_date = end_date + interval '1 year' where name = 'plain.com'`],
    found: ['domains:years_unpaid', 'registry:expiry_differs'],
    name: 'plain.com',
  },
  {
    what: 'a paid year is removed',
    here: [sql`update domain set end_date = end_date - interval '1 year' where name = 'plain.com'`],
    found: ['domains:years_overpaid', 'registry:expiry_differs'],
    name: 'plain.com',
  },
  {
    what: 'a domain belongs to a reseller that did not pay for it',
    here: [sql`update domain set reseller_id = ${child} where name = 'plain.com'`],
    found: ['domains:paid_by_another'],
    name: 'plain.com',
  },
  {
    what: 'a domain has the customer of another reseller',
    here: [
      sql`update domain set customer_id = (select customer_id from domain where name = 'chained.net') where name = 'plain.com'`,
    ],
    found: ['domains:customer_of_another'],
    name: 'plain.com',
  },
  {
    what: 'a paid domain is pending again',
    here: [sql`update domain set state = 'pending' where name = 'plain.com'`],
    found: ['domains:pending_without_operation', 'registry:held_there_not_here'],
    name: 'plain.com',
  },
  {
    what: 'a paid domain is a tombstone of a refused order',
    here: [
      sql`update domain set state = 'removed', removed_reason = 'refused', removed_at = now() where name = 'plain.com'`,
    ],
    found: ['domains:paid_and_refused', 'registry:held_there_not_here'],
    name: 'plain.com',
  },
  {
    what: 'a domain is a tombstone of a dropped domain',
    here: [
      sql`update domain set state = 'removed', removed_reason = 'dropped', removed_at = now() where name = 'two.org'`,
    ],
    found: ['registry:held_there_not_here'],
    name: 'two.org',
  },
  {
    what: 'privacy protection is on that was not bought',
    here: [sql`update domain set privacy_until = end_date where name = 'two.org'`],
    found: ['domains:privacy_unpaid'],
    name: 'two.org',
  },
  {
    what: 'privacy protection lasts beyond the end of the term',
    here: [sql`update domain set privacy_until = end_date + interval '200 days' where name = 'private.com'`],
    found: ['domains:privacy_too_long'],
    name: 'private.com',
  },
  {
    what: 'privacy protection that was paid for is cut off',
    here: [sql`update domain set privacy_until = privacy_until - interval '180 days' where name = 'private.com'`],
    found: ['domains:privacy_too_short'],
    name: 'private.com',
  },
  {
    what: 'privacy protection that was paid for is missing',
    here: [sql`update domain set privacy_until = null where name = 'private.com'`],
    found: ['domains:privacy_too_short'],
    name: 'private.com',
  },
  {
    what: 'one domain has two paid registrations',
    here: [sql`update ledger_transaction set action = 'create' where id = ${purchase('plain.com', 'renew')}`],
    found: ['domains:registered_twice'],
    name: 'plain.com',
  },
  {
    what: 'a domain left redemption without a restore',
    here: [sql`update domain set state = 'live' where name = 'deleted-in-grace.com'`],
    found: ['registry:state_differs'],
    name: 'deleted-in-grace.com',
  },
  // The registry
  {
    what: 'the registry charges twice',
    there: [
      sql`insert into statement (at, client_id, kind, command, domain, years, amount, balance_after)
          select at, client_id, kind, command, domain, years, amount, balance_after from statement where domain = 'plain.com' and command = 'create'`,
    ],
    found: ['registry:payable_differs'],
    name: 'plain.com',
    advises: /charged more than the ledger owes/,
  },
  {
    what: 'the registry charged nothing for what we owe',
    there: [sql`delete from statement where domain = 'plain.com' and command = 'create'`],
    found: ['registry:payable_differs'],
    name: 'plain.com',
    advises: /charged less than the ledger owes/,
  },
  {
    what: 'the registry does not refund a delete that we refunded',
    there: [sql`delete from statement where domain = 'regret.com' and kind = 'refund'`],
    found: ['registry:payable_differs'],
    name: 'regret.com',
  },
  {
    what: 'the charge of an auto-renewal is missing in the ledger',
    here: [
      sql`select ledger_registry_charge_end(now(), t.id, 'cancelled') from ledger_transaction t join domain d on d.id = t.domain_id
          where t.type = 'registry' and d.name = 'open.com'`,
    ],
    found: ['registry:payable_differs'],
    name: 'open.com',
  },
  {
    what: 'the registry transfers a domain to another registrar',
    there: [
      sql`update domain set sponsor = (select client_id from registrar where client_id <> 'namehold' limit 1) where name = 'two.org'`,
    ],
    found: ['registry:held_here_not_there'],
    name: 'two.org',
  },
  {
    what: 'the registry holds a domain that is not in the database',
    there: [
      sql`insert into domain (name, tld, sponsor, creator, created_at, expires_at, phase, due_at)
          select 'stray.org', tld, sponsor, creator, created_at, expires_at, phase, due_at from domain where name = 'two.org'`,
    ],
    found: ['registry:held_there_not_here'],
    name: 'stray.org',
  },
  {
    what: 'the registry shortens a term',
    there: [sql`update domain set expires_at = expires_at - interval '1 year' where name = 'plain.com'`],
    found: ['registry:expiry_differs'],
    name: 'plain.com',
  },
  {
    what: 'an unpaid domain is ahead at the registry by more years than were auto-renewed',
    there: [sql`update domain set expires_at = expires_at + interval '3 years' where name = 'open.com'`],
    found: ['registry:expiry_differs'],
    name: 'open.com',
  },
  {
    what: 'the registry refunds money that we did not refund',
    there: [
      sql`insert into statement (at, client_id, kind, command, domain, years, amount, balance_after)
          select at, client_id, 'refund', command, domain, years, amount, balance_after from statement where domain = 'plain.com' and command = 'create'`,
    ],
    found: ['registry:registry_gave_back'],
    name: 'plain.com',
    says: /reseller 1000 paid 12\.39 USD for it with transaction \d+/,
  },
  {
    what: 'the registry charges for a domain that is not in the database',
    there: [
      sql`insert into statement (at, client_id, kind, command, domain, years, amount, balance_after)
          select at, client_id, kind, command, 'stray.com', years, amount, balance_after from statement where domain = 'plain.com' and command = 'create'`,
    ],
    found: ['registry:payable_differs'],
    name: 'stray.com',
  },
];
