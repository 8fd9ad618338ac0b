-- oldest release: 0.1.0
-- Certificates of forwarded names (decision 0058).
alter table zone_rrset drop constraint zone_rrset_managed_by_check;
alter table zone_rrset add constraint zone_rrset_managed_by_check check (managed_by in ('url_forwarding', 'acme'));

-- How a forwarded name stands with its certificate: one row a name, made when it gets rules.
create table certificate (
  domain_id bigint primary key,
  reseller_id bigint not null,
  -- The order that it came from; null: there is none yet.
  id text,
  names text[] not null default '{}',
  -- PEM, its own certificate first.
  chain text,
  key_sealed text,
  not_before timestamptz,
  not_after timestamptz,
  renew_at timestamptz,
  authority text,
  -- Since when the name has had one without a gap.
  live_since timestamptz,
  state text not null default 'waiting' check (state in ('waiting', 'ordering', 'live', 'blocked')),
  reason text,
  failures integer not null default 0,
  -- When it is looked at again, by the database's clock.
  look_at timestamptz not null default now(),
  check ((id is null) = (chain is null) and (id is null) = (key_sealed is null) and (id is null) = (not_after is null)),
  foreign key (reseller_id, domain_id) references domain (reseller_id, id)
);
create index certificate_look on certificate (look_at);
alter table certificate enable row level security;
create policy own on certificate to namehold_app using (reseller_id = (select current_tenant()));
create policy clockwork on certificate to namehold_clockwork using (true) with check (true);
grant select (domain_id, reseller_id, names, not_before, not_after, renew_at, live_since, state, reason) on certificate to namehold_app;

-- An order at the authority, written down before each step that leaves: who comes after a dead process goes on with the same one.
create table certificate_order (
  id text primary key,
  domain_id bigint not null,
  reseller_id bigint not null,
  authority text not null,
  method text not null check (method in ('dns-01', 'http-01')),
  names text[] not null check (cardinality(names) > 0),
  state text not null default 'open' check (state in ('open', 'issued', 'failed')),
  -- It may have been made at the authority, whether or not its address is known.
  is_sent boolean not null default false,
  url text,
  -- What is shown for the names while the authority looks; null: nothing of it is left.
  proofs jsonb,
  -- It was told to look.
  is_asked boolean not null default false,
  key_sealed text,
  troubles integer not null default 0,
  reason text,
  -- Grows with every step: a process that was overtaken cannot write.
  version integer not null default 0,
  -- When its next step is due; null: it has none.
  due_at timestamptz default now(),
  begun_at timestamptz not null default now(),
  ended_at timestamptz,
  check ((state = 'open') = (ended_at is null)),
  foreign key (reseller_id, domain_id) references domain (reseller_id, id)
);
create unique index certificate_order_open on certificate_order (domain_id) where state = 'open';
create index certificate_order_due on certificate_order (due_at) where due_at is not null;
create index certificate_order_begun on certificate_order (begun_at);
create index certificate_order_domain on certificate_order (domain_id);
alter table certificate_order enable row level security;
create policy clockwork on certificate_order to namehold_clockwork using (true) with check (true);

-- Our account at each authority.
create table certificate_account (
  authority text primary key,
  key_sealed text not null,
  url text,
  -- It wants no new orders before; by the database's clock.
  paused_until timestamptz
);

-- Rules that change, or a name whose state or delegation does, are looked at at once.
create function certificate_follows_forwarding() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into certificate (domain_id, reseller_id) values (new.domain_id, new.reseller_id)
  on conflict (domain_id) do update set look_at = now();
  return null;
end $$;
create trigger certificate_follows after insert or update of rules, domain_id on forwarding for each row execute function certificate_follows_forwarding();

create or replace function forwarding_follows_domain() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update forwarding set changed_xid = pg_current_xact_id() where domain_id = new.id;
  if found then
    perform pg_notify('namehold_forwarding', new.id::text);
    update certificate set look_at = now() where domain_id = new.id;
  end if;
  return null;
end $$;
drop trigger forwarding_follows on domain;
create trigger forwarding_follows after update on domain for each row
  when (old.state is distinct from new.state or old.suspended is distinct from new.suspended
    or old.unverified is distinct from new.unverified or old.unpaid is distinct from new.unpaid
    or old.nameservers is distinct from new.nameservers)
  execute function forwarding_follows_domain();

-- A certificate that comes is fed to the edges as rules are.
create function forwarding_follows_certificate() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update forwarding set changed_xid = pg_current_xact_id() where domain_id = new.domain_id;
  perform pg_notify('namehold_forwarding', new.domain_id::text);
  return null;
end $$;
create trigger forwarding_follows_certificate after update on certificate for each row
  when (old.id is distinct from new.id) execute function forwarding_follows_certificate();

insert into certificate (domain_id, reseller_id)
select f.domain_id, f.reseller_id from forwarding f join domain d on d.id = f.domain_id and d.reseller_id = f.reseller_id;
