-- Three logins instead of one role that can be left again (decision 0010):
--   namehold_app        requests: rows of one tenant, named by a mark that the database can check and a statement cannot forge
--   namehold_clockwork  jobs, the engine and the operator's tools: every tenant, and the movements of money
--   namehold_retention  forgets what is old, by functions and nothing else
-- None owns anything, none is a member of another.
do $$
declare
  login text;
begin
  foreach login in array array['namehold_app', 'namehold_clockwork', 'namehold_retention'] loop
    begin
      if not exists (select from pg_roles where rolname = login) then
        execute format('create role %I login noinherit', login);
      elsif not exists (select from pg_roles where rolname = login and rolcanlogin) then
        execute format('alter role %I login noinherit', login);
      end if;
    exception when duplicate_object or unique_violation or insufficient_privilege or internal_error then
      -- Another database of this server is being set up, or the operator makes the roles: `namehold database roles`.
      null;
    end;
  end loop;
end
$$;
do $$
begin
  execute format('grant namehold_clockwork to %I', current_user);
exception when others then null;
end
$$;
revoke create on schema public from public;
grant usage on schema public to namehold_clockwork, namehold_retention;

-- The key that marks are signed with. The service reads it with its second login; requests never can.
create table tenant_key (
  only_one boolean primary key default true check (only_one),
  secret bytea not null default decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex')
);
insert into tenant_key default values;

-- Passwords of the three logins where the operator gave none of its own. The owner's alone.
create table login_password (
  login text primary key,
  password text not null default replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')
);
insert into login_password (login) values ('namehold_app'), ('namehold_clockwork'), ('namehold_retention');

-- sha256 of key and text, twice, so that no text can be made longer (packages/base/src/database.ts makes the same).
create function is_sealed(in_text text, in_seal text) returns boolean
language plpgsql stable parallel restricted security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  key bytea := (select k.secret from public.tenant_key k);
  wanted text := encode(sha256(key || sha256(key || convert_to(in_text, 'UTF8'))), 'hex');
begin
  -- Hashes are compared, so that the time it takes says nothing about the seal itself.
  return coalesce(sha256(key || convert_to(in_seal, 'UTF8')) = sha256(key || convert_to(wanted, 'UTF8')), false);
end
$$;

-- The tenant of this connection: null where the mark is missing or was made for another connection or by somebody else.
create function current_tenant() returns bigint
language plpgsql stable parallel restricted security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  mark text := current_setting('namehold.tenant', true);
  tenant text := split_part(mark, '.', 1);
begin
  if coalesce(mark, '') = '' or not public.is_sealed(tenant || '.' || pg_backend_pid(), split_part(mark, '.', 2)) then return null; end if;
  return tenant::bigint;
end
$$;

create function is_clockwork() returns boolean
language sql stable parallel safe set search_path = pg_catalog, public, pg_temp
as $$ select pg_has_role(session_user, 'namehold_clockwork', 'member') $$;

create or replace function is_tenant(reseller_id bigint) returns boolean
language sql stable parallel restricted set search_path = pg_catalog, public, pg_temp
as $$ select coalesce(reseller_id = public.current_tenant(), false) or public.is_clockwork() $$;

-- What a row belongs to must belong to the same reseller: a forged owner column could else reach into another's zone or domain.
-- Not checked for what is there already: nothing of ours ever wrote otherwise, and a large table would stand still for it.
alter table domain add constraint domain_owner unique (reseller_id, id);
drop index domain_reseller;
alter table zone add constraint zone_owner unique (reseller_id, id);
drop index zone_reseller;
alter table domain
  add foreign key (reseller_id, customer_id) references customer (reseller_id, id) not valid,
  add foreign key (reseller_id, registrant_contact_id) references contact (reseller_id, id) not valid,
  add foreign key (reseller_id, admin_contact_id) references contact (reseller_id, id) not valid,
  add foreign key (reseller_id, tech_contact_id) references contact (reseller_id, id) not valid,
  add foreign key (reseller_id, billing_contact_id) references contact (reseller_id, id) not valid,
  drop constraint domain_customer_id_fkey, drop constraint domain_registrant_contact_id_fkey, drop constraint domain_admin_contact_id_fkey,
  drop constraint domain_tech_contact_id_fkey, drop constraint domain_billing_contact_id_fkey;
