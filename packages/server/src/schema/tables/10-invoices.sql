-- oldest release: 0.2.0
-- Invoices, credit notes, taxes and incoming payments (decisions 0051 to 0057).

-- How a reseller's documents look. Null: as in the account.
create table invoice_settings (
  reseller_id bigint primary key references reseller (id),
  name text,
  address text[] check (cardinality(address) <= 6),
  country_code text check (country_code ~ '^[A-Z]{2}$'),
  tax_id text,
  footer text,
  -- With `{year}`, each year begins with number 1.
  prefix text not null default 'INV-{year}-',
  credit_prefix text not null default 'CN-{year}-',
  due_days integer not null default 14 check (due_days >= 0 and due_days <= 365),
  -- Whether prices for customers include tax. Otherwise it is added to the bill.
  includes_tax boolean not null default true,
  logo bytea check (octet_length(logo) <= 262144),
  logo_type text check (logo_type in ('image/png', 'image/jpeg')),
  updated_at timestamptz not null,
  constraint invoice_settings_check1 check (prefix <> credit_prefix),
  check ((logo is null) = (logo_type is null))
);
alter table invoice_settings enable row level security;

-- Tax rates that a reseller applies.
create table tax_rate (
  id bigint generated always as identity primary key,
  reseller_id bigint not null references reseller (id),
  -- Null: every country without its own row.
  country_code text check (country_code ~ '^[A-Z]{2}$'),
  buyer text not null check (buyer in ('business', 'private', 'any')),
  name text not null,
  -- Thousandths of a percent: 11 % is 11000.
  rate integer not null check (rate >= 0 and rate <= 100000),
  -- Printed on the document: why there is no tax, or who owes it.
  note text,
  valid_from date not null,
  -- The last day. Null: until further notice.
  valid_until date,
  check (valid_until >= valid_from)
);
create index tax_rate_reseller on tax_rate (reseller_id);
alter table tax_rate enable row level security;

-- The last number of each series. Its row stays locked until the document exists, so no number is missing.
create table invoice_series (
  reseller_id bigint not null references reseller (id),
  series text not null,
  last bigint not null check (last > 0),
  primary key (reseller_id, series)
);
alter table invoice_series enable row level security;

-- Invoices and credit notes.
create table invoice (
  id text primary key,
  kind text not null check (kind in ('invoice', 'credit_note')),
  reseller_id bigint not null references reseller (id),
  customer_id bigint,
  child_id bigint references reseller (id),
  state text not null check (state in ('draft', 'open', 'paid', 'void', 'credited')),
  -- A draft has no number. A void draft never gets one.
  series text,
  place bigint check (place > 0),
  number text,
  issued_at timestamptz,
  issued_on date,
  due_on date,
  settled_at timestamptz,
  -- The customer's bill. Invoices to sub-resellers have a period instead.
  bill_id bigint references ledger_transaction (id),
  period date,
  -- Of a credit note: the invoice that it corrects.
  corrects_id text references invoice (id),
  reason text,
  -- Why a draft is not issued.
  waits_for text,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  net bigint not null,
  tax bigint not null check (tax >= 0),
  total bigint generated always as (net + tax) stored not null check (total >= 0),
  paid bigint not null default 0,
  credited bigint not null default 0,
  -- Seller and buyer as they were at issue.
  seller jsonb not null,
  buyer jsonb not null,
  lines jsonb not null check (jsonb_typeof(lines) = 'array'),
  taxes jsonb not null check (jsonb_typeof(taxes) = 'array'),
  created_at timestamptz not null,
  constraint invoice_number unique (reseller_id, series, place),
  foreign key (reseller_id, customer_id) references customer (reseller_id, id),
  constraint invoice_check3 check ((kind = 'credit_note') = (corrects_id is not null)),
  constraint invoice_check2 check ((customer_id is null) <> (child_id is null)),
  constraint invoice_issued check ((state in ('draft', 'void')) = (number is null) and (num_nulls(series, place, number, issued_at, issued_on, due_on) = any (array[0, 6]))),
  constraint invoice_settled check ((settled_at is null) = (state in ('draft', 'open'))),
  constraint invoice_check4 check ((bill_id is null) = (customer_id is null) and (period is null) = (child_id is null)),
  check (paid >= 0 and paid <= total),
  constraint invoice_check1 check (credited >= 0 and credited <= total)
);
create unique index invoice_of_bill on invoice (bill_id) where kind = 'invoice' and (state in ('draft', 'open', 'paid'));
create index invoice_reseller on invoice (reseller_id, id);
create index invoice_customer on invoice (customer_id, id) where customer_id is not null;
create index invoice_child on invoice (child_id, id) where child_id is not null;
create index invoice_bill on invoice (bill_id) where bill_id is not null;
create index invoice_corrects on invoice (corrects_id) where corrects_id is not null;
create index invoice_open on invoice (due_on) where state = 'open';
create index invoice_draft on invoice (reseller_id) where state = 'draft';
alter table invoice enable row level security;

