-- oldest release: 0.1.0
-- How often forwarded addresses were asked for: by rule and hour, without anything about who asked.
create function sum_of_counts(one jsonb, other jsonb, most integer) returns jsonb
  language sql immutable set search_path = pg_catalog, public, pg_temp as $$
  select coalesce(jsonb_object_agg(key, n), '{}') from (
    select key, sum(value::bigint) as n from (select * from jsonb_each_text(one) union all select * from jsonb_each_text(other)) both_of_them
    group by key order by n desc, key limit most) kept
$$;

create table forward_hour (
  domain_id bigint not null,
  reseller_id bigint not null,
  hour timestamptz not null,
  -- Host, path and match, as they name the rule.
  rule text not null,
  requests bigint not null,
  bots bigint not null,
  -- Requests by the code that they were answered with, and by the host that led here.
  codes jsonb not null check (jsonb_typeof(codes) = 'object'),
  referrers jsonb not null check (jsonb_typeof(referrers) = 'object'),
  primary key (domain_id, hour, rule),
  foreign key (reseller_id, domain_id) references domain (reseller_id, id)
);
create index forward_hour_hour on forward_hour (hour);
alter table forward_hour enable row level security;
create policy own on forward_hour to namehold_app using (reseller_id = (select current_tenant()));
create policy clockwork on forward_hour to namehold_clockwork using (true) with check (true);
grant select on forward_hour to namehold_app;