alter table child_host add foreign key (reseller_id, domain_id) references domain (reseller_id, id) not valid, drop constraint child_host_domain_id_fkey;
alter table expiry_mark add foreign key (reseller_id, domain_id) references domain (reseller_id, id) not valid, drop constraint expiry_mark_domain_id_fkey;
alter table registry_contact
  add foreign key (reseller_id, contact_id) references contact (reseller_id, id) not valid, drop constraint registry_contact_contact_id_fkey;
alter table operation
  add foreign key (reseller_id, domain_id) references domain (reseller_id, id) not valid,
  add foreign key (reseller_id, contact_id) references contact (reseller_id, id) not valid,
  drop constraint operation_domain_id_fkey, drop constraint operation_contact_id_fkey;
alter table zone add foreign key (reseller_id, domain_id) references domain (reseller_id, id) not valid, drop constraint zone_domain_id_fkey;
alter table zone_rrset
  add foreign key (reseller_id, zone_id) references zone (reseller_id, id) on delete cascade not valid, drop constraint zone_rrset_zone_id_fkey;
alter table zone_change
  add foreign key (reseller_id, zone_id) references zone (reseller_id, id) on delete cascade not valid, drop constraint zone_change_zone_id_fkey;

-- Policies: the tenant is worked out once a statement, not once a row.
do $$
declare
  p record;
begin
  for p in select tablename, policyname, qual from pg_policies where schemaname = 'public' and qual ~ '^is_tenant\([a-z_]+\)$' loop
    execute format('alter policy %I on %I to namehold_app using (%s = (select current_tenant()))', p.policyname, p.tablename,
                   substring(p.qual from '\((.*)\)'));
  end loop;
  for p in select c.relname from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relrowsecurity loop
    execute format('drop policy if exists clockwork on %I', p.relname);
    execute format('create policy clockwork on %I to namehold_clockwork using (true) with check (true)', p.relname);
  end loop;
end
$$;
alter policy operator on registry_cost to namehold_app using ((select current_tenant()) = 1);
drop policy own_and_children on reseller;
create policy own_and_children on reseller to namehold_app
  using (id = (select current_tenant()) or parent_id = (select current_tenant()))
  -- A new row is a child's; the own row keeps its parent, because that column may not be written.
  with check (id = (select current_tenant()) or parent_id = (select current_tenant()));
create policy only_children on reseller as restrictive for insert to namehold_app with check (parent_id = (select current_tenant()));
alter policy child on audit to namehold_app with check (
  exists (select from reseller r where r.id = reseller_id and r.parent_id = (select current_tenant())));
alter policy children_read on domain to namehold_app using (
  exists (select from reseller r where r.id = domain.reseller_id and r.parent_id = (select current_tenant())));
create policy only_pending on domain as restrictive for insert to namehold_app with check (state = 'pending');
alter policy children_read on domain_total to namehold_app using (
  exists (select from reseller r where r.id = domain_total.reseller_id and r.parent_id = (select current_tenant())));
alter policy payer_and_seller on ledger_transaction to namehold_app
  using (reseller_id = (select current_tenant()) or seller_id = (select current_tenant()));
alter policy own on ledger_entry to namehold_app;
-- Only the own zones join and leave.
alter policy append on zone_membership to namehold_app with check (
  exists (select from zone z where z.id = zone_id and z.name = zone_membership.name and z.catalog_label = zone_membership.catalog_label
    and z.reseller_id = (select current_tenant())));
alter table registry_command enable row level security;
create policy own on registry_command for select to namehold_app using (exists (select from operation o where o.id = operation_id));
create policy clockwork on registry_command to namehold_clockwork using (true) with check (true);

