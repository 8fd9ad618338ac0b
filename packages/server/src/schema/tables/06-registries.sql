-- oldest release: 0.2.0
-- Registries, their sessions and limits, and what they report. These tables belong to the operator and have no tenant.

-- A connected registry, or another platform as one (decision 0050).
create table registry (
  id text primary key check (id ~ '^[a-z0-9-]{1,40}$'),
  profile jsonb not null,
  host text not null,
  port integer not null,
  client_id text not null,
  -- Passwords and the passphrase of the certificate key, sealed with the master key.
  secrets_sealed text not null,
  server_name text,
  ca_pem text,
  certificate_pem text,
  certificate_expires_at timestamptz,
  password_expires_at timestamptz,
  balance bigint,
  balance_currency text,
  balance_at timestamptz,
  is_active boolean not null default true,
  created_at timestamptz not null,
  pins text[] not null default '{}',
  source_address text,
  ciphers text,
  news_cursor text,
  -- The currency in which the registry charges, set by the operator. Null: not stated.
  currency text check (currency ~ '^[A-Z]{3}$'),
  -- Whether the greeting of the last login offered RFC 9154. Null: no login yet.
  offers_secure_auth_info boolean,
  -- The balance at which the registry reports a low balance, in the currency of the balance.
  balance_threshold bigint
);

-- Which registry serves a TLD.
create table registry_tld (
  tld text primary key,
  registry_id text not null references registry (id)
);

-- EPP sessions of an account at a registry, leased by the processes that share them.
create table registry_slot (
  registry_id text not null references registry (id) on delete cascade,
  slot integer not null,
  owner text,
  leased_until timestamptz,
  -- A process without a session asks for this one. Its holder releases it, and no other process takes it.
  wanted_by text,
  wanted_until timestamptz,
  primary key (registry_id, slot)
);

-- The command rate of an account at a registry, over all processes, by the clock of the database.
create table registry_pace (
  registry_id text primary key references registry (id) on delete cascade,
  -- Commands that may be sent now. Below zero: logins that could not be delayed.
  tokens double precision not null default 0,
  filled_at timestamptz not null default to_timestamp(0::double precision),
  pause_kind text check (pause_kind in ('session-limit', 'refused', 'failed')),
  pause_code integer,
  pause_ms double precision,
  paused_until timestamptz,
  -- A pause is over and one process tries. The others wait for its answer.
  is_trial boolean not null default false
);

-- Announced maintenance of registries (RFC 9167).
create table registry_maintenance (
  registry_id text not null references registry (id),
  maintenance_id text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  -- Name, reason, environment, systems with their impact, TLDs, description.
  facts jsonb not null,
  told_at timestamptz not null,
  -- Over or cancelled.
  ended_at timestamptz,
  primary key (registry_id, maintenance_id)
);
create index registry_maintenance_open on registry_maintenance (ends_at) where ended_at is null;

-- The balance that a registry reported, and what our ledger says that we owe it. Between two rows both change alike.
create table registry_balance (
  registry_id text not null references registry (id) on delete cascade,
  at timestamptz not null,
  balance bigint not null,
  currency text not null,
  payable bigint not null,
  -- What running orders may already have cost there.
  underway bigint not null,
  primary key (registry_id, at)
);

-- Messages of registries, processed until their effect is stored.
create table poll_message (
  registry_id text not null references registry (id),
  message_id text not null,
  queued_at timestamptz,
  received_at timestamptz not null,
  acked_at timestamptz,
  processed_at timestamptz,
  kind text not null,
  domain_name text,
  body_sealed text not null,
  outcome text,
  fingerprint text not null default '',
  -- The audit log and the events have the message.
  told_at timestamptz,
  primary key (registry_id, message_id, fingerprint)
);
create index poll_message_open on poll_message (received_at) where processed_at is null;
create index poll_message_told on poll_message (registry_id, fingerprint) where told_at is not null;
create index poll_message_done on poll_message (received_at) where processed_at is not null and acked_at is not null;

-- How long registries took to answer commands, and nameservers to publish changes, by hour.
create table wait_hour (
  kind text not null check (kind in ('registry', 'nameserver')),
  -- The registry or nameserver. Not a foreign key, because measurements stay when it is removed.
  subject text not null,
  -- `domain:create` and so on; `publish` for nameservers.
  command text not null,
  hour timestamptz not null,
  -- Answered commands, of these the failed ones, and commands without an answer.
  answered bigint not null,
  failed bigint not null,
  unknown bigint not null,
  -- The count per class of duration (core/series/wait-classes.ts).
  waits jsonb not null check (jsonb_typeof(waits) = 'object'),
  primary key (kind, subject, hour, command)
);
create index wait_hour_hour on wait_hour (kind, hour);
alter table wait_hour enable row level security;

-- Commands prepared before this time are included in wait_hour.
create table wait_mark (
  only_one boolean default true primary key check (only_one),
  folded_to timestamptz not null
);
alter table wait_mark enable row level security;
