-- oldest release: 0.1.0
-- What a backslash means is a setting of the connection (standard_conforming_strings) at the moment when a function is first called there, and plans outlive
-- a change of tenant: so no function has one.
create or replace function event_of_customer() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  new.customer_id := null;
  -- What came back of a purchase is between the reseller and its seller.
  if new.object_type in ('domain', 'zone') and new.object_id ~ '^[0-9]{1,18}$' and new.type <> 'domain.purchase_refunded' then
    select d.customer_id into new.customer_id from domain d where d.id = new.object_id::bigint and d.reseller_id = new.reseller_id;
  end if;
  return new;
end
$$;