-- An operation makes the house act at a registry, and a hold reaches the parents' balances: a request places both with a seal
-- over the whole order, which only the service can make.
create function operation_place(in_order text, in_seal text) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  o operation;
begin
  if not is_sealed('operation.' || pg_backend_pid() || '.' || in_order, in_seal) then
    raise exception 'the order of an operation is not sealed' using errcode = 'insufficient_privilege';
  end if;
  o := jsonb_populate_record(null::operation, in_order::jsonb);
  if not is_tenant(o.reseller_id) then
    raise exception 'reseller % is not the tenant', o.reseller_id using errcode = 'insufficient_privilege';
  end if;
  insert into operation (id, reseller_id, kind, domain_id, contact_id, registry_id, request, secrets_sealed, state, transaction_id, request_id,
                         key_id, due_at, created_at, updated_at)
  values (o.id, o.reseller_id, o.kind, o.domain_id, o.contact_id, o.registry_id, o.request, o.secrets_sealed, o.state, o.transaction_id,
          o.request_id, o.key_id, now() + (in_order::jsonb ->> 'due_in_ms')::double precision * interval '1 millisecond', o.created_at, o.updated_at);
end
$$;

-- Nobody in the chain spends while anybody in it is suspended: a parent's money pays for its children's orders.
create function ledger_hold_sealed(in_order text, in_seal text, out transaction_id bigint, out lacking_place integer, out missing bigint,
                                   out inactive_place integer)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if not is_sealed('hold.' || pg_backend_pid() || '.' || in_order, in_seal) then
    raise exception 'the order of a hold is not sealed' using errcode = 'insufficient_privilege';
  end if;
  select min(p.place) into inactive_place
  from jsonb_to_record(in_order::jsonb) as o (payers bigint[], sellers bigint[]),
    unnest(o.payers || o.sellers[cardinality(o.sellers)]) with ordinality as p (id, place) join reseller r on r.id = p.id
  where r.status <> 'Active' or r.deleted_at is not null;
  if inactive_place is not null then return; end if;
  select h.transaction_id, h.lacking_place, h.missing into transaction_id, lacking_place, missing
  from jsonb_to_record(in_order::jsonb) as o (
    at timestamptz, payers bigint[], sellers bigint[], amounts bigint[], currencies text[], cost bigint, cost_currency text, type text,
    operation text, domain bigint, action text, years integer, description text),
  ledger_hold(o.at, o.payers, o.sellers, o.amounts, o.currencies, o.cost, o.cost_currency, o.type, o.operation, o.domain, o.action,
              o.years, o.description) h;
end
$$;

-- Whether a zone of another reseller is in the way; its name is not the asker's business.
alter function zone_in_the_way(text, bigint) rename to zone_name_in_the_way;
create function is_zone_in_the_way(asked text, asker bigint) returns boolean
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if not is_tenant(asker) then
    raise exception 'reseller % is not the tenant', asker using errcode = 'insufficient_privilege';
  end if;
  return zone_name_in_the_way(asked, asker) is not null;
end
$$;

-- A temporary table of the same name would stand before ours where pg_temp is not named last.
do $$
declare
  f record;
begin
  for f in select p.oid::regprocedure as name from pg_proc p
           where p.pronamespace = 'public'::regnamespace and p.prokind = 'f'
             and not coalesce(p.proconfig @> array['search_path=pg_catalog, public, pg_temp'], false) loop
    execute format('alter function %s set search_path = pg_catalog, public, pg_temp', f.name);
  end loop;
end
$$;

-- The second login may what the one role could until now; the first keeps what a request needs.
do $$
declare
  g record;
begin
  for g in select table_name, string_agg(privilege_type, ', ') as privileges from information_schema.role_table_grants
           where grantee = 'namehold_app' and table_schema = 'public' group by table_name loop
    execute format('grant %s on %I to namehold_clockwork', g.privileges, g.table_name);
  end loop;
