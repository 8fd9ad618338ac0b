-- oldest release: 0.1.0
-- A zone is its domain's: of the same reseller, of the same name, and made by a request only for a name that is held. A statement that
-- got in could name its zone as it liked, and our nameservers served it.

-- Whether this connection's tenant holds the name now. A pending one may yet turn out to be somebody else's.
create function holds_zone_name(asked text) returns boolean
language sql stable parallel restricted security definer set search_path = pg_catalog, public, pg_temp as $$
  select is_clockwork() or exists (
    select from domain d
    where d.name = left(asked, -1) and asked like '%.' and d.reseller_id = current_tenant()
      and d.state in ('live', 'redemption', 'pending_restore', 'pending_delete'))
$$;

create function zone_belongs() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (select from domain d where d.id = new.domain_id and d.reseller_id = new.reseller_id and d.name || '.' = new.name) then
    raise exception 'zone % is not of domain % of reseller %', new.name, new.domain_id, new.reseller_id using errcode = 'foreign_key_violation';
  end if;
  -- The clockwork has looked by itself, and may bring in very many at once.
  if is_clockwork() or new.state <> 'active' then return new; end if;
  if not holds_zone_name(new.name) then
    raise exception '% is not held', new.name using errcode = 'insufficient_privilege';
  end if;
  if zone_name_in_the_way(new.name, new.reseller_id) is not null then
    raise exception 'a zone above or below % belongs to another', new.name using errcode = 'insufficient_privilege';
  end if;
  return new;
end
$$;
create trigger zone_belongs_made before insert on zone for each row execute function zone_belongs();
create trigger zone_belongs_changed before update on zone for each row
  when ((old.reseller_id, old.domain_id, old.name) is distinct from (new.reseller_id, new.domain_id, new.name)
        or (old.state <> 'active' and new.state = 'active'))
  execute function zone_belongs();

-- The id, whose it is and how it is called are not a request's to change; a zone goes by its state, and its row by the clockwork.
do $$
declare
  writable constant text := (
    select string_agg(quote_ident(attname), ', ') from pg_attribute
    where attrelid = 'zone'::regclass and attnum > 0 and not attisdropped and attgenerated = ''
      and attname <> all (array['id', 'reseller_id', 'domain_id', 'name', 'created_at']));
begin
  revoke insert, update, delete, truncate, references, trigger on zone from namehold_app;
  execute format('grant insert (reseller_id, domain_id, name, created_at, %s), update (%s) on zone to namehold_app', writable, writable);
end
$$;

-- Three functions that run as the owner took any name from anybody.
create or replace function zone_last_serial(asked text) returns bigint
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if not holds_zone_name(asked) then
    raise exception '% is not held', asked using errcode = 'insufficient_privilege';
  end if;
  return (select z.serial from zone z where z.name = asked order by z.id desc limit 1);
end
$$;

create or replace function is_zone_in_the_way(asked text, asker bigint) returns boolean
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if not is_tenant(asker) or not holds_zone_name(asked) then
    raise exception '% is not held by reseller %', asked, asker using errcode = 'insufficient_privilege';
  end if;
  return zone_name_in_the_way(asked, asker) is not null;
end
$$;

create or replace function zone_make_way(asked text, for_domain bigint, now_at timestamptz) returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  gone zone;
  count integer := 0;
begin
  if not holds_zone_name(asked) or not exists (
       select from domain heir
       where heir.id = for_domain and is_tenant(heir.reseller_id) and heir.name || '.' = asked and heir.state not in ('pending', 'removed')) then
    raise exception '% is not held as domain %', asked, for_domain using errcode = 'insufficient_privilege';
  end if;
  for gone in
    -- Not before the name was given up, whatever time the caller says: what was left is kept from then on.
    update zone z set state = 'withdrawn', withdrawn_at = greatest(now_at, d.removed_at), changed_at = greatest(now_at, d.removed_at),
      changed_xid = pg_current_xact_id()
    from domain d
    where z.name = asked and z.state = 'active' and z.domain_id = d.id and d.id <> for_domain and d.state = 'removed'
    returning z.*
  loop
    insert into zone_membership (zone_id, name, catalog_label, action, at)
    values (gone.id, gone.name, gone.catalog_label, 'leave', gone.withdrawn_at);
    perform pg_notify('namehold_zone', gone.id::text);
    perform append_event(gone.reseller_id, gone.withdrawn_at, 'zone.withdrawn', 'zone', gone.domain_id::text, null,
      jsonb_build_object('domain_id', gone.domain_id::text, 'domain_name', rtrim(gone.name, '.'), 'serial', gone.serial));
    count := count + 1;
  end loop;
  return count;
end
$$;
revoke execute on function holds_zone_name, zone_belongs from public;

-- Identity columns need no right to their sequences; to ask one tells how much the others do.
revoke all on all sequences in schema public from namehold_app;

-- Large objects belong to whoever makes them, and stay. Only a superuser may close this; `namehold database roles` prints it.
do $$
begin
  revoke execute on function pg_catalog.lo_creat(integer), pg_catalog.lo_create(oid), pg_catalog.lo_from_bytea(oid, bytea) from public;
exception when insufficient_privilege then null;
end
$$;
