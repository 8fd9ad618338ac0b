-- Domains, operations and their proof.

create or replace function operation_is_proven(o operation) returns boolean
language sql stable security definer set search_path = pg_catalog, public, pg_temp set plan_cache_mode = force_generic_plan as $$
  select o.state = 'done' and case o.proof
    when 'operator' then o.decision ->> 'says' = 'done'
    -- Years that the registry added by itself. No other command may be running.
    when 'auto_renewal' then o.kind = 'renew' and not exists (
      select from registry_command c where c.operation_id = o.id and c.step = o.kind and c.state in ('prepared', 'sent', 'unknown'))
    when 'nothing_sent' then not exists (
      select from registry_command c where c.operation_id = o.id and c.step = o.kind
        and c.found is distinct from 'unsent' and not (c.state = 'answered' and c.result_code >= 2000))
    else o.proof is not null and exists (
      select from registry_command c where c.operation_id = o.id and c.step = o.kind
        and (c.found = 'done' or (c.state = 'answered' and c.result_code between 1000 and 1999 and c.result_code <> 1001)))
    end
$$;

create or replace function capture_needs_proof() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (select from operation o where o.id = new.operation_id and operation_is_proven(o)) then
    raise exception 'purchase % of operation % is captured without proof', new.id, new.operation_id
      using errcode = 'check_violation', constraint = 'capture_needs_proof', table = 'ledger_transaction';
  end if;
  return null;
end
$$;

-- An operation and its money end together, and the registry cannot have executed what is refused.
create or replace function operation_ends_with_money() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  money text;
begin
  if new.state = 'done' and new.proof is null then
    raise exception 'operation % is done without proof', new.id
      using errcode = 'check_violation', constraint = 'operation_needs_proof', table = 'operation';
  end if;
  if new.transaction_id is null then return null; end if;
  select t.status into money from ledger_transaction t where t.id = new.transaction_id;
  if coalesce(case when new.state = 'done' then money not in ('completed', 'refunded') else money <> 'cancelled' end, true) then
    raise exception 'operation % is %, and its money %', new.id, new.state, money
      using errcode = 'check_violation', constraint = 'operation_ends_with_money', table = 'operation';
  end if;
  if new.state in ('refused', 'cancelled') and coalesce(new.decision ->> 'says', '') <> 'refused' and exists (
    select from registry_command c where c.operation_id = new.id and c.step = new.kind
      and (c.state in ('prepared', 'sent', 'unknown') or c.found = 'done'
        or (c.state = 'answered' and c.result_code between 1000 and 1999 and c.result_code <> 1001))) then
    raise exception 'operation % is %, but may have been carried out', new.id, new.state
      using errcode = 'check_violation', constraint = 'operation_may_be_done', table = 'operation';
  end if;
  return null;
end
$$;

-- Records a change of registrant on all domains of the contact. The time only moves forward.
create or replace function note_holder_change(in_contact bigint, in_at timestamptz) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  update public.domain d set holder_changed_at = in_at
  where d.registrant_contact_id = in_contact and d.state not in ('removed', 'pending') and public.is_tenant(d.reseller_id)
    and (public.acting_customer() is null or d.customer_id = public.acting_customer())
    and coalesce(d.holder_changed_at, '-infinity') < in_at
$$;

-- Grants at most one second's worth of commands. With in_must all are granted, and later ones wait longer.
create or replace function registry_pace_take(
  in_registry text, in_rate double precision, in_wanted integer, in_must boolean, out granted integer,
  out wait_ms double precision
)
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  v_most double precision := greatest(1, floor(in_rate));
  v_tokens double precision;
begin
  perform 1 from registry_pace where registry_id = in_registry for update;
  if not found then
    insert into registry_pace (registry_id) values (in_registry) on conflict do nothing;
    perform 1 from registry_pace where registry_id = in_registry for update;
  end if;
  -- Read after the row is locked, because the wait for the lock counts too.
  select least(v_most, tokens + greatest(0, extract(epoch from clock_timestamp() - filled_at)) * in_rate) into v_tokens
  from registry_pace where registry_id = in_registry;
  granted := case when in_must then in_wanted else least(in_wanted, greatest(0, floor(v_tokens)))::integer end;
  wait_ms := case when granted > 0 then 0 else ceil((1 - v_tokens) / in_rate * 1000) end;
  update registry_pace set tokens = v_tokens - granted, filled_at = clock_timestamp() where registry_id = in_registry;
