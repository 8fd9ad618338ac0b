-- oldest release: 0.2.0
-- The TLD catalogue, prices, registry costs, exchange rates and quotes.

-- One row per load of the TLD catalogue that changed something.
create table tld_catalogue (
  version integer generated always as identity primary key,
  source text not null,
  checksum text not null,
  loaded_at timestamptz not null
);

-- The TLDs of the catalogue and the load that changed each last.
create table tld (
  -- Lower-case A-labels without a leading dot: com, co.id.
  name text primary key check (name ~ '^[a-z0-9-]+(\.[a-z0-9-]+)*$'),
  label text not null,
  -- Named, because PostgreSQL 18 would name it like that of tld_catalogue.version.
  catalogue_version integer constraint tld_catalogue_version_given not null references tld_catalogue (version),
  -- The profile of its registry.
  registry text,
  is_offered boolean not null,
  rules jsonb not null,
  updated_at timestamptz not null
);

-- How long a domain is locked after an event, by ICANN's Transfer Policy (I.A.3.7 and II.C) and its revision of 2028. The row in
-- force at the event counts. No row: no lock.
create table transfer_lock (
  tld_class text not null check (tld_class in ('generic', 'country')),
  after text not null check (after in ('registration', 'transfer', 'holder_change')),
  -- A move to another reseller of this service is not a transfer at the registry. It is locked where a thief could use it.
  against text not null check (against in ('transfer', 'move')),
  hours integer not null check (hours >= 0 and hours <= 8784),
  valid_from timestamptz not null,
  primary key (tld_class, after, against, valid_from)
);
insert into transfer_lock (tld_class, after, against, hours, valid_from) values
  ('generic', 'registration', 'transfer', 1440, '2000-01-01'),
  ('generic', 'registration', 'transfer', 720, '2028-01-01'),
  ('generic', 'transfer', 'transfer', 1440, '2000-01-01'),
  ('generic', 'transfer', 'transfer', 720, '2028-01-01'),
  ('generic', 'transfer', 'move', 1440, '2000-01-01'),
  ('generic', 'transfer', 'move', 720, '2028-01-01'),
  ('generic', 'holder_change', 'transfer', 1440, '2016-12-01'),
  ('generic', 'holder_change', 'transfer', 0, '2028-01-01'),
  ('generic', 'holder_change', 'move', 1440, '2016-12-01'),
  ('generic', 'holder_change', 'move', 0, '2028-01-01');

-- What a registry charges. The latest valid_from counts; a row that ended (a promotion) gives way to the one before.
create table registry_cost (
  id bigint generated always as identity primary key,
  tld text not null,
  action text not null check (action in ('create', 'renew', 'transfer', 'restore', 'privacy', 'trade')),
  years integer not null check (years >= 1 and years <= 10),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  amount bigint not null check (amount >= 0),
  valid_from timestamptz not null,
  valid_to timestamptz,
  unique (tld, action, years, currency, valid_from),
  check (valid_to > valid_from)
);
alter table registry_cost enable row level security;

-- Prices that an account sets for the accounts below it or its customers.
create table price (
  id bigint generated always as identity primary key,
  owner_reseller_id bigint not null references reseller (id),
  audience text not null check (audience in ('reseller', 'customer')),
  tld text not null,
  action text not null check (action in ('create', 'renew', 'transfer', 'restore', 'privacy', 'trade')),
  years integer not null check (years >= 1 and years <= 10),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  amount bigint not null check (amount >= 0),
  valid_from timestamptz not null,
  valid_to timestamptz,
  constraint price_owner_reseller_id_audience_tld_action_years_currency__key unique (owner_reseller_id, audience, tld, action, years, currency, valid_from),
  check (valid_to > valid_from)
);
alter table price enable row level security;

-- Margins from which prices are computed. The more specific rule counts, the TLD before the action.
create table price_rule (
  id bigint generated always as identity primary key,
  owner_reseller_id bigint not null references reseller (id),
  audience text not null check (audience in ('reseller', 'customer')),
  -- Null: all.
  tld text,
  action text check (action in ('create', 'renew', 'transfer', 'restore', 'privacy', 'trade')),
  kind text not null check (kind in ('fixed', 'percent')),
  -- Hundredths of a percent: 1250 is 12.5 %.
  basis_points integer check (basis_points >= '-10000'::integer and basis_points <= 1000000),
  -- A fixed amount per year in minor units.
  amount bigint,
  currency text check (currency ~ '^[A-Z]{3}$'),
  -- Rounds up to the next amount with this ending: step 100 and ending 99 is the next .99.
  rounding_step bigint check (rounding_step > 0),
  rounding_ending bigint not null default 0 check (rounding_ending >= 0),
  valid_from timestamptz not null,
  valid_to timestamptz,
  constraint price_rule_check1 check ((kind = 'percent') = (basis_points is not null)),
  constraint price_rule_check2 check ((kind = 'fixed') = (amount is not null and currency is not null)),
  constraint price_rule_check3 check (rounding_ending < coalesce(rounding_step, 1::bigint)),
  check (valid_to >= valid_from)
);
create index price_rule_owner on price_rule (owner_reseller_id, audience);
alter table price_rule enable row level security;

-- Dated exchange rates: one unit of base costs `rate` units of quote, plus the margin. Only the operator's convert registry costs.
create table exchange_rate (
  id bigint generated always as identity primary key,
  reseller_id bigint not null references reseller (id),
  base text not null check (base ~ '^[A-Z]{3}$'),
  quote text not null check (quote ~ '^[A-Z]{3}$'),
  rate numeric(19,12) not null check (rate > 0::numeric and rate <= 1000000::numeric),
  -- Hundredths of a percent: 250 is 2.5 %.
  margin_basis_points integer not null default 0 check (margin_basis_points >= 0 and margin_basis_points <= 10000),
  valid_from timestamptz not null,
  unique (reseller_id, base, quote, valid_from),
  check (base <> quote)
);
alter table exchange_rate enable row level security;

-- A price that was quoted and is kept for a while.
create table quote (
  id text primary key,
  reseller_id bigint not null references reseller (id),
  kind text not null check (kind in ('register', 'renew', 'transfer', 'restore', 'privacy', 'trade')),
  domain_name text not null,
  domain_id bigint,
  years integer not null,
  lines jsonb not null,
  total bigint not null check (total >= 0),
  currency text not null,
  premium_class text,
  what_happens text not null,
  valid_until timestamptz not null,
  created_at timestamptz not null,
  used_by_operation text,
  used_at timestamptz,
  -- The customer that asked and was quoted its own price. Null: the reseller.
  customer_id bigint,
  foreign key (reseller_id, customer_id) references customer (reseller_id, id),
  check ((used_by_operation is null) = (used_at is null))
);
create index quote_age on quote (valid_until);
alter table quote enable row level security;
