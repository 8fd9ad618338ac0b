-- oldest release: 0.1.0
-- An order asks the same of the database in fewer statements (decision 0078).

-- All that must be known and done before a zone of this name is made: in one question. Each step sees what was committed before the branch was locked.
create function zone_claim_name(asked text, asker bigint, for_domain bigint, now_at timestamptz, out is_taken boolean, out last_serial bigint)
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  is_taken := is_zone_in_the_way(asked, asker);
  if is_taken then return; end if;
  perform zone_make_way(asked, for_domain, now_at);
  last_serial := zone_last_serial(asked);
end
$$;

-- What belongs to a zone from its first moment: records, history, a place in the catalog. The policies of these look for the zone, which a statement
-- sees only after the one that made it.
create function zone_begin(in_zone bigint, in_names text[], in_types text[], in_ttls integer[], in_texts text[], in_wires bytea[], in_services text[],
                           in_key text, in_person text, in_person_name text, in_request text, in_soa text, in_added jsonb) returns void
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
revoke execute on function zone_claim_name, zone_begin from public;
grant execute on function zone_claim_name, zone_begin to namehold_app, namehold_clockwork;

-- Whoever places an operation and runs it at once has its lease from the start: a first claim of its own would say the same once more. The row comes back,
-- with the fence. Only the service can make the seal.
drop function operation_place(text, text);
create function operation_place(in_order text, in_seal text) returns operation
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  o operation;
  acting bigint := acting_customer();
begin
  if not is_sealed('operation.' || pg_backend_pid() || '.' || in_order, in_seal) then
    raise exception 'the order of an operation is not sealed' using errcode = 'insufficient_privilege';
  end if;
  o := jsonb_populate_record(null::operation, in_order::jsonb);
  if not is_tenant(o.reseller_id) then
    raise exception 'reseller % is not the tenant', o.reseller_id using errcode = 'insufficient_privilege';
  end if;
  -- In the name of the customer, and on what is its own.
  if acting is not null and not coalesce(o.key_id is null and o.person ->> 'id' = 'customer:' || acting
      and num_nonnulls(o.domain_id, o.contact_id) > 0
      and (o.domain_id is null or exists (select from domain d where d.id = o.domain_id and d.customer_id = acting))
      and (o.contact_id is null or exists (select from contact c where c.id = o.contact_id and c.customer_id = acting)), false) then
    raise exception 'customer % may not order this', acting using errcode = 'insufficient_privilege';
  end if;
  if o.state <> (case when o.approval_until is null then 'intended' else 'action_required' end) then
    raise exception 'an operation does not begin as %', o.state using errcode = 'check_violation';
  end if;
  -- A fence that cannot repeat, as with every other claim.
  insert into operation (id, reseller_id, kind, domain_id, contact_id, registry_id, request, secrets_sealed, state, transaction_id, bill_id, request_id,
                         key_id, person, attention, approval, approval_until, due_at, created_at, updated_at, lease_owner, leased_until, fence, attempts)
  values (o.id, o.reseller_id, o.kind, o.domain_id, o.contact_id, o.registry_id, o.request, o.secrets_sealed, o.state, o.transaction_id, o.bill_id,
          o.request_id, o.key_id, o.person, o.attention, o.approval, o.approval_until,
          now() + (in_order::jsonb ->> 'due_in_ms')::double precision * interval '1 millisecond', o.created_at, o.updated_at,
          o.lease_owner, now() + (in_order::jsonb ->> 'lease_ms')::double precision * interval '1 millisecond',
          case when o.lease_owner is null then '0' else gen_random_uuid()::text end, case when o.lease_owner is null then 0 else 1 end)
  returning * into o;
  return o;
end
$$;
revoke execute on function operation_place from public;
grant execute on function operation_place to namehold_app, namehold_clockwork;
