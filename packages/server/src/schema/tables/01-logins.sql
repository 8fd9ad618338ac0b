-- oldest release: 0.2.0
-- Database logins, their keys, and the secrets of the vault.

-- The three logins of the service. None owns anything, and none is a member of another (decision 0010).
--   namehold_app        requests: rows of one tenant
--   namehold_clockwork  background jobs, the engine and the command line: every tenant, and all movements of money
--   namehold_retention  purges old rows, by one function
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
      -- Another database of this server is being created, or the operator creates the roles: `namehold database roles`.
      null;
    end;
  end loop;
end
$$;
do $$
declare
  login text;
begin
  foreach login in array array['namehold_app', 'namehold_clockwork'] loop
    begin
      execute format('grant %I to %I', login, current_user);
    exception when others then null;
    end;
  end loop;
end
$$;
revoke create on schema public from public;
grant usage on schema public to namehold_app, namehold_clockwork, namehold_retention;

-- A new table or function is closed to requests until its policy file or function file opens it.
alter default privileges revoke execute on functions from public;
alter default privileges in schema public grant select, insert, update, delete on tables to namehold_clockwork;
alter default privileges in schema public grant usage, select on sequences to namehold_clockwork;
alter default privileges in schema public grant execute on functions to namehold_clockwork;

-- A large object belongs to the login that creates it, and stays. Only a superuser may close this; `namehold database roles` prints it.
do $$
begin
  revoke execute on function pg_catalog.lo_creat(integer), pg_catalog.lo_create(oid), pg_catalog.lo_from_bytea(oid, bytea) from public;
exception when insufficient_privilege then null;
end
$$;

-- The key that signs the tenant of a connection (decision 0010). Only namehold_clockwork and the owner can read it.
create table tenant_key (
  only_one boolean default true primary key check (only_one),
  secret bytea not null default decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex')
);
insert into tenant_key default values;

-- Generated passwords of the three logins, used where the operator configured none. Only the owner can read them.
create table login_password (
  login text primary key,
  password text not null default replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')
);
insert into login_password (login) values ('namehold_app'), ('namehold_clockwork'), ('namehold_retention');

-- Secrets of the vault, sealed with the master key. A row that cannot be opened shows a wrong master key at the start.
create table vault_secret (
  name text primary key,
  sealed text not null
);
