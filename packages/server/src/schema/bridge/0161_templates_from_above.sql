-- oldest release: 0.1.0
-- Templates that an account shares are used by the accounts below it (decision 0082). Whose it is, is told as a place in the chain and not as an account.
alter table zone_template add column is_shared boolean not null default false;

-- The table itself stays the account's own alone: what comes from above is read through here, and written by nobody below. `in_id`: this one, or null for all.
create function zone_templates_above(in_reseller bigint, in_id text)
returns table (place integer, id text, name text, description text, version integer, variables jsonb, rrsets jsonb, is_shared boolean, updated_at timestamptz)
language plpgsql stable parallel restricted security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if not is_tenant(in_reseller) or acting_customer() is not null then
    raise exception 'reseller % is not the tenant', in_reseller using errcode = 'insufficient_privilege';
  end if;
  return query
    with recursive above (id, parent_id, place) as (
      select r.id, r.parent_id, 0 from reseller r where r.id = in_reseller
      union all
      select r.id, r.parent_id, a.place + 1 from above a join reseller r on r.id = a.parent_id
    )
    select a.place, t.id, t.name, t.description, t.version, t.variables, t.rrsets, t.is_shared, t.updated_at
    from above a join zone_template t on t.reseller_id = a.id
    where a.place > 0 and t.is_shared and (in_id is null or t.id = in_id);
end
$$;
revoke execute on function zone_templates_above from public;
grant execute on function zone_templates_above to namehold_app, namehold_clockwork;
