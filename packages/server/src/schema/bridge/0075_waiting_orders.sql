-- oldest release: 0.1.0
-- An order that waits for its customer's payment (decision 0044). A new name has its row, and the row stands in nobody's way: it enters the index
-- of names when the order runs.
alter table domain drop constraint domain_state_check,
  add constraint domain_state_check check (
    state in ('pending', 'live', 'redemption', 'pending_restore', 'pending_delete', 'pending_transfer', 'removed', 'unpaid'));
drop index domain_name_once;
create unique index domain_name_once on domain (name) where state not in ('removed', 'unpaid');
drop policy only_pending on domain;
create policy only_pending on domain as restrictive for insert to namehold_app with check (state in ('pending', 'unpaid'));

create table waiting_order (
  -- The customer's bill.
  transaction_id bigint primary key references ledger_transaction (id),
  reseller_id bigint not null references reseller (id),
  customer_id bigint not null,
  domain_id bigint not null,
  -- What is sold.
  kind text not null,
  -- The order itself: a code of another registrar may be in it.
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
create policy own on waiting_order to namehold_app using (reseller_id = (select current_tenant()))
  -- Its bill is this customer's, and waits.
  with check (reseller_id = (select current_tenant()) and exists (
    select from ledger_transaction t where t.id = transaction_id and t.reseller_id = waiting_order.reseller_id and t.customer_id = waiting_order.customer_id
      and t.status = 'unpaid' and t.operation_id is null));
create policy clockwork on waiting_order to namehold_clockwork using (true) with check (true);
grant select, insert on waiting_order to namehold_app;
