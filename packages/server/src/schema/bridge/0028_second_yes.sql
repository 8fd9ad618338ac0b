-- A second yes (decision 0017): a reseller may say that changes by which a name is stolen wait until another hand has said yes too.

-- Whose hand a key is: a key that another key made or rotated is in the hand of that key, because its secret was seen there.
alter table api_key add column hand text;
with recursive seen as (
  select k.id, k.reseller_id, (
    select a.key_id from audit a join api_key m on m.id = a.key_id and m.reseller_id = k.reseller_id
    where a.object_type = 'key' and a.object_id = k.id and a.action in ('key.create', 'key.rotate') and a.key_id <> k.id
    order by a.at desc limit 1) as maker
  from api_key k
), hands as (
  select id, id as hand from seen where maker is null
  union all
  select s.id, h.hand from seen s join hands h on s.maker = h.id
)
update api_key k set hand = h.hand from hands h where h.id = k.id;
-- Keys that rotated each other: one hand for all that are left.
update api_key set hand = 'all-of-' || reseller_id where hand is null;
alter table api_key alter column hand set not null;

-- What an account has chosen. Not a request's to write: it goes through the second login.
alter table reseller
  add column second_yes text[] not null default '{}' check (second_yes <@ array['nameservers', 'ds', 'auth_code', 'unlock']),
  -- Whether new names start with theft protection; null: as the operator has set it.
  add column theft_protection boolean;

-- A code that was made with a second yes is shown once, until then.
alter table domain add column auth_code_shown_until timestamptz;

alter table operation
  -- What a second yes was asked for and by whom, and how it was answered; stays as the record of it.
  add column approval jsonb,
  -- Set while it waits for a second yes: it lapses then. Nothing of it is under way.
  add column approval_until timestamptz,
  add constraint operation_waits_for_yes check (approval_until is null or (state = 'action_required' and approval is not null));
create index operation_approval on operation (approval_until) where approval_until is not null;
-- What waits for a yes stands in nobody's way; it takes its place when the yes is there.
drop index operation_one_per_domain;
create unique index operation_one_per_domain on operation (domain_id)
  where domain_id is not null and state not in ('done', 'refused', 'cancelled') and approval_until is null;

create or replace function operation_place(in_order text, in_seal text) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  o operation;
begin
  if not is_sealed('operation.' || pg_backend_pid() || '.' || in_order, in_seal) then
    raise exception 'the order of an operation is not sealed' using errcode = 'insufficient_privilege';
  end if;
  o := jsonb_populate_record(null::operation, in_order::jsonb);
  if not is_tenant(o.reseller_id) then
    raise exception 'reseller % is not the tenant', o.reseller_id using errcode = 'insufficient_privilege';
  end if;
  if o.state <> (case when o.approval_until is null then 'intended' else 'action_required' end) then
    raise exception 'an operation does not begin as %', o.state using errcode = 'check_violation';
  end if;
  insert into operation (id, reseller_id, kind, domain_id, contact_id, registry_id, request, secrets_sealed, state, transaction_id, request_id,
                         key_id, attention, approval, approval_until, due_at, created_at, updated_at)
  values (o.id, o.reseller_id, o.kind, o.domain_id, o.contact_id, o.registry_id, o.request, o.secrets_sealed, o.state, o.transaction_id,
          o.request_id, o.key_id, o.attention, o.approval, o.approval_until,
          now() + (in_order::jsonb ->> 'due_in_ms')::double precision * interval '1 millisecond', o.created_at, o.updated_at);
end
$$;
