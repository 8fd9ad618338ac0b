-- Accounts: rate limits, the accounts above, and references to accounts that are not deleted.

-- Takes up to `wanted` units from a bucket. Returns how many were granted and when the next one is due.
create or replace function rate_take(
  in_bucket text, units_per_minute integer, burst integer, wanted integer, out granted integer, out remaining integer,
  out retry_after_ms integer
)
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  cell interval := interval '1 minute' / units_per_minute;
  moment timestamptz := clock_timestamp();
  filled_until timestamptz;
  room integer;
begin
  insert into rate_bucket as b (bucket, empties_at) values (in_bucket, moment)
  on conflict (bucket) do update set empties_at = greatest(b.empties_at, moment)
  returning empties_at into filled_until;
  room := floor(extract(epoch from (moment + cell * burst - filled_until)) / extract(epoch from cell));
  granted := greatest(0, least(wanted, room));
  remaining := greatest(0, room - granted);
  retry_after_ms := case when granted > 0 then 0
    else ceil(extract(epoch from (filled_until + cell - (moment + cell * burst))) * 1000) end;
  if granted > 0 then
    update rate_bucket set empties_at = filled_until + cell * granted where bucket = in_bucket;
  end if;
end
$$;

-- What a parent may know before it deletes a child. The child's customers stay invisible.
create or replace function reseller_in_use(in_parent bigint, in_reseller bigint, out customers bigint, out resellers bigint)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if not is_tenant(in_parent) or not exists (select from reseller r where r.id = in_reseller and r.parent_id = in_parent) then
    raise exception 'reseller % may not read this', in_parent using errcode = 'insufficient_privilege';
  end if;
  select coalesce(max(t.live), 0) into customers from customer_total t where t.reseller_id = in_reseller;
  select count(*) into resellers from reseller r where r.parent_id = in_reseller and r.deleted_at is null;
end
$$;

