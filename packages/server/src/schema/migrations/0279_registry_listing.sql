-- oldest release: 0.2.0
-- Our domains and charges by the list of an upstream, while a comparison reads them. Each read has its own run.
create table registry_listing (
  id bigint generated always as identity primary key,
  registry_id text not null references registry (id) on delete cascade,
  run text not null,
  -- The upstream's id of the domain.
  remote_id text,
  name text collate "C",
  -- Null: a charge, not a domain.
  is_ours boolean,
  expires_at timestamptz,
  statuses text[],
  -- The lines of a charge.
  lines jsonb,
  listed_at timestamptz not null
);
create index registry_listing_name on registry_listing (run, name);
create index registry_listing_remote on registry_listing (run, remote_id);
create index registry_listing_age on registry_listing (registry_id, listed_at);
