-- oldest release: 0.1.0
-- While the server takes a table for small, any index over what is active is as good to it as the one by name, and such a plan is kept: an order among the
-- first thousands of zones read all of them. A variable hides what the partial indexes ask for (decision 0078).
create or replace function zone_name_in_the_way(asked text, asker bigint) returns text
language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp set plan_cache_mode = force_generic_plan as $$
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
    -- Not before the name was given up, whatever time the caller says: what was left is kept from then on.
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

-- The holder of a name, as it stands until the commit. A no to "is the address confirmed" holds that long: whoever says yes meanwhile waits for the lock,
-- and then finds this name among those that waited. Where the address has had its mail of late, those who ask need not wait for each other: only who
-- may write one is alone. Each step sees what was committed before it.
create function holder_look(in_reseller bigint, in_contact bigint, in_lately timestamptz)
returns table (name text, email text, country_code text, is_verified boolean, links integer)
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  of_address text;
  address_lock bigint;
begin
  select c.name, c.email, c.country_code, lower(c.email) into name, email, country_code, of_address
  from contact c where c.id = in_contact and c.reseller_id = in_reseller;
  if not found then return; end if;
  links := 0;
  is_verified := exists (
    select from mail_address a where a.reseller_id = in_reseller and a.address_key = of_address and a.verified_at is not null);
  if not is_verified then
    address_lock := hashtextextended(in_reseller || ' ' || of_address, 1550);
    select count(*)::integer into links from confirmation c
    where c.reseller_id = in_reseller and c.address_key = of_address and c.created_at > in_lately and c.operation_id is null and c.mail_target_id is null;
    if links > 0 then
      perform pg_advisory_xact_lock_shared(address_lock);
    else
      perform pg_advisory_xact_lock(address_lock);
      select count(*)::integer into links from confirmation c
      where c.reseller_id = in_reseller and c.address_key = of_address and c.created_at > in_lately and c.operation_id is null and c.mail_target_id is null;
    end if;
    is_verified := exists (
      select from mail_address a where a.reseller_id = in_reseller and a.address_key = of_address and a.verified_at is not null);
  end if;
  return next;
end
$$;

create or replace function holder_ask(in_reseller bigint, in_contact bigint, in_domain bigint, in_since timestamptz, in_by timestamptz, in_cause text, in_lately timestamptz)
returns table (name text, email text, country_code text, is_verified boolean, links integer)
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  select * into name, email, country_code, is_verified, links from holder_look(in_reseller, in_contact, in_lately);
  if not found then return; end if;
  update domain d set verify_since = in_since, verify_by = case when is_verified then null else in_by end, verify_cause = in_cause, verify_reminded_at = null,
    verify_look_at = null, verify_tell_at = case when is_verified then in_since end
  where d.id = in_domain;
  return next;
end
$$;
revoke execute on function holder_look from public;
grant execute on function holder_look to namehold_app, namehold_clockwork;
