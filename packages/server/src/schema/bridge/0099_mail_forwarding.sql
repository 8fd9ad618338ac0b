-- oldest release: 0.1.0
-- Mail forwarding (decision 0059): names whose mail we take, their addresses, and the addresses elsewhere that it goes to.
create table mail_domain (
  domain_id bigint primary key,
  reseller_id bigint not null,
  -- Nobody sends mail in this name, and the zone says so.
  receive_only boolean not null default false,
  version integer not null,
  changed_at timestamptz not null,
  -- The transaction of the last change, of the name, its addresses or their targets: mail hosts follow the table by it.
  changed_xid xid8 not null default pg_current_xact_id(),
  unique (domain_id, reseller_id),
  foreign key (reseller_id, domain_id) references domain (reseller_id, id)
);
create index mail_domain_changed on mail_domain (changed_xid);
alter table mail_domain enable row level security;
create policy own on mail_domain to namehold_app using (reseller_id = (select current_tenant()));
create policy clockwork on mail_domain to namehold_clockwork using (true) with check (true);
grant select, insert, update, delete on mail_domain to namehold_app;

create table mail_forward (
  domain_id bigint not null,
  reseller_id bigint not null,
  -- Lower case; empty: whatever has no address of its own.
  local_part text not null,
  -- Addresses, in the owner's order. Whether mail may go there is said by mail_target.
  targets text[] not null,
  action text not null check (action in ('forward', 'refuse')),
  spam text not null check (spam in ('refuse', 'mark')),
  enabled boolean not null,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  primary key (domain_id, local_part),
  check ((action = 'forward') = (cardinality(targets) > 0)),
  foreign key (domain_id, reseller_id) references mail_domain (domain_id, reseller_id) on update cascade on delete cascade
);
create index mail_forward_targets on mail_forward using gin (targets);
alter table mail_forward enable row level security;
create policy own on mail_forward to namehold_app using (reseller_id = (select current_tenant()));
create policy clockwork on mail_forward to namehold_clockwork using (true) with check (true);
grant select, insert, update, delete on mail_forward to namehold_app;

-- An address elsewhere, and what its owner said to one customer. No row: nobody was asked.
create table mail_target (
  id text primary key,
  reseller_id bigint not null,
  customer_id bigint not null,
  -- Lower case.
  address text not null,
  state text not null check (state in ('waiting', 'confirmed', 'stopped', 'failing', 'lapsed')),
  created_at timestamptz not null,
  -- When the last mail was written; null while it is owed.
  asked_at timestamptz,
  lapses_at timestamptz,
  confirmed_at timestamptz,
  stopped_at timestamptz,
  -- Mail that it refused for good, since when.
  failures integer not null default 0,
  failures_since timestamptz,
  unique (customer_id, address),
  unique (reseller_id, id),
  foreign key (reseller_id, customer_id) references customer (reseller_id, id)
);
create index mail_target_address on mail_target (address);
create index mail_target_waiting on mail_target (lapses_at nulls first) where state = 'waiting';
alter table mail_target enable row level security;
create policy own on mail_target to namehold_app using (reseller_id = (select current_tenant()));
create policy clockwork on mail_target to namehold_clockwork using (true) with check (true);
grant select, insert, update on mail_target to namehold_app;

-- How much came, by what became of it, without anything about who wrote.
create table mail_hour (
  domain_id bigint not null,
  reseller_id bigint not null,
  hour timestamptz not null,
  outcome text not null check (outcome in ('forwarded', 'deferred', 'refused', 'spam', 'limited', 'bounced')),
  messages bigint not null,
  primary key (domain_id, hour, outcome),
  foreign key (reseller_id, domain_id) references domain (reseller_id, id)
);
create index mail_hour_hour on mail_hour (hour);
alter table mail_hour enable row level security;
create policy own on mail_hour to namehold_app using (reseller_id = (select current_tenant()));
create policy clockwork on mail_hour to namehold_clockwork using (true) with check (true);
grant select on mail_hour to namehold_app;

-- Mail hosts take mail by the state of the name, and send it on by what owners of targets said, whoever changes either.
create function mail_follows_domain() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update mail_domain set changed_xid = pg_current_xact_id() where domain_id = new.id;
  if found then
    perform pg_notify('namehold_mail', new.id::text);
  end if;
  return null;
end $$;
create trigger mail_follows after update on domain for each row
  when (old.state is distinct from new.state or old.suspended is distinct from new.suspended
    or old.unverified is distinct from new.unverified or old.unpaid is distinct from new.unpaid
    or old.customer_id is distinct from new.customer_id)
  execute function mail_follows_domain();

create function mail_follows_target() returns trigger
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  told bigint;
begin
  with touched as (
    update mail_domain m set changed_xid = pg_current_xact_id()
    from domain d
    where d.id = m.domain_id and d.customer_id = new.customer_id
      and exists (select from mail_forward f where f.domain_id = m.domain_id and f.targets @> array[new.address])
    returning m.domain_id)
  select count(pg_notify('namehold_mail', domain_id::text)) from touched into told;
  return null;
end $$;
create trigger mail_follows after insert or update of state on mail_target for each row execute function mail_follows_target();

-- A link that asks the owner of a target; it also ends it later.
alter table confirmation add column mail_target_id text;
alter table confirmation add foreign key (reseller_id, mail_target_id) references mail_target (reseller_id, id);
create index confirmation_mail_target on confirmation (address_key, created_at) where mail_target_id is not null;
