-- What the comparison of the four books needs, and alarms that reach a person.

-- A name that was adopted from a registry: until when it had been paid elsewhere.
alter table domain add column adopted_until timestamptz;
update domain d set adopted_until = coalesce((a.after ->> 'expires_at')::timestamptz, d.created_at)
from audit a where a.action = 'domain.import' and a.object_type = 'domain' and a.object_id = d.id::text;

-- The walk over all names of one registry, tombstones too.
create index domain_registry_name on domain (registry_id, (name collate "C"), id);

-- One row a run. The differences themselves are alarms.
create table books_run (
  id bigint generated always as identity primary key,
  started_at timestamptz not null,
  finished_at timestamptz,
  counts jsonb not null default '{}',
  -- What could not be compared, and why.
  skipped jsonb not null default '[]',
  differences bigint not null default 0
);

-- What a registry said of our balance, and what our books said that we owe it then: between two readings they move alike.
create table registry_balance (
  registry_id text not null references registry (id) on delete cascade,
  at timestamptz not null,
  balance bigint not null,
  currency text not null,
  payable bigint not null,
  -- What orders under way may have cost there already.
  underway bigint not null,
  primary key (registry_id, at)
);

alter table alarm
  -- A person was told of it, by the command that the operator set; so many tries failed.
  add column told_at timestamptz,
  add column tell_tries integer not null default 0;

grant select, insert, update on books_run to namehold_app;
grant select, insert on registry_balance to namehold_app;
