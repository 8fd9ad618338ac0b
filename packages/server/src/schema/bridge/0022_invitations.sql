-- A parent invites a direct child to make its first key: a secret that is used once, beside the child's own password.
create table invitation (
  id text primary key,
  reseller_id bigint not null references reseller (id),
  parent_id bigint not null references reseller (id),
  fingerprint text not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- Wrong passwords. Past a limit the invitation is dead, so that its finder cannot go on guessing.
  misses integer not null default 0,
  accepted_at timestamptz,
  accepted_address text,
  key_id text references api_key (id),
  check ((accepted_at is null) = (key_id is null))
);
create index invitation_reseller on invitation (reseller_id, id);
alter table invitation enable row level security;
create policy own on invitation using (is_tenant(reseller_id) or is_tenant(parent_id));
grant select, insert, update on invitation to namehold_app;
revoke delete on invitation from namehold_app;
