-- oldest release: 0.2.0
-- The audit log with its hash chain, and the event log.

-- The audit log. The service may insert rows, but not change or delete them.
create table audit (
  id bigint generated always as identity primary key,
  reseller_id bigint not null references reseller (id),
  at timestamptz not null,
  key_id text,
  address text not null,
  request_id text not null,
  action text not null,
  object_type text not null,
  object_id text not null,
  before jsonb,
  after jsonb,
  -- The user, with the name at that time.
  person_id text,
  person_name text,
  session_id text
);
create index audit_reseller on audit (reseller_id, id);
create index audit_at on audit (at);
create index audit_transaction on audit (object_id) where object_type = 'transaction';
create index audit_object on audit (reseller_id, object_id, id);
create index audit_action on audit (reseller_id, action, id);
alter table audit enable row level security;

-- The end of each account's hash chain. Each hash covers the row and the hash before it, so every change is detected.
create table audit_head (
  reseller_id bigint primary key references reseller (id),
  number bigint not null,
  hash bytea not null,
  -- Retention removed the rows up to this number. cut_hash is the hash of the last of them.
  cut_number bigint not null default 0,
  cut_hash bytea not null default '\x',
  cut_at timestamptz
);
alter table audit_head enable row level security;

-- The hash of each row of the audit log.
create table audit_link (
  reseller_id bigint not null references reseller (id),
  number bigint not null,
  audit_id bigint not null unique,
  hash bytea not null,
  primary key (reseller_id, number)
);
alter table audit_link enable row level security;

-- Events have a number per account. The row lock is held until commit, so no reader misses an event.
create table event_counter (
  reseller_id bigint primary key references reseller (id),
  last_number bigint not null
);
alter table event_counter enable row level security;

-- The event log of each account.
create table event (
  reseller_id bigint not null references reseller (id),
  number bigint not null,
  at timestamptz not null,
  type text not null,
  object_type text not null,
  object_id text not null,
  request_id text,
  payload jsonb not null,
  -- The customer that held the domain when the event happened. A later holder does not see it (decision 0069).
  customer_id bigint,
  primary key (reseller_id, number)
);
create index event_at on event (at desc, reseller_id, number desc);
create index event_customer on event (customer_id, number) where customer_id is not null;
alter table event enable row level security;
