-- The catalog zone (RFC 9432). There is one; its name is a setting.
create table catalog (
  only_one boolean primary key default true check (only_one),
  -- Grows without wrapping; modulo 2^32 on the wire.
  serial bigint not null,
  -- Joins and leaves are known from this serial on; who holds an older one gets the whole catalog.
  journal_from bigint not null,
  changed_at timestamptz not null
);

-- The last serial that every active nameserver was seen to answer; the event went out in the same transaction.
create table zone_published (
  zone_id bigint primary key references zone (id) on delete cascade,
  reseller_id bigint not null,
  serial bigint not null,
  published_at timestamptz not null
);
alter table zone_published enable row level security;
create policy own on zone_published using (is_tenant(reseller_id));

grant select, insert, update, delete on catalog, zone_published to namehold_app;
