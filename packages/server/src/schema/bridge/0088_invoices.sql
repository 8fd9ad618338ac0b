-- oldest release: 0.1.0
-- Documents about bills (decision 0051): invoices and credit notes, their numbers, and the tax that stands on them.

-- How a reseller's documents look. What is null is as the account has it.
create table invoice_settings (
  reseller_id bigint primary key references reseller (id),
  name text,
  address text[] check (cardinality(address) <= 6),
  country_code text check (country_code ~ '^[A-Z]{2}$'),
  tax_id text,
  footer text,
  -- `{year}` in it is the year of issue: then each year begins with 1.
  prefix text not null default 'INV-{year}-',
  credit_prefix text not null default 'CN-{year}-',
  due_days integer not null default 14 check (due_days between 0 and 365),
  -- Whether prices for customers have the tax in them; else it is added when a bill is made.
  includes_tax boolean not null default true,
  logo bytea check (octet_length(logo) <= 262144),
  logo_type text check (logo_type in ('image/png', 'image/jpeg')),
  updated_at timestamptz not null,
  check ((logo is null) = (logo_type is null)),
  check (prefix <> credit_prefix)
);
alter table invoice_settings enable row level security;
create policy own on invoice_settings to namehold_app using (reseller_id = (select current_tenant()));
create policy clockwork on invoice_settings to namehold_clockwork using (true) with check (true);
grant select, insert, update on invoice_settings to namehold_app;

-- A customer with one is a business.
alter table customer add column tax_id text;

create table tax_rate (
  id bigint generated always as identity primary key,
  reseller_id bigint not null references reseller (id),
  -- Null: every country that has no row of its own.
  country_code text check (country_code ~ '^[A-Z]{2}$'),
  buyer text not null check (buyer in ('business', 'private', 'any')),
  name text not null,
  -- In thousandths of a percent: 11 % is 11000.
  rate integer not null check (rate between 0 and 100000),
  -- What stands on the document beside it: why there is none, who owes it.
  note text,
  valid_from date not null,
  -- The last day; null: until further notice.
  valid_until date check (valid_until >= valid_from)
);
create index tax_rate_reseller on tax_rate (reseller_id);
alter table tax_rate enable row level security;
create policy own on tax_rate to namehold_app using (reseller_id = (select current_tenant()));
create policy clockwork on tax_rate to namehold_clockwork using (true) with check (true);
grant select, insert, delete on tax_rate to namehold_app;

-- The last number of each series. Its row is locked by who takes the next one until the document is there, so none is ever left out.
create table invoice_series (
  reseller_id bigint not null references reseller (id),
  series text not null,
  last bigint not null check (last > 0),
  primary key (reseller_id, series)
);
alter table invoice_series enable row level security;
create policy own on invoice_series to namehold_app using (reseller_id = (select current_tenant()));
create policy clockwork on invoice_series to namehold_clockwork using (true) with check (true);

create table invoice (
  id text primary key,
  kind text not null check (kind in ('invoice', 'credit_note')),
  -- The seller, and one buyer.
  reseller_id bigint not null references reseller (id),
  customer_id bigint,
  child_id bigint references reseller (id),
  state text not null check (state in ('draft', 'open', 'paid', 'void', 'credited')),
  -- A draft has no number and is no invoice; void, it never becomes one.
  series text,
  place bigint check (place > 0),
  number text,
  issued_at timestamptz,
  issued_on date,
  due_on date,
  settled_at timestamptz,
  -- The bill of a customer that it is about; of a child: the month.
  bill_id bigint references ledger_transaction (id),
  period date,
  -- Of a credit note: what it takes back, and why.
  corrects_id text references invoice (id),
  reason text,
  -- Why a draft is not issued.
  waits_for text,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  net bigint not null,
  tax bigint not null check (tax >= 0),
  total bigint not null generated always as (net + tax) stored check (total >= 0),
  paid bigint not null default 0 check (paid between 0 and total),
  credited bigint not null default 0 check (credited between 0 and total),
  -- Both as they were at that moment.
  seller jsonb not null,
  buyer jsonb not null,
  lines jsonb not null check (jsonb_typeof(lines) = 'array'),
  taxes jsonb not null check (jsonb_typeof(taxes) = 'array'),
  created_at timestamptz not null,
  foreign key (reseller_id, customer_id) references customer (reseller_id, id),
  check ((customer_id is null) <> (child_id is null)),
  check ((kind = 'credit_note') = (corrects_id is not null)),
  check ((bill_id is null) = (customer_id is null) and (period is null) = (child_id is null)),
  constraint invoice_issued check ((state in ('draft', 'void')) = (number is null)
    and num_nulls(series, place, number, issued_at, issued_on, due_on) in (0, 6)),
  constraint invoice_settled check ((settled_at is null) = (state in ('draft', 'open'))),
  constraint invoice_number unique (reseller_id, series, place)
);
-- One document stands for a bill, and one of each kind for a month of a child.
create unique index invoice_of_bill on invoice (bill_id) where kind = 'invoice' and state in ('draft', 'open', 'paid');
create unique index invoice_of_month on invoice (reseller_id, child_id, period, currency, kind) where child_id is not null and state <> 'void';
create index invoice_reseller on invoice (reseller_id, id);
create index invoice_customer on invoice (customer_id, id) where customer_id is not null;
create index invoice_child on invoice (child_id, id) where child_id is not null;
create index invoice_bill on invoice (bill_id) where bill_id is not null;
create index invoice_corrects on invoice (corrects_id) where corrects_id is not null;
create index invoice_open on invoice (due_on) where state = 'open';
create index invoice_draft on invoice (reseller_id) where state = 'draft';
alter table invoice enable row level security;
create policy seller on invoice to namehold_app using (reseller_id = (select current_tenant()));
-- A child reads what it was sent.
create policy child on invoice for select to namehold_app using (child_id = (select current_tenant()) and number is not null);
create policy clockwork on invoice to namehold_clockwork using (true) with check (true);
grant select on invoice, invoice_series to namehold_app;
revoke delete, truncate on invoice, invoice_series from namehold_clockwork;

