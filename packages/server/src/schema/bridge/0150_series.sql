-- oldest release: 0.1.0
-- What is drawn over time (decision 0077), folded by a job so that nobody counts a million rows to draw forty points.

-- How long registries took to answer commands, and nameservers to have a change: by the hour in which the command or the change was made, of the wall
-- clock. The operator's own, so no tenant.
create table wait_hour (
  kind text not null check (kind in ('registry', 'nameserver')),
  -- The registry or nameserver; no reference: what was measured stays when it goes.
  subject text not null,
  -- `domain:create`; of nameservers `publish`.
  command text not null,
  hour timestamptz not null,
  -- Answered at all; of these, with a failure of the other side; and not answered.
  answered bigint not null,
  failed bigint not null,
  unknown bigint not null,
  -- How many took so long, by the number of the class (core/series/wait-classes.ts).
  waits jsonb not null check (jsonb_typeof(waits) = 'object'),
  primary key (kind, subject, hour, command)
);
create index wait_hour_hour on wait_hour (kind, hour);
alter table wait_hour enable row level security;
create policy clockwork on wait_hour to namehold_clockwork using (true) with check (true);
create policy customer_acts on wait_hour as restrictive to namehold_app using ((select acting_customer()) is null);

-- Commands prepared before this are folded.
create table wait_mark (
  only_one boolean primary key default true check (only_one),
  folded_to timestamptz not null
);
alter table wait_mark enable row level security;
create policy clockwork on wait_mark to namehold_clockwork using (true) with check (true);
create policy customer_acts on wait_mark as restrictive to namehold_app using ((select acting_customer()) is null);

-- Names that came and were renewed, by month (UTC) of the business clock, as events told.
create table name_month (
  reseller_id bigint not null references reseller (id),
  month date not null,
  what text not null check (what in ('registered', 'arrived', 'moved_in', 'renewed')),
  names bigint not null,
  primary key (reseller_id, month, what)
);
alter table name_month enable row level security;
create policy own on name_month to namehold_app using (reseller_id = (select current_tenant()));
create policy clockwork on name_month to namehold_clockwork using (true) with check (true);
create policy customer_acts on name_month as restrictive to namehold_app using ((select acting_customer()) is null);
grant select on name_month to namehold_app;

-- Events of a reseller up to this number are in it. Numbers have no gaps and become visible in their order, so none is counted twice or left out.
create table name_month_mark (
  reseller_id bigint primary key references reseller (id),
  number bigint not null
);
alter table name_month_mark enable row level security;
create policy own on name_month_mark to namehold_app using (reseller_id = (select current_tenant()));
create policy clockwork on name_month_mark to namehold_clockwork using (true) with check (true);
create policy customer_acts on name_month_mark as restrictive to namehold_app using ((select acting_customer()) is null);
grant select on name_month_mark to namehold_app;

-- What an event says of the number of names; null: nothing.
create function name_month_what(in_type text) returns text language sql immutable parallel safe set search_path = pg_catalog, public, pg_temp as $$
  select case in_type
    when 'domain.registered' then 'registered'
    when 'domain.transferred_in' then 'arrived' when 'domain.imported' then 'arrived' when 'domain.found_again' then 'arrived'
    when 'domain.moved_in' then 'moved_in'
    when 'domain.renewed' then 'renewed' end
$$;
grant execute on function name_month_what to namehold_app;

-- Names that were lost, by when: orders that came to nothing never were ours.
create index domain_lost on domain (reseller_id, removed_at, removed_reason)
  where state = 'removed' and removed_reason not in ('refused', 'cancelled');

-- Money on hold by its age.
create index ledger_transaction_held on ledger_transaction (reseller_id, created_at) where status = 'pending';
