-- oldest release: 0.1.0
-- Lines of bank statements that name an expected payment, so that a line is recognised by all its cells in whichever format it is exported again,
-- and so that reconciliation can compare lines with credits.
create table statement_line (
  id bigint generated always as identity primary key,
  reseller_id bigint not null references reseller (id),
  provider text not null,
  expected_id text not null references expected_payment (id),
  -- The payment that the line was credited as; null: not credited. A line that was exported in several formats has a row for each.
  payment_id text references payment (id),
  -- Hash of the normalised cells, and the position among equal lines of its file.
  line_key text not null,
  nth integer not null check (nth > 0),
  -- Hash of the names of its columns: the format.
  columns_key text not null,
  -- Hash of each normalised cell by the name of its column. Not the text: it names payers and their accounts.
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
  constraint statement_line_once unique (reseller_id, provider, line_key, nth)
);
create unique index statement_line_format on statement_line (payment_id, columns_key) where payment_id is not null;
create index statement_line_own_id on statement_line (reseller_id, provider, own_id) where own_id is not null;
create index statement_line_expected on statement_line (expected_id);
create index statement_line_uncredited on statement_line (reseller_id, id) where payment_id is null and accepted_at is null;
alter table statement_line enable row level security;
create policy own on statement_line for select to namehold_app using (reseller_id = (select current_tenant()));
create policy customer_acts on statement_line as restrictive to namehold_app using ((select acting_customer()) is null);
create policy clockwork on statement_line to namehold_clockwork using (true) with check (true);
grant select on statement_line to namehold_app;
grant select, insert, update on statement_line to namehold_clockwork;
revoke delete, truncate on statement_line from namehold_clockwork;

-- Whether a payment was credited from a line of a statement. Payments of earlier releases have no line: those are recognised by amount, reference and day.
alter table payment add column from_line boolean not null default false;
