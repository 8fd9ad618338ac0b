-- The registry's own tables. Amounts are whole cents. Times come from the business clock, never from now().

create table registrar (
  client_id text primary key,
  name text not null,
  -- Null: an account that nobody can log in to.
  password_hash text,
  certificate_sha256 text,
  balance bigint not null default 0,
  credit_limit bigint not null default 0,
  low_balance_threshold bigint not null default 0,
  created_at timestamptz not null
) with (fillfactor = 50);

create table contact (
  id bigint generated always as identity primary key,
  handle text not null unique,
  sponsor text not null references registrar,
  creator text not null,
  created_at timestamptz not null,
  updater text,
  updated_at timestamptz,
  transferred_at timestamptz,
  statuses text[] not null default '{}',
  -- postal, voice, fax, email, disclose as the registrar sent them.
  details jsonb not null,
  auth_hash text,
  us jsonb,
  asia jsonb
);

create table domain (
  id bigint generated always as identity primary key,
  name text not null unique,
  tld text not null,
  sponsor text not null references registrar,
  creator text not null,
  created_at timestamptz not null,
  updater text,
  updated_at timestamptz,
  transferred_at timestamptz,
  expires_at timestamptz not null,
  registrant bigint references contact,
  -- Only what somebody set: client* and server*. ok, inactive and pending* follow from the rest.
  statuses text[] not null default '{}',
  phase text not null check (phase in ('active', 'pendingCreate', 'expired', 'redemption', 'pendingRestore', 'pendingDelete')),
  phase_until timestamptz,
  -- A restore without its report falls back into what is left of the redemption period.
  redemption_until timestamptz,
  -- RFC 9154: null is "not set", and nothing matches it.
  auth_hash text,
  ns_attributes jsonb,
  us jsonb,
  asia jsonb,
  create_cl_trid text,
  create_sv_trid text,
  -- When time alone will next change this row.
  due_at timestamptz not null
);
create index domain_due on domain (due_at);
create index domain_tld on domain (tld, name);
create index domain_registrant on domain (registrant) where registrant is not null;

create table host (
  id bigint generated always as identity primary key,
  name text not null unique,
  superordinate bigint references domain,
  sponsor text not null references registrar,
  creator text not null,
  created_at timestamptz not null,
  updater text,
  updated_at timestamptz,
  transferred_at timestamptz,
  statuses text[] not null default '{}'
);
create index host_superordinate on host (superordinate) where superordinate is not null;

create table host_address (
  host_id bigint not null references host on delete cascade,
  address inet not null,
  primary key (host_id, address)
);

create table domain_contact (
  domain_id bigint not null references domain on delete cascade,
  type text not null,
  contact_id bigint not null references contact,
  primary key (domain_id, type, contact_id)
);
create index domain_contact_contact on domain_contact (contact_id);

create table domain_host (
  domain_id bigint not null references domain on delete cascade,
  host_id bigint not null references host,
  primary key (domain_id, host_id)
);
create index domain_host_host on domain_host (host_id);

create table domain_ds (
  domain_id bigint not null references domain on delete cascade,
  key_tag integer not null,
  alg smallint not null,
  digest_type smallint not null,
  digest text not null,
  key jsonb,
  primary key (domain_id, key_tag, alg, digest_type, digest)
);

create table statement (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  client_id text not null references registrar,
  kind text not null check (kind in ('charge', 'refund', 'deposit')),
  command text not null,
  domain text,
  years integer,
  -- Always positive but for deposits, which may take money out.
  amount bigint not null,
  balance_after bigint not null,
  cl_trid text,
  sv_trid text,
  refund_of bigint references statement
);
create index statement_client on statement (client_id, id);
create index statement_domain on statement (domain, id) where domain is not null;

create table grace_period (
  id bigint generated always as identity primary key,
  domain_id bigint not null references domain on delete cascade,
  kind text not null check (kind in ('add', 'renew', 'autoRenew', 'transfer')),
  ends_at timestamptz not null,
  years integer not null,
  statement_id bigint not null references statement
);
create index grace_period_domain on grace_period (domain_id);

create table transfer (
  id bigint generated always as identity primary key,
  object text not null check (object in ('domain', 'contact')),
  object_id bigint not null,
  state text not null,
  requester text not null references registrar,
  requested_at timestamptz not null,
  actor text not null references registrar,
  -- While pending: when it is approved automatically. After: when it ended.
  acted_at timestamptz not null,
  expires_at timestamptz,
  cl_trid text,
  sv_trid text
);
create unique index transfer_pending on transfer (object, object_id) where state = 'pending';
create index transfer_due on transfer (acted_at) where state = 'pending';
create index transfer_object on transfer (object, object_id, id desc);

create table poll_message (
  id bigint generated always as identity primary key,
  client_id text not null references registrar,
  queued_at timestamptz not null,
  text text not null,
  -- AnswerData of @namehold/epp, or null for a message of words only.
  data jsonb
);
create index poll_message_client on poll_message (client_id, id);
create unique index statement_refund_once on statement (refund_of) where refund_of is not null;
