-- oldest release: 0.1.0
-- A page of a list must cost the same among a million rows as among ten (decision 0079).

-- Everything that was done to one thing, and every time that one thing was done.
create index audit_object on audit (reseller_id, object_id, id);
create index audit_action on audit (reseller_id, action, id);
create index operation_kind on operation (reseller_id, kind, id);
-- Orders are most of them, and pay nothing for this one.
create index ledger_transaction_unusual on ledger_transaction (reseller_id, type, id) where customer_id is null and type <> 'domain';

-- How many transactions an account or one of its customers has of each kind. Differences are appended, so that no two orders wait for each
-- other's row; a job folds them together. Transactions are never taken away, nor do they change their payer or their kind.
create table transaction_total (
  reseller_id bigint not null,
  -- 0: the account's own.
  customer_id bigint not null,
  type text not null,
  difference bigint not null
);
create index transaction_total_payer on transaction_total (reseller_id, customer_id, type) include (difference);
alter table transaction_total enable row level security;
create policy own on transaction_total using (is_tenant(reseller_id));
-- A parent may count what it may look at.
create policy children_read on transaction_total for select to namehold_app using (
  customer_id = 0 and exists (select from reseller r where r.id = transaction_total.reseller_id and r.parent_id = (select current_tenant())));
create policy customer_acts on transaction_total as restrictive to namehold_app
  using ((select acting_customer()) is null or customer_id = (select acting_customer()));

create function transaction_total_add() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into transaction_total (reseller_id, customer_id, type, difference)
  select reseller_id, coalesce(customer_id, 0), type, count(*) from added group by 1, 2, 3;
  return null;
end
$$;
create trigger transaction_total_add after insert on ledger_transaction
  referencing new table as added for each statement execute function transaction_total_add();

-- Folds so many rows; says how many they were. One folder at a time: a second one finds nothing and goes home.
create function transaction_total_fold(rows_at_once integer) returns bigint
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

insert into transaction_total (reseller_id, customer_id, type, difference)
select reseller_id, coalesce(customer_id, 0), type, count(*) from ledger_transaction group by 1, 2, 3;

revoke insert, update, delete on transaction_total from namehold_app;
grant select on transaction_total to namehold_app, namehold_clockwork;
revoke all on function transaction_total_add, transaction_total_fold from public, namehold_app;
grant execute on function transaction_total_fold to namehold_clockwork;
