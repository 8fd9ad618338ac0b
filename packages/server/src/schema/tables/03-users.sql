-- oldest release: 0.2.0
-- Users who sign in, their memberships in accounts, sessions and second factors. Requests cannot read these tables (decision
-- 0061).

-- A user. One user can be a member of several accounts.
create table person (
  id text primary key,
  email text not null,
  name text not null,
  password_hash text not null,
  language text not null default 'en' check (language in ('en', 'id')),
  time_zone text not null default 'UTC',
  disabled_at timestamptz,
  created_at timestamptz not null
);
create unique index person_email on person (lower(email));
alter table person enable row level security;

-- A user's role in one account.
create table membership (
  person_id text not null references person (id),
  reseller_id bigint not null references reseller (id),
  role text not null check (role in ('owner', 'staff', 'read_only')),
  scopes text[] not null check (cardinality(scopes) > 0),
  created_at timestamptz not null,
  -- Sign-in opens the account that was used last.
  used_at timestamptz,
  -- The principal of the user. An invited user shares the inviter's principal, who has seen the code (decision 0062). Null: its
  -- own.
  hand text,
  suspended_at timestamptz,
  -- From then on, the account is closed to this user without a second factor. Null: none is required.
  factor_due_at timestamptz,
  primary key (person_id, reseller_id)
);
create index membership_reseller on membership (reseller_id, created_at);
alter table membership enable row level security;

-- Sessions of users, and of customers.
create table person_session (
  id text primary key,
  person_id text references person (id),
  -- The account that is in use.
  reseller_id bigint not null references reseller (id),
  fingerprint text not null unique,
  -- The secret before its last change, for requests that were already sent.
  previous_fingerprint text unique,
  previous_expires_at timestamptz,
  rotated_at timestamptz not null,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  ends_at timestamptz not null,
  ended_at timestamptz,
  address text not null,
  browser text not null,
  awaits_factor_until timestamptz,
  sudo_until timestamptz,
  customer_id bigint,
  -- "Keep me signed in": the session may stay unused for its whole life.
  is_kept boolean not null default false,
  -- The host where the session began, which is the only one where it counts. Null: the address of the service.
  host text,
  -- The API key or user that created the password of the session. The session ends with it.
  maker text,
  check (num_nonnulls(person_id, customer_id) = 1)
);
create index person_session_person on person_session (person_id, created_at);
create index person_session_end on person_session (ends_at);
create index person_session_customer on person_session (customer_id, created_at) where customer_id is not null;
create index person_session_host on person_session (host) where host is not null and ended_at is null;
alter table person_session enable row level security;

-- A code that works once: it makes a user a member of an account, or gives a user a new password.
create table person_code (
  id text primary key,
  purpose text not null check (purpose in ('invite', 'recover')),
  fingerprint text not null unique,
  email text not null,
  reseller_id bigint references reseller (id),
  role text check (role in ('owner', 'staff', 'read_only')),
  scopes text[],
  person_id text references person (id),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  misses integer not null default 0,
  used_at timestamptz,
  hand text,
  made_by text,
  -- The code was mailed to its address, so using it proves the mailbox.
  is_mailed boolean not null default false,
  -- The code creates the first owner of an account.
  claims boolean not null default false,
  check ((purpose = 'invite') = (reseller_id is not null and role is not null and scopes is not null)),
  constraint person_code_check1 check (purpose = 'invite' or person_id is not null)
);
create index person_code_end on person_code (expires_at);
create index person_code_reseller on person_code (reseller_id, expires_at);
alter table person_code enable row level security;

-- Passkeys (WebAuthn) of users.
create table passkey (
  id text primary key,
  person_id text not null references person (id),
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  host text
);
create index passkey_person on passkey (person_id, created_at);
alter table passkey enable row level security;

-- A challenge for an authenticator. It works once.
create table passkey_challenge (
  fingerprint text primary key,
  -- Null: sign-in, when the user is not known yet.
  person_id text references person (id),
  expires_at timestamptz not null
);
create index passkey_challenge_end on passkey_challenge (expires_at);
alter table passkey_challenge enable row level security;

-- Authenticator apps, one per user.
create table totp (
  person_id text primary key references person (id),
  secret_sealed text not null,
  -- Null: started, and no code was entered yet.
  confirmed_at timestamptz,
  -- The last time step whose code was accepted. Each step counts once.
  last_step bigint not null default 0,
  created_at timestamptz not null
);
alter table totp enable row level security;

-- Recovery codes of users, as hashes.
create table recovery_code (
  fingerprint text primary key,
  person_id text not null references person (id),
  used_at timestamptz
);
create index recovery_code_person on recovery_code (person_id);
alter table recovery_code enable row level security;

-- The removal of a user's second factors by the account, a day after its announcement (decision 0074). The user can cancel it.
create table factor_reset (
  person_id text primary key references person (id),
  reseller_id bigint not null references reseller (id),
  asked_by text not null,
  created_at timestamptz not null,
  due_at timestamptz not null
);
create index factor_reset_due on factor_reset (due_at);
alter table factor_reset enable row level security;

-- A request for a new password. It is stored for every address, known or not, so the answer tells nothing.
create table recovery_wish (
  id text primary key,
  email text not null,
  created_at timestamptz not null
);
alter table recovery_wish enable row level security;
