-- oldest release: 0.1.0
-- Records that a service of ours keeps in a zone, and forwarding of web addresses, the first of these services (decision 0053).
alter table zone_rrset add column managed_by text check (managed_by in ('url_forwarding'));

-- What gave way to them, until the service ends there.
create table displaced_rrset (
  zone_id bigint not null,
  reseller_id bigint not null,
  managed_by text not null check (managed_by in ('url_forwarding')),
  name text not null,
  type text not null,
  ttl integer not null,
  -- Canonical text, one element for each record.
  records text[] not null check (cardinality(records) > 0),
  primary key (zone_id, name, type),
  foreign key (reseller_id, zone_id) references zone (reseller_id, id) on delete cascade on update cascade
);
alter table displaced_rrset enable row level security;
create policy own on displaced_rrset to namehold_app using (reseller_id = (select current_tenant()));
create policy clockwork on displaced_rrset to namehold_clockwork using (true) with check (true);
grant select, insert, delete on displaced_rrset to namehold_app;

-- The rules of one name, all in one row: they are read and written together. A name that forwards no more keeps its row, with none.
create table forwarding (
  domain_id bigint primary key,
  reseller_id bigint not null,
  rules jsonb not null check (jsonb_typeof(rules) = 'array'),
  version integer not null,
  changed_at timestamptz not null,
  -- The transaction of the last change: edges follow the table by it.
  changed_xid xid8 not null default pg_current_xact_id(),
  foreign key (reseller_id, domain_id) references domain (reseller_id, id)
);
create index forwarding_changed on forwarding (changed_xid);
alter table forwarding enable row level security;
create policy own on forwarding to namehold_app using (reseller_id = (select current_tenant()));
create policy clockwork on forwarding to namehold_clockwork using (true) with check (true);
grant select, insert, update on forwarding to namehold_app;

-- Edges serve by the state of the name, whoever changes it.
create function forwarding_follows_domain() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update forwarding set changed_xid = pg_current_xact_id() where domain_id = new.id;
  if found then
    perform pg_notify('namehold_forwarding', new.id::text);
  end if;
  return null;
end $$;
create trigger forwarding_follows after update on domain for each row
  when (old.state is distinct from new.state or old.suspended is distinct from new.suspended
    or old.unverified is distinct from new.unverified or old.unpaid is distinct from new.unpaid)
  execute function forwarding_follows_domain();
