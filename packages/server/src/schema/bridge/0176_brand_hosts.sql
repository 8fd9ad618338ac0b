-- oldest release: 0.1.0
-- Hosts of an account's own, by which its customers come to the pages (decision 0088).
create table brand_host (
  reseller_id bigint not null references reseller (id),
  host text not null check (host = lower(host) and octet_length(host) <= 253),
  -- What the TXT record must say; no secret.
  proof text not null,
  created_at timestamptz not null,
  checked_at timestamptz,
  -- Null: claimed only, and worth nothing.
  verified_at timestamptz,
  -- Since when the record of a verified host is not found, and how often it was looked for since.
  missed_since timestamptz,
  misses integer not null default 0,
  -- When it last answered by HTTPS as this service; null: not when it was last asked. Mail links to it only then.
  reached_at timestamptz,
  primary key (reseller_id, host),
  check (verified_at is not null or (missed_since is null and misses = 0 and reached_at is null))
);
-- Many may claim it, one has it.
create unique index brand_host_verified on brand_host (host) where verified_at is not null;
create index brand_host_due on brand_host (checked_at) where verified_at is not null;
alter table brand_host enable row level security;
create policy own on brand_host using (is_tenant(reseller_id));
-- A request claims; what counts and what ends is for the second login.
grant select, insert (reseller_id, host, proof, created_at) on brand_host to namehold_app;
-- Nothing of it is a customer's that acts (decision 0073).
create policy customer_acts on brand_host as restrictive to namehold_app using ((select acting_customer()) is null);

-- Where links in mail of an account lead; null: to the service's own address. Also asked where a customer acts, who does not see the table.
create function link_host(in_reseller bigint)
returns text
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select h.host from brand_host h
  where h.reseller_id = in_reseller and is_tenant(in_reseller) and h.verified_at is not null and h.reached_at is not null
  order by h.verified_at, h.host limit 1
$$;
revoke all on function link_host from public;
grant execute on function link_host to namehold_app, namehold_clockwork;