end
$$;

-- Places an operation from a signed text: an operation acts at a registry, so requests cannot insert it freely.
create or replace function operation_place(in_order text, in_seal text) returns operation
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set plan_cache_mode = force_generic_plan as $$
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
  -- As the customer, and on its own domains and contacts.
  if acting is not null and not coalesce(o.key_id is null and o.person ->> 'id' = 'customer:' || acting
      and num_nonnulls(o.domain_id, o.contact_id) > 0
      and (o.domain_id is null or exists (select from domain d where d.id = o.domain_id and d.customer_id = acting))
      and (o.contact_id is null or exists (select from contact c where c.id = o.contact_id and c.customer_id = acting)), false) then
    raise exception 'customer % may not order this', acting using errcode = 'insufficient_privilege';
  end if;
  if o.state <> (case when o.approval_until is null then 'intended' else 'action_required' end) then
    raise exception 'an operation does not begin as %', o.state using errcode = 'check_violation';
  end if;
  -- The fence is random, so it cannot repeat.
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

-- Starts the verification of the registrant of a domain, and returns who must be asked.
create or replace function holder_ask(
  in_reseller bigint, in_contact bigint, in_domain bigint, in_since timestamptz, in_by timestamptz, in_cause text,
  in_lately timestamptz
) returns table(name text, email text, country_code text, is_verified boolean, links integer)
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

-- Whether the registrant confirmed the address, and how many mails asked lately. A lock on the address stops two orders from both
-- asking.
create or replace function holder_look(in_reseller bigint, in_contact bigint, in_lately timestamptz)
returns table(name text, email text, country_code text, is_verified boolean, links integer)
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

-- Part of every order. Only changed references are checked: a removed domain may refer to what was deleted since.
create or replace function domain_refers_to_live() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  is_fresh boolean := tg_op = 'INSERT' or old.state = 'removed';
  dead record;
begin
  if is_fresh or new.customer_id <> old.customer_id then
    perform from customer c where c.id = new.customer_id and c.deleted_at is null for key share;
    if not found then perform refuse_deleted('customer', new.customer_id, 'domain', 'customer_id'); end if;
  end if;
  if is_fresh or row(new.registrant_contact_id, new.admin_contact_id, new.tech_contact_id, new.billing_contact_id)
    is distinct from row(old.registrant_contact_id, old.admin_contact_id, old.tech_contact_id, old.billing_contact_id) then
    perform from contact k where k.id in (new.registrant_contact_id, new.admin_contact_id, new.tech_contact_id, new.billing_contact_id)
    order by k.id for key share;
    select r.id, r.role into dead from (values
        (1, new.registrant_contact_id, 'registrant', case when not is_fresh then old.registrant_contact_id end),
        (2, new.admin_contact_id, 'admin', case when not is_fresh then old.admin_contact_id end),
        (3, new.tech_contact_id, 'tech', case when not is_fresh then old.tech_contact_id end),
        (4, new.billing_contact_id, 'billing', case when not is_fresh then old.billing_contact_id end)) r (place, id, role, before)
      join contact k on k.id = r.id
    where k.deleted_at is not null and r.id is distinct from r.before order by r.place limit 1;
    if found then perform refuse_deleted('contact', dead.id, 'domain', dead.role || '_contact_id'); end if;
  end if;
  return new;
end
$$;

revoke execute on function
  operation_is_proven, capture_needs_proof, operation_ends_with_money, note_holder_change, registry_pace_take, operation_place,
  holder_ask, holder_look, domain_refers_to_live
from public, namehold_app, namehold_clockwork, namehold_retention;
grant execute on function
  operation_is_proven, capture_needs_proof, operation_ends_with_money, note_holder_change, registry_pace_take, operation_place,
  holder_ask, holder_look, domain_refers_to_live
to namehold_clockwork;
grant execute on function
  note_holder_change, operation_place, holder_ask, holder_look
to namehold_app;
