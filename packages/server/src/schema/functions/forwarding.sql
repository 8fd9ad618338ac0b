-- Edges and mail hosts follow every change of a domain that affects forwarding.

create or replace function forwarding_follows_domain() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update forwarding set changed_xid = pg_current_xact_id() where domain_id = new.id;
  if found then
    perform pg_notify('namehold_forwarding', new.id::text);
    update certificate set look_at = now() where domain_id = new.id;
  end if;
  return null;
end $$;

create or replace function mail_follows_domain() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update mail_domain set changed_xid = pg_current_xact_id() where domain_id = new.id;
  if found then
    perform pg_notify('namehold_mail', new.id::text);
  end if;
  return null;
end $$;

create or replace function mail_follows_target() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  told bigint;
begin
  with touched as (
    update mail_domain m set changed_xid = pg_current_xact_id()
    from domain d
    where d.id = m.domain_id and d.customer_id = new.customer_id
      and exists (select from mail_forward f where f.domain_id = m.domain_id and f.targets @> array[new.address])
    returning m.domain_id)
  select count(pg_notify('namehold_mail', domain_id::text)) from touched into told;
  return null;
end $$;

create or replace function certificate_follows_forwarding() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into certificate (domain_id, reseller_id) values (new.domain_id, new.reseller_id)
  on conflict (domain_id) do update set look_at = now();
  return null;
end $$;

create or replace function forwarding_follows_certificate() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update forwarding set changed_xid = pg_current_xact_id() where domain_id = new.domain_id;
  perform pg_notify('namehold_forwarding', new.domain_id::text);
  return null;
end $$;

revoke execute on function
  forwarding_follows_domain, mail_follows_domain, mail_follows_target, certificate_follows_forwarding, forwarding_follows_certificate
from public, namehold_app, namehold_clockwork, namehold_retention;
grant execute on function
  forwarding_follows_domain, mail_follows_domain, mail_follows_target, certificate_follows_forwarding, forwarding_follows_certificate
to namehold_clockwork;
