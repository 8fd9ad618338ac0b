-- oldest release: 0.1.0
-- Unpaid invoices are reminded of, on days that their seller sets; each once.
create table invoice_reminder_settings (
  reseller_id bigint primary key references reseller (id),
  -- Days after the due date.
  days integer[] not null check (cardinality(days) between 1 and 10 and 1 <= all (days) and 365 >= all (days)),
  updated_at timestamptz not null
);
alter table invoice_reminder_settings enable row level security;
create policy own on invoice_reminder_settings to namehold_app using (reseller_id = (select current_tenant())) with check (reseller_id = (select current_tenant()));
create policy clockwork on invoice_reminder_settings to namehold_clockwork using (true) with check (true);
grant select, insert, update, delete on invoice_reminder_settings to namehold_app;
grant select on invoice_reminder_settings to namehold_clockwork;

create table invoice_reminder (
  invoice_id text not null references invoice (id),
  days integer not null,
  told_at timestamptz not null,
  -- Null: its day was missed, and a later one was told instead; or its seller tells of this kind by itself.
  notice_id text,
  primary key (invoice_id, days)
);
alter table invoice_reminder enable row level security;
create policy clockwork on invoice_reminder to namehold_clockwork using (true) with check (true);
grant select, insert on invoice_reminder to namehold_clockwork;
