-- oldest release: 0.1.0
-- Second factors of people, and the proof again before what matters (decision 0068). A session that still lacks its second step opens nothing but that step.
create table passkey (
  id text primary key,
  person_id text not null references person (id),
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkey_person on passkey (person_id, created_at);

-- One a person; null: begun, and no code of it was seen yet.
create table totp (
  person_id text primary key references person (id),
  secret_sealed text not null,
  confirmed_at timestamptz,
  -- The last step of which a code was taken: each counts once.
  last_step bigint not null default 0,
  created_at timestamptz not null
);

create table recovery_code (
  fingerprint text primary key,
  person_id text not null references person (id),
  used_at timestamptz
);
create index recovery_code_person on recovery_code (person_id);

-- What an authenticator is asked to sign, once.
create table passkey_challenge (
  fingerprint text primary key,
  -- Null: whoever signs in by it.
  person_id text references person (id),
  expires_at timestamptz not null
);
create index passkey_challenge_end on passkey_challenge (expires_at);

alter table person_session add column awaits_factor_until timestamptz, add column sudo_until timestamptz;

-- From then on the account is closed to who has no second factor; null: none is asked for.
alter table membership add column factor_due_at timestamptz;
update membership m set factor_due_at = now() + interval '7 days'
from reseller r where r.id = m.reseller_id and (m.role = 'owner' or r.parent_id is null);

do $$
declare
  name text;
begin
  foreach name in array array['passkey', 'totp', 'recovery_code', 'passkey_challenge'] loop
    execute format('alter table %I enable row level security', name);
    execute format('create policy clockwork on %I to namehold_clockwork using (true) with check (true)', name);
  end loop;
end
$$;
