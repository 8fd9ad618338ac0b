-- Row-level security (RLS): the tenant and the customer of a connection (decisions 0010 and 0063). The policies call these functions.

create or replace function is_tenant(reseller_id bigint) returns boolean
language sql stable parallel restricted set search_path = pg_catalog, public, pg_temp as $$
  select coalesce(reseller_id = public.current_tenant(), false) or public.is_clockwork()
$$;

-- Whether the signature in_seal belongs to in_text. The columns *_sealed are different: they contain encrypted values.
-- The signature is a keyed hash, applied twice so that no text can be extended (packages/postgres/src/pool/signature.ts creates the same).
create or replace function is_sealed(in_text text, in_seal text) returns boolean
language plpgsql stable parallel restricted security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  key bytea := (select k.secret from public.tenant_key k);
  wanted text := encode(sha256(key || sha256(key || convert_to(in_text, 'UTF8'))), 'hex');
begin
  -- Hashes are compared, so that the duration reveals nothing about the seal.
  return coalesce(sha256(key || convert_to(in_seal, 'UTF8')) = sha256(key || convert_to(wanted, 'UTF8')), false);
end
$$;

-- The account of this connection. Null: no signature, or one that was made for another connection. A mark `<account>:<customer>`
-- has no tenant.
create or replace function current_tenant() returns bigint
language plpgsql stable parallel restricted security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  mark text := current_setting('namehold.tenant', true);
  tenant text := split_part(mark, '.', 1);
begin
  if coalesce(mark, '') = '' or tenant like '%:%' or not public.is_sealed(tenant || '.' || pg_backend_pid(), split_part(mark, '.', 2)) then
    return null;
  end if;
  return split_part(tenant, '+', 1)::bigint;
end
$$;

-- Whether the login is namehold_clockwork, which sees all accounts.
create or replace function is_clockwork() returns boolean
language sql stable parallel safe set search_path = pg_catalog, public, pg_temp as $$
  select pg_has_role(session_user, 'namehold_clockwork', 'member')
$$;

-- Part 1 or 2 of the mark `<account>:<customer>` of a signed-in customer.
create or replace function customer_mark(in_part integer) returns bigint
language plpgsql stable parallel restricted security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  mark text := current_setting('namehold.tenant', true);
  whose text := split_part(mark, '.', 1);
begin
  -- Most marks name no customer, and their seal is not checked here.
  if coalesce(whose, '') not like '%:%' or not public.is_sealed(whose || '.' || pg_backend_pid(), split_part(mark, '.', 2)) then return null; end if;
  return split_part(whose, ':', in_part)::bigint;
end
$$;

create or replace function current_customer() returns bigint
language sql stable parallel restricted set search_path = pg_catalog, public, pg_temp as $$
  select public.customer_mark(2)
$$;

create or replace function customer_reseller() returns bigint
language sql stable parallel restricted set search_path = pg_catalog, public, pg_temp as $$
  select public.customer_mark(1)
$$;

-- The customer that acts with the tenant of its reseller, restricted to its own rows (decision 0073): `<account>+<customer>`.
create or replace function acting_customer() returns bigint
language sql stable parallel restricted set search_path = pg_catalog, public, pg_temp as $$
  select nullif(split_part(split_part(current_setting('namehold.tenant', true), '.', 1), '+', 2), '')::bigint
$$;

-- The domains of the customer of this connection, found once per statement.
create or replace function customers_domains() returns setof bigint
language plpgsql stable parallel restricted security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  whose bigint := coalesce(current_customer(), acting_customer());
  of_reseller bigint := coalesce(customer_reseller(), current_tenant());
begin
  return query select d.id from domain d where d.customer_id = whose and d.reseller_id = of_reseller;
end
$$;

create or replace function customers_zones() returns setof bigint
language plpgsql stable parallel restricted security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  whose bigint := coalesce(current_customer(), acting_customer());
  of_reseller bigint := coalesce(customer_reseller(), current_tenant());
begin
  return query select z.id from domain d join zone z on z.domain_id = d.id and z.reseller_id = d.reseller_id
    where d.customer_id = whose and d.reseller_id = of_reseller;
end
$$;

revoke execute on function
  is_tenant, is_sealed, current_tenant, is_clockwork, customer_mark, current_customer, customer_reseller, acting_customer,
  customers_domains, customers_zones
from public, namehold_app, namehold_clockwork, namehold_retention;
grant execute on function
  is_tenant, is_sealed, current_tenant, is_clockwork, customer_mark, current_customer, customer_reseller, acting_customer,
  customers_domains, customers_zones
to namehold_clockwork;
grant execute on function
  is_tenant, current_tenant, is_clockwork, customer_mark, current_customer, customer_reseller, acting_customer, customers_domains,
  customers_zones
to namehold_app;
