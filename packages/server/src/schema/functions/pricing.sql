-- The facts from which a price is computed. They run as the owner, because an account cannot read the rows of accounts above it.

-- The chain of accounts with the buyer first, then the prices, rules and costs in force.
create or replace function price_facts(in_reseller bigint, in_at timestamptz, in_tld text, in_action text, in_own_audience text)
returns table(source text, reseller_id bigint, seller_id bigint, audience text, tld text, action text, years integer, currency text, kind text, basis_points integer, amount bigint, rounding_step bigint, rounding_ending bigint)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
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

-- The same, and the registry's currency and the operator's exchange rates. A rate has its base in `kind`, its quote in `currency` and
-- rate times 10^12 in `amount`. Costs are those of `in_registry`; null, or a registry that is no alternative: those of the route.
create or replace function priced_facts(
  in_reseller bigint, in_at timestamptz, in_tld text, in_action text, in_own_audience text, in_rates_at timestamptz,
  in_registry text default null
)
returns table(source text, reseller_id bigint, seller_id bigint, audience text, tld text, action text, years integer, currency text, kind text, basis_points integer, amount bigint, rounding_step bigint, rounding_ending bigint)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  return query select f.* from price_facts(in_reseller, in_at, in_tld, in_action, in_own_audience) f
    where f.source <> 'cost' or not exists (
      select from tld_alternative a where a.tld = f.tld and a.registry_id = in_registry);
  return query select distinct on (c.tld, c.action, c.years, c.currency) 'cost'::text, null::bigint, null::bigint, null::text, c.tld, c.action,
      c.years, c.currency, null::text, null::integer, c.amount, null::bigint, null::bigint
    from tld_alternative_cost c
    where c.registry_id = in_registry and (in_tld is null or c.tld = in_tld) and (in_action is null or c.action = in_action)
      and c.valid_from <= in_at and (c.valid_to is null or c.valid_to > in_at)
    order by c.tld, c.action, c.years, c.currency, c.valid_from desc;
  return query select 'registry'::text, null::bigint, null::bigint, null::text, t.tld, null::text, null::integer, r.currency, null::text,
      null::integer, null::bigint, null::bigint, null::bigint
    from (
      select a.tld, a.registry_id from tld_alternative a where a.registry_id = in_registry
      union all
      select s.tld, s.registry_id from registry_tld s
      where not exists (select from tld_alternative a where a.tld = s.tld and a.registry_id = in_registry)
    ) t join registry r on r.id = t.registry_id
    where r.currency is not null and (in_tld is null or t.tld = in_tld);
  return query select distinct on (e.base, e.quote) 'rate'::text, e.reseller_id, null::bigint, null::text, null::text, null::text, null::integer, e.quote,
      e.base, e.margin_basis_points, (e.rate * 1000000000000)::bigint, null::bigint, null::bigint
    from exchange_rate e where e.reseller_id = 1 and e.valid_from <= in_rates_at
    order by e.base, e.quote, e.valid_from desc, e.id desc;
end
$$;

revoke execute on function
  price_facts, priced_facts
from public, namehold_app, namehold_clockwork, namehold_retention;
grant execute on function
  price_facts, priced_facts
to namehold_clockwork;
grant execute on function
  price_facts, priced_facts
to namehold_app;
