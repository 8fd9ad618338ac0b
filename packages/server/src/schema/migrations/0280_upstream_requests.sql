-- oldest release: 0.2.0
-- The token of our login at an upstream, which all processes share.
create table upstream_session (
  registry_id text primary key references registry (id) on delete cascade,
  -- Null: no login yet, or the upstream ended the session.
  token_sealed text,
  valid_until timestamptz,
  -- One process logs in. The others wait for its token.
  opening_by text,
  opening_until timestamptz
);

-- Requests that were sent to an upstream a moment ago, because it blocks an account that repeats them.
create table upstream_request (
  registry_id text not null references registry (id) on delete cascade,
  -- A keyed hash of the request.
  request text not null,
  -- The domains that it is about.
  names text[] not null,
  -- How often it may be sent again now.
  tokens double precision not null,
  filled_at timestamptz not null,
  -- One process sends it. The others wait for its answer.
  asked_by text,
  asked_at timestamptz,
  asked_until timestamptz,
  answer_sealed text,
  primary key (registry_id, request)
);
create index upstream_request_filled on upstream_request (filled_at);
