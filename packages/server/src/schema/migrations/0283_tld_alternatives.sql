-- oldest release: 0.2.0
-- Registries that serve a TLD beside the one to which its route leads (registry_tld). The rules and costs of the route are in tld and
-- registry_cost. A change of the route exchanges them with those here.
create table tld_alternative (
  tld text not null,
  registry_id text not null references registry (id) on delete cascade,
  -- Null: the catalogue has no entry for this registry. The rules of the route apply.
  rules jsonb,
  -- Whether the route may be set to this registry. False: it only keeps the domains that it has.
  can_route boolean not null,
  primary key (tld, registry_id)
);
create index tld_alternative_registry on tld_alternative (registry_id);

-- What these registries charge, as in registry_cost.
create table tld_alternative_cost (
  id bigint generated always as identity primary key,
  tld text not null,
  registry_id text not null,
  action text not null check (action in ('create', 'renew', 'transfer', 'restore', 'privacy', 'trade')),
  years integer not null check (years >= 1 and years <= 10),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  amount bigint not null check (amount >= 0),
  valid_from timestamptz not null,
  valid_to timestamptz,
  foreign key (tld, registry_id) references tld_alternative (tld, registry_id) on delete cascade,
  unique (tld, registry_id, action, years, currency, valid_from),
  check (valid_to > valid_from)
);
alter table tld_alternative_cost enable row level security;

-- It is created again with the registry as a parameter, which the previous release leaves out.
drop function if exists priced_facts(bigint, timestamptz, text, text, text, timestamptz);
