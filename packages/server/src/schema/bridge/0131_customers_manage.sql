-- oldest release: 0.1.0
-- Customers change what is theirs (decision 0073). Such a change writes where its reseller's writes: operations, contacts, notices, events. So there is a
-- second mark for it, `1000+2001.<seal>`: the reseller is the tenant, and every table is held to the customer by a restrictive policy. What no line below
-- opens is closed, for tables to come as well: a test counts them.
create or replace function current_tenant() returns bigint
language plpgsql stable parallel restricted security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  mark text := current_setting('namehold.tenant', true);
  tenant text := split_part(mark, '.', 1);
begin
  if coalesce(mark, '') = '' or tenant like '%:%' or not public.is_sealed(tenant || '.' || pg_backend_pid(), split_part(mark, '.', 2)) then
    return null;
  end if;
  return split_part(tenant, '+', 1)::bigint;
end
$$;

-- Needs no look at the seal: a mark without one has no tenant, and nothing is open to it.
create function acting_customer() returns bigint
language sql stable parallel restricted set search_path = pg_catalog, public, pg_temp as $$
  select nullif(split_part(split_part(current_setting('namehold.tenant', true), '.', 1), '+', 2), '')::bigint
$$;
grant execute on function acting_customer to namehold_app, namehold_clockwork;

do $$
declare
  t text;
  own text;
begin
  for t in select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relrowsecurity loop
    own := case
      when t = 'customer' then 'id = (select acting_customer())'
      when t in ('contact', 'domain', 'mail_target') then 'customer_id = (select acting_customer())'
      when t in ('child_host', 'zone', 'forwarding', 'forward_target', 'forward_hour', 'mail_domain', 'mail_forward', 'mail_hour', 'certificate', 'notice',
                 'confirmation') then format('exists (select from domain d where d.id = %I.domain_id)', t)
      when t in ('zone_rrset', 'zone_change', 'displaced_rrset', 'zone_publication', 'zone_published', 'zone_membership')
        then format('exists (select from zone z where z.id = %I.zone_id)', t)
      when t = 'registry_contact' then 'exists (select from contact c where c.id = registry_contact.contact_id)'
      when t = 'operation' then 'exists (select from domain d where d.id = operation.domain_id) or exists (select from contact c where c.id = operation.contact_id)'
      when t = 'registry_command' then 'exists (select from operation o where o.id = registry_command.operation_id)'
      when t = 'idempotency' then $own$split_part(key, ' ', 1) = 'customer:' || (select acting_customer())$own$
      when t = 'event_counter' then 'true'
      else 'false'
    end;
    -- These are read with the change, or written to alone.
    if t not in ('reseller', 'notice_brand', 'notice_text', 'mail_address', 'audit', 'event') then
      -- Its own row a customer locks and does not change.
      execute format('create policy customer_acts on %I as restrictive to namehold_app using ((select acting_customer()) is null or %s) %s', t, own,
        case t when 'customer' then 'with check ((select acting_customer()) is null)' else '' end);
    end if;
  end loop;
end
$$;

-- Of its reseller no more than the one row, what its mails look like, and which addresses answer; to read.
do $$
declare
  t text;
begin
  foreach t in array array['reseller', 'notice_brand', 'notice_text', 'mail_address'] loop
    execute format('create policy customer_acts on %I as restrictive for select to namehold_app using ((select acting_customer()) is null or %I = (select current_tenant()))',
      t, case t when 'reseller' then 'id' else 'reseller_id' end);
    execute format('create policy customer_adds_none on %I as restrictive for insert to namehold_app with check ((select acting_customer()) is null)', t);
    execute format('create policy customer_changes_none on %I as restrictive for update to namehold_app using ((select acting_customer()) is null)', t);
    execute format('create policy customer_removes_none on %I as restrictive for delete to namehold_app using ((select acting_customer()) is null)', t);
  end loop;
end
$$;

-- What it does is told in its own name: about its names, or an operation of its own.
create policy customer_acts on audit as restrictive to namehold_app using ((select acting_customer()) is null)
  with check ((select acting_customer()) is null or (key_id is null and person_id = 'customer:' || (select acting_customer())));
create policy customer_acts on event as restrictive to namehold_app using ((select acting_customer()) is null or customer_id = (select acting_customer()))
  with check ((select acting_customer()) is null or customer_id = (select acting_customer())
    or (object_type = 'operation' and exists (select from operation o where o.id = event.object_id))
    or (object_type = 'contact' and exists (select from contact c where c.id::text = event.object_id)));

-- The number comes from the counter: what is told need not be readable for who tells it.
create or replace function append_event(in_reseller bigint, in_at timestamptz, in_type text, in_object_type text, in_object_id text,
                                        in_request text, in_payload jsonb) returns bigint
language sql set search_path = pg_catalog, public, pg_temp as $$
  with next as (
    insert into event_counter as c (reseller_id, last_number) values (in_reseller, 1)
    on conflict (reseller_id) do update set last_number = c.last_number + 1
    returning last_number
  ), told as (
    insert into event (reseller_id, number, at, type, object_type, object_id, request_id, payload)
    select in_reseller, last_number, in_at, in_type, in_object_type, in_object_id, in_request, in_payload from next
  )
  select last_number from next
$$;

create or replace function operation_place(in_order text, in_seal text) returns void
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
  insert into operation (id, reseller_id, kind, domain_id, contact_id, registry_id, request, secrets_sealed, state, transaction_id, bill_id, request_id,
                         key_id, person, attention, approval, approval_until, due_at, created_at, updated_at)
  values (o.id, o.reseller_id, o.kind, o.domain_id, o.contact_id, o.registry_id, o.request, o.secrets_sealed, o.state, o.transaction_id, o.bill_id,
          o.request_id, o.key_id, o.person, o.attention, o.approval, o.approval_until,
          now() + (in_order::jsonb ->> 'due_in_ms')::double precision * interval '1 millisecond', o.created_at, o.updated_at);
end
$$;

create or replace function note_holder_change(in_contact bigint, in_at timestamptz) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  update public.domain d set holder_changed_at = in_at
  where d.registrant_contact_id = in_contact and d.state not in ('removed', 'pending') and public.is_tenant(d.reseller_id)
    and (public.acting_customer() is null or d.customer_id = public.acting_customer())
    and coalesce(d.holder_changed_at, '-infinity') < in_at
$$;

-- Statements and balances are read with the other mark.
create or replace function ledger_statement_account(in_viewer bigint, in_reseller bigint, in_customer bigint, in_currency text, in_kind text) returns bigint
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if not coalesce((is_tenant(in_viewer) and acting_customer() is null) or (in_viewer = customer_reseller() and in_customer = current_customer()), false)
    or (in_customer is not null and in_reseller <> in_viewer)
    or not exists (select from reseller r where r.id = in_reseller and in_viewer in (r.id, r.parent_id)) then
    raise exception 'reseller % may not read this', in_viewer using errcode = 'insufficient_privilege';
  end if;
  return (select a.id from ledger_account a
    where a.reseller_id = in_reseller and a.customer_id is not distinct from in_customer and a.currency = in_currency and a.kind = in_kind);
end
$$;

-- Who made a password for a customer may know it: of what that customer asks, another hand says the second yes.
alter table customer add column password_by text[] not null default '{}';
