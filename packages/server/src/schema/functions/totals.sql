-- Row counts for lists. Triggers add differences, and a job sums them.

create or replace function customer_total_add() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into customer_total as t (reseller_id, live)
  select reseller_id, count(*) from added where deleted_at is null group by reseller_id
  on conflict (reseller_id) do update set live = t.live + excluded.live;
  return null;
end
$$;

create or replace function customer_total_change() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update customer_total set live = live + case when new.deleted_at is null then 1 else -1 end
  where reseller_id = new.reseller_id;
  return null;
end
$$;

create or replace function domain_total_add() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into domain_total (reseller_id, state, difference)
  select reseller_id, state, count(*) from added group by reseller_id, state;
  return null;
end
$$;

create or replace function domain_total_move() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into domain_total (reseller_id, state, difference)
  values (old.reseller_id, old.state, -1), (new.reseller_id, new.state, 1);
  return null;
end
$$;

create or replace function domain_total_fold(rows_at_once integer) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
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

-- Adds two objects of counts by key, and keeps the largest counts.
create or replace function sum_of_counts(one jsonb, other jsonb, most integer) returns jsonb
language sql immutable set search_path = pg_catalog, public, pg_temp as $$
  select coalesce(jsonb_object_agg(key, n), '{}') from (
    select key, sum(value::bigint) as n from (select * from jsonb_each_text(one) union all select * from jsonb_each_text(other)) both_of_them
    group by key order by n desc, key limit most) kept
$$;

create or replace function transaction_total_add() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into transaction_total (reseller_id, customer_id, type, difference)
  select reseller_id, coalesce(customer_id, 0), type, count(*) from added group by 1, 2, 3;
  return null;
end
$$;

create or replace function transaction_total_fold(rows_at_once integer) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  folded bigint;
begin
  if not pg_try_advisory_xact_lock(hashtext('transaction_total_fold')) then return 0; end if;
  with crowded as (
    select reseller_id, customer_id, type from transaction_total group by 1, 2, 3 having count(*) > 1 limit 1000
  ), taken as (
    delete from transaction_total where ctid = any (array(
      select t.ctid from transaction_total t join crowded using (reseller_id, customer_id, type) limit rows_at_once))
    returning reseller_id, customer_id, type, difference
  ), summed as (
    insert into transaction_total (reseller_id, customer_id, type, difference)
    select reseller_id, customer_id, type, sum(difference) from taken group by 1, 2, 3
  )
  select count(*) into folded from taken;
  return folded;
end
$$;

revoke execute on function
  customer_total_add, customer_total_change, domain_total_add, domain_total_move, domain_total_fold, sum_of_counts,
  transaction_total_add, transaction_total_fold
from public, namehold_app, namehold_clockwork, namehold_retention;
grant execute on function
  customer_total_add, customer_total_change, domain_total_add, domain_total_move, domain_total_fold, sum_of_counts,
  transaction_total_add, transaction_total_fold
to namehold_clockwork;
