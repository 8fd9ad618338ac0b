-- oldest release: 0.1.0
-- Zone templates of an account (decision 0065); those that are built in are no rows.
create table zone_template (
  id text primary key,
  reseller_id bigint not null references reseller (id),
  name text not null,
  description text not null,
  version integer not null default 1,
  -- [{name, kind, about}] and [{name, type, ttl, records}], with placeholders.
  variables jsonb not null,
  rrsets jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index zone_template_name on zone_template (reseller_id, lower(name));
alter table zone_template enable row level security;
create policy own on zone_template using (is_tenant(reseller_id));
grant select, insert, update, delete on zone_template to namehold_app;
-- Nothing of it is a customer's that acts (decision 0073).
create policy customer_acts on zone_template as restrictive to namehold_app using ((select acting_customer()) is null);
