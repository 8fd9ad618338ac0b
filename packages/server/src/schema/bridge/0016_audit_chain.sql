-- The audit log of each reseller is a chain: every row's hash covers the row and the hash before it. Who changes, removes, slips in or
-- swaps rows breaks it; who rewrites all of it ends at another head than the one that was logged.
create table audit_head (
  reseller_id bigint primary key references reseller (id),
  number bigint not null,
  hash bytea not null,
  -- Where retention cut the chain off: the rows up to this number are gone, and this was the hash of the last one.
  cut_number bigint not null default 0,
  cut_hash bytea not null default '',
  cut_at timestamptz
);
create table audit_link (
  reseller_id bigint not null references reseller (id),
  number bigint not null,
  audit_id bigint not null unique,
  hash bytea not null,
  primary key (reseller_id, number)
);
alter table audit_head enable row level security;
create policy clockwork on audit_head to namehold_clockwork using (true) with check (true);
alter table audit_link enable row level security;
create policy clockwork on audit_link to namehold_clockwork using (true) with check (true);

create function audit_hash(in_before bytea, a audit) returns bytea
language sql stable parallel safe set search_path = pg_catalog, public, pg_temp as $$
  select sha256(in_before || convert_to(jsonb_build_array(a.id, a.reseller_id, to_char(a.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'),
    a.key_id, a.address, a.request_id, a.action, a.object_type, a.object_id, a.before, a.after)::text, 'UTF8'))
$$;

create function audit_link_add(a audit) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  head audit_head;
begin
  insert into audit_head as h (reseller_id, number, hash) values (a.reseller_id, 1, audit_hash('', a))
  on conflict (reseller_id) do update set number = h.number + 1, hash = audit_hash(h.hash, a)
  returning h.* into head;
  insert into audit_link (reseller_id, number, audit_id, hash) values (a.reseller_id, head.number, a.id, head.hash);
end
$$;

create function audit_chain() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform audit_link_add(new);
  return null;
end
$$;

-- What is there already, in its order.
do $$
declare
  a audit;
begin
  for a in select * from audit order by reseller_id, id loop
    perform audit_link_add(a);
  end loop;
end
$$;

-- At the commit, not before: the lock on a reseller's head is held for the length of the commit alone. The counter of its events is held
-- longer already, so writers of one reseller wait for each other no more than they did.
create constraint trigger audit_chain after insert on audit deferrable initially deferred
  for each row execute function audit_chain();

revoke all on audit_head, audit_link from namehold_clockwork;
grant select on audit_head, audit_link to namehold_clockwork;
revoke execute on function audit_link_add, audit_chain from namehold_clockwork, public;
