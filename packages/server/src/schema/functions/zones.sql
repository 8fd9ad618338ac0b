-- Zone names of different accounts must not contain each other (decision 0038).

-- The active zone of another account above or below a name. Locks on the name and those above it order concurrent claims.
create or replace function zone_name_in_the_way(asked text, asker bigint) returns text
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  labels text[] := string_to_array(asked, '.');
  above text[] := array(
    select array_to_string(labels[n:], '.') from generate_series(2, cardinality(labels) - 1) n order by n desc);
  active constant text := 'active';
  parent text;
  found text;
begin
  foreach parent in array above loop
    perform pg_advisory_xact_lock_shared(hashtextextended(parent, 5353));
  end loop;
  perform pg_advisory_xact_lock(hashtextextended(asked, 5353));
  foreach parent in array above loop
    select z.name into found from zone z join domain d on d.id = z.domain_id and d.state <> 'removed'
    where z.state = active and z.name = parent and z.reseller_id <> asker;
    if found is not null then return found; end if;
  end loop;
  -- Children: the reversed name begins with the reversed parent; '/' follows '.' in ASCII.
  select z.name into found from zone z join domain d on d.id = z.domain_id and d.state <> 'removed'
  where z.state = 'active' and z.reseller_id <> asker
    and reverse(z.name) ~>=~ reverse('.' || asked) and reverse(z.name) ~<~ reverse('/' || asked)
  order by reverse(z.name) using ~<~ limit 1;
  return found;
end
$$;

create or replace function zone_make_way(asked text, for_domain bigint, now_at timestamptz) returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  active constant text := 'active';
  gone zone;
  count integer := 0;
begin
  if not holds_zone_name(asked) or not exists (
       select from domain heir
       where heir.id = for_domain and is_tenant(heir.reseller_id) and heir.name || '.' = asked and heir.state not in ('pending', 'removed')) then
    raise exception '% is not held as domain %', asked, for_domain using errcode = 'insufficient_privilege';
  end if;
  for gone in
    -- Never before the domain left, whatever time the caller states.
    update zone z set state = 'withdrawn', withdrawn_at = greatest(now_at, d.removed_at), changed_at = greatest(now_at, d.removed_at),
      changed_xid = pg_current_xact_id()
    from domain d
    where z.name = asked and z.state = active and z.domain_id = d.id and d.id <> for_domain and d.state = 'removed'
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

-- After a move to another reseller, the change log no longer shows who made the changes.
create or replace function zone_forget_hands(in_domain bigint) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  update public.zone_change set key_id = null, request_id = null, comment = null, person_id = null, person_name = null
  where public.is_clockwork() and zone_id in (select id from public.zone where domain_id = in_domain and state = 'active')
$$;

create or replace function holds_zone_name(asked text) returns boolean
language sql stable parallel restricted security definer set search_path = pg_catalog, public, pg_temp as $$
  select is_clockwork() or exists (
    select from domain d
    where d.name = left(asked, -1) and asked like '%.' and (d.reseller_id = current_tenant() or d.customer_id = current_customer())
      and d.state in ('live', 'redemption', 'pending_restore', 'pending_delete'))
$$;

create or replace function zone_belongs() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (select from domain d where d.id = new.domain_id and d.reseller_id = new.reseller_id and d.name || '.' = new.name) then
    raise exception 'zone % is not of domain % of reseller %', new.name, new.domain_id, new.reseller_id using errcode = 'foreign_key_violation';
  end if;
  -- Background jobs check this themselves, and may import many zones at once.
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

create or replace function zone_claim_name(
  asked text, asker bigint, for_domain bigint, now_at timestamptz, out is_taken boolean, out last_serial bigint
)
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  is_taken := is_zone_in_the_way(asked, asker);
  if is_taken then return; end if;
  perform zone_make_way(asked, for_domain, now_at);
  last_serial := zone_last_serial(asked);
end
$$;

-- Fills a new zone: its records, the first row of its change log, and its place in the catalog.
create or replace function zone_begin(
  in_zone bigint, in_names text[], in_types text[], in_ttls integer[], in_texts text[], in_wires bytea[], in_services text[],
  in_key text, in_person text, in_person_name text, in_request text, in_soa text, in_added jsonb
) returns void
language sql set search_path = pg_catalog, public, pg_temp as $$
  insert into zone_rrset (zone_id, reseller_id, name, type, ttl, records, wire, managed_by)
  select z.id, z.reseller_id, given.name, given.type, given.ttl, array(select jsonb_array_elements_text(given.texts::jsonb)), given.wire, given.service
  from zone z, unnest(in_names, in_types, in_ttls, in_texts, in_wires, in_services) as given (name, type, ttl, texts, wire, service)
  where z.id = in_zone;
  insert into zone_change (zone_id, reseller_id, serial_from, serial_to, kind, at, key_id, person_id, person_name, request_id, soa_from, soa_to,
                           deleted, added, deleted_count, added_count)
  select z.id, z.reseller_id, null, z.serial, 'create', z.created_at, in_key, in_person, in_person_name, in_request, null, in_soa,
         '[]', in_added, 0, z.record_count from zone z where z.id = in_zone;
  insert into zone_membership (zone_id, name, catalog_label, action, at)
  select z.id, z.name, z.catalog_label, 'join', z.created_at from zone z where z.id = in_zone;
$$;

-- Shared templates of the accounts above. Null id: all.
create or replace function zone_templates_above(in_reseller bigint, in_id text)
returns table(place integer, id text, name text, description text, version integer, variables jsonb, rrsets jsonb, is_shared boolean, updated_at timestamptz)
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

-- The default template with its current content, which is null if it is built in or was deleted.
create or replace function default_zone_template_of(in_reseller bigint) returns jsonb
language plpgsql stable parallel restricted security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  chosen default_zone_template;
  content jsonb;
begin
  if not is_tenant(in_reseller) or acting_customer() is not null then return null; end if;
  select * into chosen from default_zone_template d where d.reseller_id = in_reseller;
  if not found then return null; end if;
  select jsonb_build_object('name', t.name, 'description', t.description, 'variables', t.variables, 'rrsets', t.rrsets) into content from (
    select o.name, o.description, o.variables, o.rrsets from zone_template o where o.id = chosen.template_id and o.reseller_id = in_reseller
    union all
    select a.name, a.description, a.variables, a.rrsets from zone_templates_above(in_reseller, chosen.template_id) a) t;
  return jsonb_build_object('template_id', chosen.template_id, 'given', chosen.given, 'content', content);
end
$$;

revoke execute on function
  zone_name_in_the_way, zone_make_way, zone_last_serial, is_zone_in_the_way, zone_forget_hands, holds_zone_name, zone_belongs,
  zone_claim_name, zone_begin, zone_templates_above, default_zone_template_of
from public, namehold_app, namehold_clockwork, namehold_retention;
grant execute on function
  zone_name_in_the_way, zone_make_way, zone_last_serial, is_zone_in_the_way, zone_forget_hands, holds_zone_name, zone_belongs,
  zone_claim_name, zone_begin, zone_templates_above, default_zone_template_of
to namehold_clockwork;
grant execute on function
  zone_make_way, zone_last_serial, is_zone_in_the_way, zone_claim_name, zone_begin, zone_templates_above, default_zone_template_of
to namehold_app;