end
$$;
grant usage, select on all sequences in schema public to namehold_clockwork;
revoke all on tenant_key, login_password from namehold_app, namehold_clockwork;
grant select on tenant_key to namehold_clockwork;
do $$
declare
  name text;
begin
  for name in select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and not relrowsecurity loop
    execute format('revoke all on %I from namehold_app', name);
  end loop;
end
$$;
revoke all on registry_command, zone_membership, zone_publication, zone_published, drift, expiry_mark, registry_contact, operation, domain,
  reseller
from namehold_app;
grant select on registry_tld, tld, tld_catalogue, zone_publication, zone_published, drift, operation, domain, reseller, registry_contact
to namehold_app;
grant select (id, is_active, profile) on registry to namehold_app;
grant select (cltrid, registry_id, operation_id, step, object, verb, name, state, result_code, svtrid, prepared_at, sent_at, answered_at)
  on registry_command to namehold_app;
grant select (id, is_public, is_active) on nameserver to namehold_app;
grant insert on zone_membership to namehold_app;
-- A row lock needs a column that may be written; this one means nothing to anybody.
grant update (request_id) on operation to namehold_app;

-- Columns that say what was paid for, what the registry said, or whose something is are not a request's to write.
create function grant_columns(in_privilege text, in_table regclass, in_except text[]) returns void language plpgsql
set search_path = pg_catalog, public, pg_temp as $$
begin
  execute format('grant %s (%s) on %s to namehold_app', in_privilege, (
    select string_agg(quote_ident(attname), ', ') from pg_attribute
    where attrelid = in_table and attnum > 0 and not attisdropped and attgenerated = '' and attname <> all (in_except)), in_table);
end
$$;
select grant_columns('insert', 'domain', array['id', 'removed_reason', 'removed_at', 'end_date', 'registry_expires_at', 'registry_created_at',
  'registry_status', 'rgp_status', 'grace_ends_at', 'redemption_ends_at', 'last_renewed_at', 'synced_at', 'privacy_until', 'privacy_enabled',
  'auth_code_sealed', 'auth_code_expires_at', 'deleted_at', 'missing_since', 'adopted_until']);
select grant_columns('update', 'domain', array['id', 'reseller_id', 'name', 'tld', 'registry_id', 'state', 'removed_reason', 'removed_at',
  'end_date', 'registry_expires_at', 'registry_created_at', 'registry_status', 'rgp_status', 'grace_ends_at', 'redemption_ends_at',
  'last_renewed_at', 'synced_at', 'privacy_until', 'premium_class', 'premium_renewal_fee', 'premium_currency', 'created_at',
  'deleted_at', 'missing_since', 'adopted_until']);
select grant_columns('insert', 'reseller', array['id', 'status', 'total_receipts', 'deleted_at']);
select grant_columns('update', 'reseller', array['id', 'parent_id', 'status', 'selling_currency', 'accounting_currency',
  'parent_selling_currency', 'total_receipts', 'created_at', 'deleted_at']);
drop function grant_columns;

-- What comes after this migration is closed until it is opened.
alter default privileges in schema public revoke all on tables from namehold_app;
alter default privileges in schema public revoke all on sequences from namehold_app;
alter default privileges in schema public revoke all on functions from namehold_app;
alter default privileges revoke execute on functions from public;
alter default privileges in schema public grant select, insert, update, delete on tables to namehold_clockwork;
alter default privileges in schema public grant usage, select on sequences to namehold_clockwork;
alter default privileges in schema public grant execute on functions to namehold_clockwork;
revoke execute on all functions in schema public from public, namehold_app;
grant execute on all functions in schema public to namehold_clockwork;
revoke execute on function ledger_account_id, ledger_move, ledger_lock_purchase from namehold_clockwork;
grant execute on function current_tenant, is_clockwork, is_tenant, append_event, operation_place, ledger_hold_sealed, ledger_balance,
  price_facts, reseller_in_use, is_zone_in_the_way, zone_make_way, zone_last_serial
to namehold_app;
