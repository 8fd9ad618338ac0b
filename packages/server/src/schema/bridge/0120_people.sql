-- oldest release: 0.1.0
-- People who sign in (decision 0061): who they are, what they may do in which account, and their sessions. Requests cannot read any of it:
-- who calls is found out on the second login, before there is a tenant, as with keys.
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

create table membership (
  person_id text not null references person (id),
  reseller_id bigint not null references reseller (id),
  role text not null check (role in ('owner', 'staff', 'read_only')),
  scopes text[] not null check (cardinality(scopes) > 0),
  created_at timestamptz not null,
  -- The account that was worked in last is the one that a sign-in opens.
  used_at timestamptz,
  primary key (person_id, reseller_id)
);
create index membership_reseller on membership (reseller_id, created_at);

create table person_session (
  id text primary key,
  person_id text not null references person (id),
  -- The account that is worked in.
  reseller_id bigint not null references reseller (id),
  fingerprint text not null unique,
  -- The secret from before the last change of it, for what was on its way.
  previous_fingerprint text unique,
  previous_expires_at timestamptz,
  rotated_at timestamptz not null,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  ends_at timestamptz not null,
  ended_at timestamptz,
  address text not null,
  browser text not null
);
create index person_session_person on person_session (person_id, created_at);
create index person_session_end on person_session (ends_at);

-- A code that is used once: it makes a person a member of an account, or gives one a new password.
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
  check ((purpose = 'invite') = (reseller_id is not null and role is not null and scopes is not null)),
  check (purpose = 'invite' or person_id is not null)
);
create index person_code_end on person_code (expires_at);

do $$
declare
  name text;
begin
  foreach name in array array['person', 'membership', 'person_session', 'person_code'] loop
    execute format('alter table %I enable row level security', name);
    execute format('create policy clockwork on %I to namehold_clockwork using (true) with check (true)', name);
  end loop;
end
$$;

-- So many tries within so long, over all processes; how many milliseconds to wait for the next, 0: it is taken. A try that was refused costs
-- none, so that nobody keeps another out for good.
create function guess_take(in_bucket text, in_most integer, in_within interval) returns integer
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  cell interval := in_within / in_most;
  moment timestamptz := clock_timestamp();
  filled_until timestamptz;
begin
  insert into rate_bucket as b (bucket, empties_at) values (in_bucket, moment)
  on conflict (bucket) do update set empties_at = greatest(b.empties_at, moment)
  returning empties_at into filled_until;
  if filled_until + cell > moment + in_within then
    return ceil(extract(epoch from filled_until + cell - moment - in_within) * 1000);
  end if;
  update rate_bucket set empties_at = filled_until + cell where bucket = in_bucket;
  return 0;
end
$$;

-- The audit names the person, as the person was called then; the chain covers it. Rows of keys hash as they always did.
alter table audit add column person_id text, add column person_name text, add column session_id text;
create or replace function audit_hash(in_before bytea, a audit) returns bytea
language sql stable parallel safe set search_path = pg_catalog, public, pg_temp as $$
  select sha256(in_before || convert_to((jsonb_build_array(a.id, a.reseller_id, to_char(a.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'),
    a.key_id, a.address, a.request_id, a.action, a.object_type, a.object_id, a.before, a.after)
    || case when a.person_id is null and a.person_name is null and a.session_id is null then '[]'::jsonb
       else jsonb_build_array(a.person_id, a.person_name, a.session_id) end)::text, 'UTF8'))
$$;

-- Who ordered an operation, for the audit row of its end: {id, name, session_id}.
alter table operation add column person jsonb;
create or replace function operation_place(in_order text, in_seal text) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  o operation;
begin
  if not is_sealed('operation.' || pg_backend_pid() || '.' || in_order, in_seal) then
    raise exception 'the order of an operation is not sealed' using errcode = 'insufficient_privilege';
  end if;
  o := jsonb_populate_record(null::operation, in_order::jsonb);
  if not is_tenant(o.reseller_id) then
    raise exception 'reseller % is not the tenant', o.reseller_id using errcode = 'insufficient_privilege';
  end if;
  if o.state <> (case when o.approval_until is null then 'intended' else 'action_required' end) then
    raise exception 'an operation does not begin as %', o.state using errcode = 'check_violation';
  end if;
  insert into operation (id, reseller_id, kind, domain_id, contact_id, registry_id, request, secrets_sealed, state, transaction_id, bill_id, request_id,
                         key_id, person, attention, approval, approval_until, due_at, created_at, updated_at)
  values (o.id, o.reseller_id, o.kind, o.domain_id, o.contact_id, o.registry_id, o.request, o.secrets_sealed, o.state, o.transaction_id, o.bill_id,
          o.request_id, o.key_id, o.person, o.attention, o.approval, o.approval_until,
          now() + (in_order::jsonb ->> 'due_in_ms')::double precision * interval '1 millisecond', o.created_at, o.updated_at);
end
$$;
