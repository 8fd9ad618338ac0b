-- Prices: what the registry takes, what each seller asks of its children and customers, and quotes.

-- A later valid_from wins while it lasts; a row with an end (a promotion) gives way to the older one again.
create table registry_cost (
  id bigint generated always as identity primary key,
  tld text not null,
  action text not null check (action in ('create', 'renew', 'transfer', 'restore', 'privacy', 'trade')),
  years integer not null check (years between 1 and 10),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  amount bigint not null check (amount >= 0),
  valid_from timestamptz not null,
  valid_to timestamptz check (valid_to > valid_from),
  unique (tld, action, years, currency, valid_from)
);
alter table registry_cost enable row level security;
create policy operator on registry_cost using (is_tenant(1));

create table price (
  id bigint generated always as identity primary key,
  owner_reseller_id bigint not null references reseller (id),
  audience text not null check (audience in ('reseller', 'customer')),
  tld text not null,
  action text not null check (action in ('create', 'renew', 'transfer', 'restore', 'privacy', 'trade')),
  years integer not null check (years between 1 and 10),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  amount bigint not null check (amount >= 0),
  valid_from timestamptz not null,
  valid_to timestamptz check (valid_to > valid_from),
  unique (owner_reseller_id, audience, tld, action, years, currency, valid_from)
);
alter table price enable row level security;
create policy own on price using (is_tenant(owner_reseller_id));

create table price_rule (
  id bigint generated always as identity primary key,
  owner_reseller_id bigint not null references reseller (id),
  audience text not null check (audience in ('reseller', 'customer')),
  -- Null is all; the more exact rule wins, the TLD before the action.
  tld text,
  action text check (action in ('create', 'renew', 'transfer', 'restore', 'privacy', 'trade')),
  kind text not null check (kind in ('fixed', 'percent')),
  -- Percent in hundredths: 1250 is 12.5 %.
  basis_points integer check (basis_points between -10000 and 1000000),
  -- A fixed sum in minor units for each year, in one currency.
  amount bigint,
  currency text check (currency ~ '^[A-Z]{3}$'),
  -- Up to the next amount that leaves this ending over this step: step 100, ending 99 is the next .99.
  rounding_step bigint check (rounding_step > 0),
  rounding_ending bigint not null default 0 check (rounding_ending >= 0),
  valid_from timestamptz not null,
  valid_to timestamptz check (valid_to >= valid_from),
  check ((kind = 'percent') = (basis_points is not null)),
  check ((kind = 'fixed') = (amount is not null and currency is not null)),
  check (rounding_ending < coalesce(rounding_step, 1))
);
create index price_rule_owner on price_rule (owner_reseller_id, audience);
alter table price_rule enable row level security;
create policy own on price_rule using (is_tenant(owner_reseller_id));

-- All that the price of one buyer is made of, as its chain sees it: the levels, buyer first, then the rows in force. It runs
-- as its owner, since a child never reads its parents' rows; core tells it the outcome only.
create function price_facts(in_reseller bigint, in_at timestamptz, in_tld text, in_action text, in_own_audience text)
returns table (source text, reseller_id bigint, seller_id bigint, audience text, tld text, action text, years integer, currency text,
               kind text, basis_points integer, amount bigint, rounding_step bigint, rounding_ending bigint)
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  if not is_tenant(in_reseller) then
    raise exception 'reseller % is not the tenant', in_reseller using errcode = 'insufficient_privilege';
  end if;
  return query
  with recursive level as (
    select r.id, r.parent_id, r.selling_currency, 1 as place from reseller r where r.id = in_reseller
    union all
    select r.id, r.parent_id, r.selling_currency, l.place + 1 from level l join reseller r on r.id = l.parent_id
  ), owner as (
    select l.id, 'reseller' as audience from level l where l.id <> in_reseller
    union
    select in_reseller, in_own_audience where in_own_audience is not null
  )
  (select 'level', l.id, l.parent_id, null, null, null, null::integer, l.selling_currency, null, null::integer, null::bigint,
          null::bigint, null::bigint
   from level l order by l.place)
  union all
  (select distinct on (p.owner_reseller_id, p.tld, p.action, p.years, p.currency)
          'price', p.owner_reseller_id, null, p.audience, p.tld, p.action, p.years, p.currency, null, null, p.amount, null, null
   from owner o join price p on p.owner_reseller_id = o.id and p.audience = o.audience
   where (in_tld is null or p.tld = in_tld) and (in_action is null or p.action = in_action)
     and p.valid_from <= in_at and (p.valid_to is null or p.valid_to > in_at)
   order by p.owner_reseller_id, p.tld, p.action, p.years, p.currency, p.valid_from desc)
  union all
  (select distinct on (p.owner_reseller_id, p.tld, p.action, p.currency)
          'rule', p.owner_reseller_id, null, p.audience, p.tld, p.action, null, p.currency, p.kind, p.basis_points, p.amount,
          p.rounding_step, p.rounding_ending
   from owner o join price_rule p on p.owner_reseller_id = o.id and p.audience = o.audience
   where (in_tld is null or p.tld is null or p.tld = in_tld) and (in_action is null or p.action is null or p.action = in_action)
     and p.valid_from <= in_at and (p.valid_to is null or p.valid_to > in_at)
   order by p.owner_reseller_id, p.tld, p.action, p.currency, p.valid_from desc, p.id desc)
  union all
  (select distinct on (c.tld, c.action, c.years, c.currency)
          'cost', null, null, null, c.tld, c.action, c.years, c.currency, null, null, c.amount, null, null
   from registry_cost c
   where (in_tld is null or c.tld = in_tld) and (in_action is null or c.action = in_action)
     and c.valid_from <= in_at and (c.valid_to is null or c.valid_to > in_at)
   order by c.tld, c.action, c.years, c.currency, c.valid_from desc);
end
$$;

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
  check ((used_by_operation is null) = (used_at is null))
);
create index quote_age on quote (valid_until);
alter table quote enable row level security;
create policy own on quote using (is_tenant(reseller_id));

grant select, insert, update, delete on registry_cost, price, price_rule, quote to namehold_app;