-- Bills whose documents must be checked. Rows are only added, so a payment never waits for a document.
create table invoice_due (
  id bigint generated always as identity primary key,
  bill_id bigint not null references ledger_transaction (id),
  asked_at timestamptz not null default now()
);
create index invoice_due_bill on invoice_due (bill_id);
alter table invoice_due enable row level security;

-- The charges of a sub-reseller's monthly invoice. Each charge is invoiced once.
create table invoice_charge (
  transaction_id bigint not null references ledger_transaction (id),
  invoice_id text not null references invoice (id),
  amount bigint not null check (amount > 0),
  -- What credit notes took back.
  credited bigint not null default 0,
  -- What the seller returned as deposits by credit notes, besides refunds of the purchase.
  given bigint not null default 0 check (given >= 0),
  -- The invoice that was issued instead and contains the charge now.
  replaced_by text references invoice (id),
  primary key (invoice_id, transaction_id),
  check (credited >= 0 and credited <= amount),
  constraint invoice_charge_replaced check (replaced_by is null or credited = amount)
);
create index invoice_charge_transaction on invoice_charge (transaction_id);
create unique index invoice_charge_standing on invoice_charge (transaction_id) where replaced_by is null;
alter table invoice_charge enable row level security;

-- The months for which an account invoices the accounts below it (decision 0057). A month that has ended is invoiced even after
-- the setting changed.
create table invoice_months (
  reseller_id bigint not null references reseller (id),
  since date not null check (EXTRACT(day from since) = 1::numeric),
  -- The last month. Null: no end. Before `since`: switched off within its first month.
  until date check (EXTRACT(day from until) = 1::numeric),
  -- The last month that was closed.
  through date check (EXTRACT(day from through) = 1::numeric),
  primary key (reseller_id, since)
);
create unique index invoice_months_open on invoice_months (reseller_id) where until is null;
alter table invoice_months enable row level security;

-- When a reseller reminds of unpaid invoices.
create table invoice_reminder_settings (
  reseller_id bigint primary key references reseller (id),
  -- Days after the due date.
  days integer[] not null check (cardinality(days) >= 1 and cardinality(days) <= 10 and 1 <= all (days) and 365 >= all (days)),
  updated_at timestamptz not null
);
alter table invoice_reminder_settings enable row level security;

-- Reminders that were due, each once.
create table invoice_reminder (
  invoice_id text not null references invoice (id),
  days integer not null,
  told_at timestamptz not null,
  -- Null: a later reminder was sent instead, or the seller sends this kind itself.
  notice_id text,
  primary key (invoice_id, days)
);
alter table invoice_reminder enable row level security;

-- How a seller receives money: a provider or a bank account (decision 0052).
create table payment_account (
  reseller_id bigint not null references reseller (id),
  provider text not null,
  -- What payers see, for example a bank account. Not secret.
  details text not null,
  -- The secret that signs the provider's notices.
  secret_sealed text,
  updated_at timestamptz not null,
  primary key (reseller_id, provider)
);
alter table payment_account enable row level security;

