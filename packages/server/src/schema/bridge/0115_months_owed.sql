-- oldest release: 0.1.0
-- For which months a parent sends invoices to the resellers below it (decision 0057). A month that ended while it wanted them is owed one, also when it
-- wants none any more: so what was wanted when is kept, span by span.
create table invoice_months (
  reseller_id bigint not null references reseller (id),
  since date not null check (extract(day from since) = 1),
  -- The last month; null: it goes on. Before `since`: it was switched off within its first month.
  until date check (extract(day from until) = 1),
  -- The last month that was closed.
  through date check (extract(day from through) = 1),
  primary key (reseller_id, since)
);
create unique index invoice_months_open on invoice_months (reseller_id) where until is null;
alter table invoice_months enable row level security;
create policy own on invoice_months to namehold_app using (reseller_id = (select current_tenant()));
create policy clockwork on invoice_months to namehold_clockwork using (true) with check (true);
grant select, insert, update on invoice_months to namehold_app;
revoke delete, truncate on invoice_months from namehold_clockwork;

insert into invoice_months (reseller_id, since, through)
select reseller_id, child_invoices_since, child_invoices_through from invoice_settings where child_invoices_since is not null;
alter table invoice_settings drop column child_invoices_since, drop column child_invoices_through;