-- The sender of mail to an account is the account above it, whose row it may not read.
create or replace function brand_above(in_reseller bigint) returns table(name text, sender_address text, reply_to text, logo_url text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select coalesce(b.name, w.name, nullif(p.brand_name, ''), nullif(nullif(p.company, ''), 'Not Applicable'), p.name),
    case when exists (select from domain d where d.reseller_id = p.id and d.name = split_part(b.sender_address, '@', 2) and d.state = 'live')
      then b.sender_address end,
    coalesce(b.reply_to, p.email), b.logo_url
  from reseller r join reseller p on p.id = coalesce(r.parent_id, r.id) left join notice_brand b on b.reseller_id = p.id
    left join brand w on w.reseller_id = p.id
  where r.id = in_reseller and (is_tenant(r.id) or is_tenant(r.parent_id))
$$;

-- The distance to the nearest suspended or deleted account in the chain above, which may not spend.
create or replace function chain_inactive_place(asked bigint) returns integer
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if not is_tenant(asked) then
    raise exception 'reseller % is not the tenant', asked using errcode = 'insufficient_privilege';
  end if;
  return (
    with recursive chain (parent_id, is_active, place) as (
      select r.parent_id, r.status = 'Active' and r.deleted_at is null, 1 from reseller r where r.id = asked
      union all
      select r.parent_id, r.status = 'Active' and r.deleted_at is null, c.place + 1 from chain c join reseller r on r.id = c.parent_id
    )
    select min(place) from chain where not is_active);
end
$$;

-- Counts an attempt at guessing. Returns 0, or the milliseconds until the next attempt is allowed.
create or replace function guess_take(in_bucket text, in_most integer, in_within interval) returns integer
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  cell interval := in_within / in_most;
  moment timestamptz := clock_timestamp();
  filled_until timestamptz;
begin
  insert into rate_bucket as b (bucket, empties_at) values (in_bucket, moment)
  on conflict (bucket) do update set empties_at = greatest(b.empties_at, moment)
  returning empties_at into filled_until;
  if filled_until + cell > moment + in_within then
    return ceil(extract(epoch from filled_until + cell - moment - in_within) * 1000);
  end if;
  update rate_bucket set empties_at = filled_until + cell where bucket = in_bucket;
  return 0;
end
$$;

-- The changes that need approval in an account.
create or replace function second_yes_of(in_reseller bigint) returns text[]
language sql stable parallel restricted security definer set search_path = pg_catalog, public, pg_temp as $$
  select r.second_yes from reseller r where r.id = in_reseller and (is_tenant(r.id) or r.id = customer_reseller())
$$;

-- The host of links in an account's mail. Null: the address of the service.
create or replace function link_host(in_reseller bigint) returns text
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select h.host from brand_host h
  where h.reseller_id = in_reseller and is_tenant(in_reseller) and h.verified_at is not null and h.reached_at is not null
  order by h.verified_at, h.host limit 1
$$;

-- Raises the error that core/deleted-reference.ts turns into a refusal (decision 0089).
create or replace function refuse_deleted(in_noun text, in_id bigint, in_table text, in_column text) returns void
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  raise exception '% % is deleted', in_noun, in_id using errcode = 'foreign_key_violation', constraint = 'live_' || in_noun,
    table = in_table, column = in_column, detail = in_id::text;
end
$$;

-- For triggers with pairs of arguments (table, column): the row must not be deleted, and is locked so that it stays.
create or replace function refers_to_live() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  id bigint;
  is_live boolean;
begin
  for place in 0 .. tg_nargs - 2 by 2 loop
    execute format('select ($1).%I', tg_argv[place + 1]) into id using new;
    continue when id is null;
    execute format('select true from %I where id = $1 and deleted_at is null for key share', tg_argv[place]) into is_live using id;
    if is_live is null then perform refuse_deleted(tg_argv[place], id, tg_table_name, tg_argv[place + 1]); end if;
  end loop;
  return new;
end
$$;

-- The name of a domain that has an open move to this customer, which cannot be deleted meanwhile.
create or replace function moves_to_customer(in_reseller bigint, in_customer bigint) returns text
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if not is_tenant(in_reseller) then raise exception 'reseller % may not read this', in_reseller using errcode = 'insufficient_privilege'; end if;
  return (
    select min(o.request ->> 'name') from operation o
    where o.kind = 'move' and o.state not in ('done', 'refused', 'cancelled') and o.approval_until is null
      and o.request ->> 'new_reseller_id' = in_reseller::text and o.request ->> 'new_customer_id' = in_customer::text);
end
$$;

-- Whether the API key was revoked, or the user left the account. What it created ends with it.
create or replace function maker_has_ended(in_reseller bigint, in_maker text) returns boolean
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select case
    when in_maker is null then false
    when starts_with(in_maker, 'key_') then not exists (select from api_key k where k.id = in_maker and k.revoked_at is null)
    else not exists (select from membership m where m.person_id = in_maker and m.reseller_id = in_reseller and m.suspended_at is null)
  end
$$;

-- Access that is given back later must not bring back the sessions from before.
create or replace function end_customer_sessions() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update person_session set ended_at = coalesce(ended_at, now()), revoked_at = coalesce(revoked_at, now())
  where customer_id = new.id and (ended_at is null or revoked_at is null);
  return null;
end
$$;

create or replace function record_email_since() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  new.email_since := now();
  return new;
end
$$;

create or replace function record_brand_since() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.reply_to is distinct from old.reply_to then new.reply_to_since := now(); end if;
  if new.sender_address is distinct from old.sender_address then new.sender_address_since := now(); end if;
  return new;
end
$$;

create or replace function top_account(in_reseller bigint) returns bigint
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  with recursive above as (
    select r.id, r.parent_id from reseller r where r.id = in_reseller
    union all select r.id, r.parent_id from reseller r join above a on r.id = a.parent_id)
  select a.id from above a left join reseller p on p.id = a.parent_id
  where p.parent_id is null order by a.parent_id nulls last limit 1
$$;

revoke execute on function
  rate_take, reseller_in_use, brand_above, chain_inactive_place, guess_take, second_yes_of, link_host, refuse_deleted, refers_to_live,
  moves_to_customer, maker_has_ended, record_email_since, record_brand_since, top_account, end_customer_sessions
from public, namehold_app, namehold_clockwork, namehold_retention;
grant execute on function
  rate_take, reseller_in_use, brand_above, chain_inactive_place, guess_take, second_yes_of, link_host, refuse_deleted, refers_to_live,
  moves_to_customer, maker_has_ended, record_email_since, record_brand_since, top_account, end_customer_sessions
to namehold_clockwork;
grant execute on function
  reseller_in_use, brand_above, chain_inactive_place, second_yes_of, link_host, moves_to_customer
to namehold_app;
