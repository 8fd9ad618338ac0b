-- oldest release: 0.1.0
-- Money comes in through providers (decision 0052): what a seller waits for, and what came.
create table payment_account (
  reseller_id bigint not null references reseller (id),
  provider text not null,
  -- What payers are shown: a bank, the number of an account. No secret.
  details text not null,
  -- What the provider signs its notices with.
  secret_sealed text,
  updated_at timestamptz not null,
  primary key (reseller_id, provider)
);
alter table payment_account enable row level security;
create policy own on payment_account to namehold_app using (reseller_id = (select current_tenant())) with check (reseller_id = (select current_tenant()));
create policy clockwork on payment_account to namehold_clockwork using (true) with check (true);
grant select, insert, update on payment_account to namehold_app, namehold_clockwork;

create table expected_payment (
  id text primary key,
  -- Who is paid, and who pays: a customer of it, or a direct child.
  reseller_id bigint not null references reseller (id),
  customer_id bigint,
  payer_id bigint references reseller (id),
  provider text not null,
  -- What the payer writes down; with check digits.
  reference text not null unique,
  amount bigint not null check (amount > 0),
  received bigint not null default 0 check (received >= 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  description text not null,
  -- What it shall pay as soon as it is there; none: a deposit.
  bill_ids bigint[] not null default '{}',
  state text not null check (state in ('open', 'paid', 'cancelled')),
  -- Of bills: `due` from when the money is there until they are paid, or cannot be and it stays on the balance.
  settlement text check (settlement in ('due', 'done', 'refused')),
  settlement_reason text,
  created_at timestamptz not null,
  paid_at timestamptz,
  check ((customer_id is null) <> (payer_id is null)),
  check (cardinality(bill_ids) = 0 or customer_id is not null),
  check ((paid_at is not null) = (state = 'paid')),
  check (state <> 'paid' or received >= amount),
  foreign key (reseller_id, customer_id) references customer (reseller_id, id)
);
create index expected_payment_reseller on expected_payment (reseller_id, id desc);
create index expected_payment_payer on expected_payment (payer_id, id desc) where payer_id is not null;
create index expected_payment_due on expected_payment (id) where settlement = 'due';
alter table expected_payment enable row level security;
create policy seller_and_payer on expected_payment for select to namehold_app
  using (reseller_id = (select current_tenant()) or payer_id = (select current_tenant()));
create policy clockwork on expected_payment to namehold_clockwork using (true) with check (true);
grant select on expected_payment to namehold_app;
grant select, insert, update on expected_payment to namehold_clockwork;

-- Each once: what a provider, a bank or a person told, by the id that they know it by. Rows are only added.
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
  -- The deposit that it became; none: it could not be told whose it is.
  transaction_id bigint references ledger_transaction (id),
  received_at timestamptz not null,
  check ((transaction_id is null) = (expected_id is null)),
  constraint payment_once unique (reseller_id, provider, event_id)
);
create unique index payment_transaction on payment (transaction_id) where transaction_id is not null;
create index payment_expected on payment (expected_id) where expected_id is not null;
alter table payment enable row level security;
create policy own on payment for select to namehold_app using (
  reseller_id = (select current_tenant()) or exists (select from expected_payment x where x.id = expected_id and x.payer_id = (select current_tenant())));
create policy clockwork on payment to namehold_clockwork using (true) with check (true);
grant select on payment to namehold_app;
grant select, insert on payment to namehold_clockwork;
