-- oldest release: 0.1.0
-- Customers sign in (decision 0063). What one may do is its reseller's to say; until it is said, nothing.
alter table customer add column access text not null default 'none' check (access in ('none', 'read', 'dns', 'manage', 'order'));

-- Their sessions stand beside those of people.
alter table person_session
  alter column person_id drop not null,
  add column customer_id bigint,
  -- "Keep me signed in": it may be unused for as long as it lives.
  add column is_kept boolean not null default false,
  add foreign key (reseller_id, customer_id) references customer (reseller_id, id),
  add check (num_nonnulls(person_id, customer_id) = 1);
create index person_session_customer on person_session (customer_id, created_at) where customer_id is not null;

-- A mark names a reseller, or a customer of one: `1000.<seal>` or `1000:2001.<seal>`, the seal over the whole of it. Not a second mark
-- beside the first: who could take that one away would have the whole account.
-- For a customer there is no tenant: every policy and function that asks for one is closed to it, those to come as well.
create or replace function current_tenant() returns bigint
language plpgsql stable parallel restricted security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  mark text := current_setting('namehold.tenant', true);
  tenant text := split_part(mark, '.', 1);
begin
  if coalesce(mark, '') = '' or tenant like '%:%' or not public.is_sealed(tenant || '.' || pg_backend_pid(), split_part(mark, '.', 2)) then
    return null;
  end if;
  return tenant::bigint;
end
$$;

create function customer_mark(in_part integer) returns bigint
language plpgsql stable parallel restricted security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  mark text := current_setting('namehold.tenant', true);
  whose text := split_part(mark, '.', 1);
begin
  -- Most are no customer's, and need no second look at the seal.
  if coalesce(whose, '') not like '%:%' or not public.is_sealed(whose || '.' || pg_backend_pid(), split_part(mark, '.', 2)) then return null; end if;
  return split_part(whose, ':', in_part)::bigint;
end
$$;
create function current_customer() returns bigint
language sql stable parallel restricted set search_path = pg_catalog, public, pg_temp as $$ select public.customer_mark(2) $$;
create function customer_reseller() returns bigint
language sql stable parallel restricted set search_path = pg_catalog, public, pg_temp as $$ select public.customer_mark(1) $$;
grant execute on function customer_mark, current_customer, customer_reseller to namehold_app, namehold_clockwork;

-- What is a customer's own, to read.
do $$
declare
  name text;
begin
  foreach name in array array['contact', 'domain', 'ledger_account', 'ledger_transaction', 'waiting_order', 'expected_payment', 'mail_target'] loop
    execute format('create policy customer on %I for select to namehold_app using (customer_id = (select current_customer()))', name);
  end loop;
  foreach name in array array['child_host', 'operation', 'auto_renewal', 'zone', 'forwarding', 'forward_target', 'forward_hour', 'mail_domain',
                              'mail_forward', 'mail_hour', 'certificate'] loop
    execute format('create policy customer on %1$I for select to namehold_app using ((select current_customer()) is not null
      and exists (select from domain d where d.id = %1$I.domain_id and d.customer_id = (select current_customer())))', name);
  end loop;
  foreach name in array array['zone_publication', 'zone_published'] loop
    execute format('create policy customer on %1$I for select to namehold_app using ((select current_customer()) is not null
      and exists (select from zone z where z.id = %1$I.zone_id))', name);
  end loop;
  -- To change as well: records.
  foreach name in array array['zone_rrset', 'zone_change', 'displaced_rrset'] loop
    execute format('create policy customer on %1$I to namehold_app using ((select current_customer()) is not null
      and exists (select from zone z where z.id = %1$I.zone_id and z.reseller_id = %1$I.reseller_id))', name);
  end loop;
end
$$;
create policy customer on customer for select to namehold_app using (id = (select current_customer()));
create policy customer on invoice for select to namehold_app using (customer_id = (select current_customer()) and number is not null);
create policy customer_changes on zone for update to namehold_app using ((select current_customer()) is not null
  and exists (select from domain d where d.id = zone.domain_id and d.customer_id = (select current_customer())));

-- What it does is told in its own name, and about its own names.
create policy customer on audit for insert to namehold_app
  with check (reseller_id = (select customer_reseller()) and key_id is null and person_id = 'customer:' || (select current_customer()));
create policy customer on event_counter to namehold_app using (reseller_id = (select customer_reseller()));
create policy customer on event to namehold_app using (
  reseller_id = (select customer_reseller()) and case when object_type in ('domain', 'zone') and object_id ~ '^\d{1,18}$' then
    exists (select from domain d where d.id = event.object_id::bigint and d.customer_id = (select current_customer())) else false end);
-- Answers are kept under who asked: no caller's own key holds a space.
create policy customer on idempotency to namehold_app
  using (reseller_id = (select customer_reseller()) and split_part(key, ' ', 1) = 'customer:' || (select current_customer()));

create or replace function holds_zone_name(asked text) returns boolean
language sql stable parallel restricted security definer set search_path = pg_catalog, public, pg_temp as $$
  select is_clockwork() or exists (
    select from domain d
    where d.name = left(asked, -1) and asked like '%.' and (d.reseller_id = current_tenant() or d.customer_id = current_customer())
      and d.state in ('live', 'redemption', 'pending_restore', 'pending_delete'))
$$;

-- Of its reseller's account a customer reads no more than what its changes are held against.
create function second_yes_of(in_reseller bigint) returns text[]
language sql stable parallel restricted security definer set search_path = pg_catalog, public, pg_temp as $$
  select r.second_yes from reseller r where r.id = in_reseller and (is_tenant(r.id) or r.id = customer_reseller())
$$;
grant execute on function second_yes_of to namehold_app, namehold_clockwork;
