-- oldest release: 0.1.0
-- A payment with a deposit, or of several bills, moves money more than once in one transaction: all accounts that it can touch are locked before the
-- first of it, in the one order that every movement takes them in. One after the other they ran into each other (deadlocks).
create function ledger_lock_payers(in_reseller bigint, in_customer bigint) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if not is_tenant(in_reseller) then
    raise exception 'reseller % is not the tenant', in_reseller using errcode = 'insufficient_privilege';
  end if;
  perform from ledger_account a
  where a.balance is not null
    and case when a.customer_id is null then
          a.kind in ('available', 'held') or (a.kind = 'revenue' and a.reseller_id = in_reseller)
        else a.customer_id = in_customer and a.reseller_id = in_reseller end
    and a.reseller_id in (
      with recursive chain (id, parent) as (
        select r.id, r.parent_id from reseller r where r.id = in_reseller
        union all
        -- The operator pays nobody.
        select r.id, r.parent_id from chain join reseller r on r.id = chain.parent where r.parent_id is not null)
      select chain.id from chain)
  order by a.id for no key update of a;
end
$$;

revoke all on function ledger_lock_payers from public;
grant execute on function ledger_lock_payers to namehold_app, namehold_clockwork;
