-- The audit log and the event log.

create or replace function append_event(
  in_reseller bigint, in_at timestamptz, in_type text, in_object_type text, in_object_id text, in_request text,
  in_payload jsonb
) returns bigint
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

-- Rows without a user have the same hash as before users existed.
create or replace function audit_hash(in_before bytea, a audit) returns bytea
language sql stable parallel safe set search_path = pg_catalog, public, pg_temp as $$
  select sha256(in_before || convert_to((jsonb_build_array(a.id, a.reseller_id, to_char(a.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'),
    a.key_id, a.address, a.request_id, a.action, a.object_type, a.object_id, a.before, a.after)
    || case when a.person_id is null and a.person_name is null and a.session_id is null then '[]'::jsonb
       else jsonb_build_array(a.person_id, a.person_name, a.session_id) end)::text, 'UTF8'))
$$;

create or replace function audit_link_add(a audit) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  head audit_head;
begin
  update audit_head h set number = h.number + 1, hash = audit_hash(h.hash, a) where h.reseller_id = a.reseller_id returning h.* into head;
  if not found then
    insert into audit_head as h (reseller_id, number, hash) values (a.reseller_id, 1, audit_hash('', a))
    on conflict (reseller_id) do update set number = h.number + 1, hash = audit_hash(h.hash, a)
    returning h.* into head;
  end if;
  insert into audit_link (reseller_id, number, audit_id, hash) values (a.reseller_id, head.number, a.id, head.hash);
end
$$;

create or replace function audit_chain() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform audit_link_add(new);
  return null;
end
$$;

-- Records the customer at the time of the event. Refunds of purchases concern only the reseller and its seller.
create or replace function event_of_customer() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  new.customer_id := null;
  -- Refunds of purchases concern only the reseller and its seller.
  if new.object_type in ('domain', 'zone') and new.object_id ~ '^[0-9]{1,18}$' and new.type <> 'domain.purchase_refunded' then
    select d.customer_id into new.customer_id from domain d where d.id = new.object_id::bigint and d.reseller_id = new.reseller_id;
  end if;
  return new;
end
$$;

-- What an event says about the number of domains. Null: nothing.
create or replace function name_month_what(in_type text) returns text
language sql immutable parallel safe set search_path = pg_catalog, public, pg_temp as $$
  select case in_type
    when 'domain.registered' then 'registered'
    when 'domain.transferred_in' then 'arrived' when 'domain.imported' then 'arrived' when 'domain.found_again' then 'arrived'
    when 'domain.moved_in' then 'moved_in'
    when 'domain.renewed' then 'renewed' end
$$;

revoke execute on function
  append_event, audit_hash, audit_link_add, audit_chain, event_of_customer, name_month_what
from public, namehold_app, namehold_clockwork, namehold_retention;
grant execute on function
  append_event, audit_hash, event_of_customer, name_month_what
to namehold_clockwork;
grant execute on function
  append_event, name_month_what
to namehold_app;
