-- oldest release: 0.1.0
-- In which currency a registry charges, as the operator says when connecting it; null: not stated.
alter table registry add column currency text check (currency ~ '^[A-Z]{3}$');

-- Dated exchange rates of a seller: one unit of base costs rate units of quote, and the margin comes on top. The latest valid_from counts. Only the
-- operator's are used to turn registry costs into prices.
create table exchange_rate (
  id bigint generated always as identity primary key,
  reseller_id bigint not null references reseller (id),
  base text not null check (base ~ '^[A-Z]{3}$'),
  quote text not null check (quote ~ '^[A-Z]{3}$'),
  rate numeric(19, 12) not null check (rate > 0 and rate <= 1000000),
  -- Percent in hundredths: 250 is 2.5 %.
  margin_basis_points integer not null default 0 check (margin_basis_points between 0 and 10000),
  valid_from timestamptz not null,
  check (base <> quote),
  unique (reseller_id, base, quote, valid_from)
);
alter table exchange_rate enable row level security;
create policy own on exchange_rate to namehold_app using (reseller_id = (select current_tenant()));
create policy customer_acts on exchange_rate as restrictive to namehold_app using ((select acting_customer()) is null);
create policy clockwork on exchange_rate to namehold_clockwork using (true) with check (true);
grant select, insert, update on exchange_rate to namehold_app;

-- As price_facts, which the release before this one calls, and in addition the currency in which the registry of each TLD charges and the operator's exchange rates at
-- in_rates_at. Of a rate: kind is its base currency, currency its quote currency, basis_points its margin, amount the rate times 10^12.
create function priced_facts(in_reseller bigint, in_at timestamptz, in_tld text, in_action text, in_own_audience text, in_rates_at timestamptz)
returns table (source text, reseller_id bigint, seller_id bigint, audience text, tld text, action text, years integer, currency text,
               kind text, basis_points integer, amount bigint, rounding_step bigint, rounding_ending bigint)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  return query select * from price_facts(in_reseller, in_at, in_tld, in_action, in_own_audience);
  return query select 'registry'::text, null::bigint, null::bigint, null::text, t.tld, null::text, null::integer, r.currency, null::text,
      null::integer, null::bigint, null::bigint, null::bigint
    from registry_tld t join registry r on r.id = t.registry_id
    where r.currency is not null and (in_tld is null or t.tld = in_tld);
  return query select distinct on (e.base, e.quote) 'rate'::text, e.reseller_id, null::bigint, null::text, null::text, null::text, null::integer, e.quote,
      e.base, e.margin_basis_points, (e.rate * 1000000000000)::bigint, null::bigint, null::bigint
    from exchange_rate e where e.reseller_id = 1 and e.valid_from <= in_rates_at
    order by e.base, e.quote, e.valid_from desc, e.id desc;
end
$$;
revoke execute on function priced_facts from public;
grant execute on function priced_facts to namehold_app, namehold_clockwork;
grant select, insert, update on exchange_rate to namehold_clockwork;
