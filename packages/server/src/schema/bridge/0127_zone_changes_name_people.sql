-- oldest release: 0.1.0
-- Who changed a zone, where it was a person and not a key: as that person was called then.
alter table zone_change add column person_id text, add column person_name text;

create or replace function zone_forget_hands(in_domain bigint) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  update public.zone_change set key_id = null, request_id = null, comment = null, person_id = null, person_name = null
  where public.is_clockwork() and zone_id in (select id from public.zone where domain_id = in_domain and state = 'active')
$$;
