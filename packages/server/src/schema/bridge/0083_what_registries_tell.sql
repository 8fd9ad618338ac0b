-- oldest release: 0.1.0
-- What messages of registries tell beyond the state of a name: who changed it there (RFC 8590), and when they work on their systems (RFC 9167).
-- Set once the log and the events have it: a message is worked off again until the name could be compared.
alter table poll_message add column told_at timestamptz;

create table registry_maintenance (
  registry_id text not null references registry (id),
  maintenance_id text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  -- Name, reason, environment, systems with their impact, TLDs, description.
  facts jsonb not null,
  told_at timestamptz not null,
  -- Over, or called off.
  ended_at timestamptz,
  primary key (registry_id, maintenance_id)
);
create index registry_maintenance_open on registry_maintenance (ends_at) where ended_at is null;
grant select, insert, update on registry_maintenance to namehold_clockwork;