-- A payment that a seller awaits.
create table expected_payment (
  id text primary key,
  -- The payee. The payer is its customer or a direct child account.
  reseller_id bigint not null references reseller (id),
  customer_id bigint,
  payer_id bigint references reseller (id),
  provider text not null,
  -- What the payer quotes, with check digits.
  reference text not null unique,
  amount bigint not null check (amount > 0),
  received bigint not null default 0 check (received >= 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  description text not null,
  -- The bills that it pays. Empty: a deposit.
  bill_ids bigint[] not null default '{}',
  state text not null check (state in ('open', 'paid', 'cancelled')),
  -- Of bills: `due` from the arrival of the money until they are paid, or the money stays on the balance.
  settlement text check (settlement in ('due', 'done', 'refused')),
  settlement_reason text,
  created_at timestamptz not null,
  paid_at timestamptz,
  -- What was taken back.
  charged_back bigint not null default 0,
  foreign key (reseller_id, customer_id) references customer (reseller_id, id),
  check ((customer_id is null) <> (payer_id is null)),
  constraint expected_payment_check1 check (cardinality(bill_ids) = 0 or customer_id is not null),
  constraint expected_payment_check3 check (state <> 'paid' or received >= amount),
  constraint expected_payment_check2 check ((paid_at is not null) = (state = 'paid')),
  constraint expected_payment_charged_back check (charged_back >= 0 and charged_back <= received)
);
create index expected_payment_reseller on expected_payment (reseller_id, id desc);
create index expected_payment_payer on expected_payment (payer_id, id desc) where payer_id is not null;
create index expected_payment_due on expected_payment (id) where settlement = 'due';
create index expected_payment_part on expected_payment (id) where state = 'open' and received > 0;
alter table expected_payment enable row level security;

-- Incoming payments and charge-backs, each once, by the id of the provider or bank.
create table payment (
  id text primary key,
  reseller_id bigint not null references reseller (id),
  provider text not null,
  event_id text not null,
  expected_id text references expected_payment (id),
  fate text not null,
  reference text,
  amount bigint,
  currency text,
  -- The resulting deposit. Null: the payer could not be determined.
  transaction_id bigint references ledger_transaction (id),
  received_at timestamptz not null,
  -- The day of the entry as the bank wrote it.
  entry_date text,
  -- Credited from a line of a bank statement. Payments of earlier releases have no line.
  from_line boolean not null default false,
  -- Null: from a release that did not store it.
  is_charge_back boolean,
  -- An operator decided that this charge-back needs no debit.
  accepted_at timestamptz,
  constraint payment_once unique (reseller_id, provider, event_id),
  check ((transaction_id is null) = (expected_id is null))
);
create unique index payment_transaction on payment (transaction_id) where transaction_id is not null;
create index payment_expected on payment (expected_id) where expected_id is not null;
create index payment_charge_back_pending on payment (reseller_id, reference, id) where is_charge_back and expected_id is null and accepted_at is null;
alter table payment enable row level security;

-- Lines of bank statements that name an expected payment, to recognise a line that is imported again in another format.
create table statement_line (
  id bigint generated always as identity primary key,
  reseller_id bigint not null references reseller (id),
  provider text not null,
  expected_id text not null references expected_payment (id),
  -- The payment that was credited from it. Null: not credited.
  payment_id text references payment (id),
  -- Hash of the normalised cells and of the position among equal lines.
  line_key text not null,
  nth integer not null check (nth > 0),
  -- Hash of the column names, which is the format.
  columns_key text not null,
  -- Hash of each cell by column name. Not the text, which names payers and their accounts.
  cells jsonb not null,
  -- The bank's own id of the entry.
  own_id text,
  entry_date text,
  amount bigint,
  currency text not null,
  fate text not null,
  imported_at timestamptz not null,
  -- An operator decided that it needs no credit.
  accepted_at timestamptz,
  -- The payment that corrected a line that could not be credited.
  settled_by text references payment (id),
  constraint statement_line_once unique (reseller_id, provider, line_key, nth)
);
create unique index statement_line_format on statement_line (payment_id, columns_key) where payment_id is not null;
create index statement_line_own_id on statement_line (reseller_id, provider, own_id) where own_id is not null;
create index statement_line_expected on statement_line (expected_id);
create index statement_line_uncredited on statement_line (reseller_id, id) where payment_id is null and accepted_at is null;
create index statement_line_settled_by on statement_line (settled_by) where settled_by is not null;
alter table statement_line enable row level security;

-- An order that waits for the payment of its customer (decision 0044).
create table waiting_order (
  -- The customer's bill.
  transaction_id bigint primary key references ledger_transaction (id),
  reseller_id bigint not null references reseller (id),
  customer_id bigint not null,
  domain_id bigint not null,
  -- What is sold.
  kind text not null,
  -- The order. It can contain an auth code of another registrar.
  order_sealed text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  foreign key (reseller_id, customer_id) references customer (reseller_id, id),
  foreign key (reseller_id, domain_id) references domain (reseller_id, id)
);
create index waiting_order_expiry on waiting_order (expires_at);
create index waiting_order_domain on waiting_order (domain_id);
create index waiting_order_customer on waiting_order (customer_id);
alter table waiting_order enable row level security;
