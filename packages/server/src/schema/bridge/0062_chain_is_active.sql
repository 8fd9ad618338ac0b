-- oldest release: 0.1.0
-- For quotes and dry runs, the look that a hold takes: the place in the buyer's chain, 1 for itself, of the first account that is not active. Which it
-- is stays its own business.
create function chain_inactive_place(asked bigint) returns integer
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if not is_tenant(asked) then
    raise exception 'reseller % is not the tenant', asked using errcode = 'insufficient_privilege';
  end if;
  return (
    with recursive chain (parent_id, is_active, place) as (
      select r.parent_id, r.status = 'Active' and r.deleted_at is null, 1 from reseller r where r.id = asked
      union all
      select r.parent_id, r.status = 'Active' and r.deleted_at is null, c.place + 1 from chain c join reseller r on r.id = c.parent_id
    )
    select min(place) from chain where not is_active);
end
$$;
revoke all on function chain_inactive_place from public;
grant execute on function chain_inactive_place to namehold_app, namehold_clockwork;