-- What was issued stays as it is: only what has been paid and taken back of it moves on, and never backwards.
create function invoice_kept() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op <> 'UPDATE' then
    raise exception 'documents are kept' using errcode = 'restrict_violation', constraint = 'invoice_kept';
  end if;
  if old.number is null and old.state = 'draft' then return new; end if;
  -- The total follows from net and tax, and is not reckoned yet here.
  if to_jsonb(new) - array['state', 'paid', 'credited', 'settled_at', 'total'] is distinct from
      to_jsonb(old) - array['state', 'paid', 'credited', 'settled_at', 'total']
    or new.credited < old.credited or new.paid < old.paid or old.state = 'void' or (old.state = 'credited' and new.state <> 'credited')
    or new.state in ('draft', 'void') then
    raise exception 'document % does not change after it was issued', coalesce(old.number, old.id) using errcode = 'restrict_violation', constraint = 'invoice_kept';
  end if;
  return new;
end
$$;
create trigger invoice_kept before update or delete on invoice for each row execute function invoice_kept();
create function invoice_series_grows() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'DELETE' or new.last is distinct from old.last + 1 or (new.reseller_id, new.series) is distinct from (old.reseller_id, old.series) then
    raise exception 'numbers of series % follow one another', old.series using errcode = 'restrict_violation', constraint = 'invoice_series_grows';
  end if;
  return new;
end
$$;
create trigger invoice_series_grows before update or delete on invoice_series for each row execute function invoice_series_grows();

-- Bills whose documents have to be looked at. Only added to, so that no payment ever waits for a document.
create table invoice_due (
  id bigint generated always as identity primary key,
  bill_id bigint not null references ledger_transaction (id),
  asked_at timestamptz not null default now()
);
create index invoice_due_bill on invoice_due (bill_id);
alter table invoice_due enable row level security;
create policy clockwork on invoice_due to namehold_clockwork using (true) with check (true);

-- Every change of a bill asks for a look at its documents; a payment is on its invoice at once.
create function invoice_follows_bill() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into invoice_due (bill_id) values (new.id);
  if tg_op = 'UPDATE' and new.captured > 0 then
    update invoice i set paid = new.captured, settled_at = coalesce(i.settled_at, new.settled_at), state = 'paid'
    where i.bill_id = new.id and i.kind = 'invoice' and i.state = 'open' and new.status in ('completed', 'refunded');
  end if;
  return null;
end
$$;
create trigger invoice_follows_bill after insert or update on ledger_transaction for each row
  when (new.customer_id is not null and new.type in ('domain', 'privacy_protect')) execute function invoice_follows_bill();
-- Bills from before there were documents get theirs.
insert into invoice_due (bill_id) select id from ledger_transaction where customer_id is not null and type in ('domain', 'privacy_protect');

-- Bills to look at, each with the fate of its purchase, locked as whoever pays them locks them. What somebody is at just now comes later.
create function invoice_take(in_after bigint, in_limit integer)
returns table (bill_id bigint, reseller_id bigint, customer_id bigint, status text, purchase_status text, amount bigint, captured bigint, credited bigint,
               refunded bigint, currency text, description text, action text, years integer, domain_id bigint, domain_name text, settled_at timestamptz, sold_at timestamptz)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  taken bigint[];
begin
  if not is_clockwork() then raise exception 'documents are made by the clockwork' using errcode = 'insufficient_privilege'; end if;
  select array_agg(b.id) into taken from (
    select t.id from ledger_transaction t
    where t.id in (select d.bill_id from invoice_due d where d.bill_id > in_after order by d.bill_id limit in_limit)
    order by t.id for no key update skip locked) b;
  return query
    select t.id, t.reseller_id, t.customer_id, t.status, p.status, t.amount, t.captured, t.credited, t.refunded, t.currency, t.description, t.action, t.years,
      t.domain_id, d.name, t.settled_at, p.settled_at
    from ledger_transaction t join ledger_transaction p on p.id = t.purchase_id left join domain d on d.id = t.domain_id
    where t.id = any (taken) order by t.id;
end
$$;
revoke all on function invoice_take, invoice_follows_bill from public;
grant execute on function invoice_take to namehold_clockwork;
