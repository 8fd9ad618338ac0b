-- Lists of domains: totals without counting, and the indexes of the filters.

-- Totals of lists without a filter, by state. Differences are appended, so that no two orders of one reseller wait for each
-- other's row; a job folds them together. The total is the sum of what is there.
create table domain_total (
  reseller_id bigint not null,
  state text not null,
  difference bigint not null
);
create index domain_total_reseller on domain_total (reseller_id, state) include (difference);
alter table domain_total enable row level security;
create policy own on domain_total using (is_tenant(reseller_id));
-- A parent may count what it may look at (show_child_orders).
create policy children_read on domain_total for select using (
  exists (select from reseller r where r.id = domain_total.reseller_id and r.parent_id::text = current_setting('namehold.tenant', true))
);

create function domain_total_add() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into domain_total (reseller_id, state, difference)
  select reseller_id, state, count(*) from added group by reseller_id, state;
  return null;
end
$$;
create trigger domain_total_add after insert on domain
  referencing new table as added for each statement execute function domain_total_add();

create function domain_total_move() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into domain_total (reseller_id, state, difference)
  values (old.reseller_id, old.state, -1), (new.reseller_id, new.state, 1);
  return null;
end
$$;
create trigger domain_total_move after update of state, reseller_id on domain for each row
  when (old.state <> new.state or old.reseller_id <> new.reseller_id) execute function domain_total_move();

-- Folds so many rows; says how many they were. One folder at a time: a second one finds nothing and goes home.
create function domain_total_fold(rows_at_once integer) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  folded bigint;
begin
  if not pg_try_advisory_xact_lock(hashtext('domain_total_fold')) then return 0; end if;
  with crowded as (
    select reseller_id, state from domain_total group by reseller_id, state having count(*) > 1 limit 1000
  ), taken as (
    delete from domain_total where ctid = any (array(
      select t.ctid from domain_total t join crowded using (reseller_id, state) limit rows_at_once))
    returning reseller_id, state, difference
  ), summed as (
    insert into domain_total (reseller_id, state, difference)
    select reseller_id, state, sum(difference) from taken group by reseller_id, state
  )
  select count(*) into folded from taken;
  return folded;
end
$$;

insert into domain_total (reseller_id, state, difference) select reseller_id, state, count(*) from domain group by reseller_id, state;

-- Pages walk (reseller_id, id); what has left is no longer in the way.
create index domain_listed on domain (reseller_id, id) where state <> 'removed';
create index domain_listed_end on domain (reseller_id, end_date, id) where state <> 'removed';
create index domain_listed_made on domain (reseller_id, (coalesce(registry_created_at, created_at)), id) where state <> 'removed';
create index domain_listed_tld on domain (reseller_id, tld, id) where state <> 'removed';
create index domain_listed_privacy on domain (reseller_id, id) where privacy_enabled and state <> 'removed';
create index domain_listed_customer on domain (customer_id, id) where state <> 'removed';
create index domain_listed_state on domain (reseller_id, state, id) where state <> 'live';
create index domain_auth_code on domain (auth_code_expires_at) where auth_code_expires_at is not null;
-- One update of a contact at a time for each registry: a later change is seen by the one under way.
create unique index operation_one_per_contact on operation (contact_id, registry_id)
  where kind = 'contact_update' and state not in ('done', 'refused', 'cancelled');
create index operation_unusual on operation (reseller_id, state, id) where state <> 'done';
create index operation_contact on operation (contact_id, id) where contact_id is not null;

grant select on domain_total to namehold_app;
revoke insert, update, delete on domain_total from namehold_app;
revoke execute on function domain_total_add, domain_total_move from public, namehold_app;
grant execute on function domain_total_fold to namehold_app;
