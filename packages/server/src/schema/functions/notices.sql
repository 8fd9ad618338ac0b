-- Limits of mail per account and mailbox. They run as the owner, because mail of other accounts to the mailbox counts too.

-- As an earlier release calls it. mail_allowance replaces it.
create or replace function mail_ceiling(
  in_reseller bigint, in_address text, in_kinds text[], per_account integer, per_mailbox integer, per_mailbox_of_all integer
) returns text
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  since timestamptz := now() - interval '1 day';
  whole integer;
  own integer;
begin
  if not exists (select from reseller r where r.id = in_reseller and (is_tenant(r.id) or is_tenant(r.parent_id))) then
    raise insufficient_privilege using message = 'not a reseller of this connection';
  end if;
  select count(*), count(*) filter (where n.reseller_id = in_reseller) into whole, own
    from notice n where mailbox_key(n.address) = mailbox_key(in_address) and n.queued_at > since and n.kind = any (in_kinds) and n.suppressed_by is null;
  if own >= per_mailbox or whole >= per_mailbox_of_all then
    return 'mailbox';
  end if;
  select count(*) into own from (
    select from notice n where n.reseller_id = in_reseller and n.queued_at > since and n.kind = any (in_kinds) and n.suppressed_by is null
    limit per_account) counted;
  return case when own >= per_account then 'account' end;
end
$$;

-- As the previous release calls it. mail_allowance replaces it.
create or replace function mail_budget(
  in_reseller bigint, in_address text, in_kinds text[], in_purpose text, per_account integer, per_mailbox integer,
  per_mailbox_of_all integer, at_least integer, spacing interval
) returns table(ceiling text, is_proven boolean)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  since timestamptz := now() - interval '1 day';
  proven boolean;
  whole integer;
  own integer;
  newest timestamptz;
begin
  if not exists (select from reseller r where r.id = in_reseller and (is_tenant(r.id) or is_tenant(r.parent_id))) then
    raise insufficient_privilege using message = 'not a reseller of this connection';
  end if;
  proven := exists (select from membership m join person p on p.id = m.person_id
                    where m.reseller_id = in_reseller and lower(p.email) = lower(in_address) and m.suspended_at is null and p.disabled_at is null)
    or exists (select from mail_address a where a.reseller_id = in_reseller and a.address_key = lower(in_address) and a.verified_at is not null);
  select count(*) filter (where not n.is_proven), count(*) filter (where n.reseller_id = in_reseller), max(n.queued_at) filter (where n.reseller_id = in_reseller)
    into whole, own, newest
    from notice n
    where mailbox_key(n.address) = mailbox_key(in_address) and n.queued_at > since and n.kind = any (in_kinds)
      and n.purpose is not distinct from in_purpose and n.suppressed_by is null;
  if own >= per_mailbox and (spacing is null or newest > now() - spacing) then
    return query select 'mailbox', proven;
    return;
  end if;
  if not proven and own >= at_least and whole >= per_mailbox_of_all then
    return query select 'mailbox', proven;
    return;
  end if;
  select count(*) into own from (
    select from notice n where n.reseller_id = in_reseller and n.queued_at > since and n.kind = any (in_kinds)
      and n.purpose is not distinct from in_purpose and n.suppressed_by is null
    limit per_account) counted;
  return query select case when own >= per_account then 'account' end, proven;
end
$$;

create or replace function has_own_mailbox(in_reseller bigint, in_address text, most integer) returns boolean
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select exists (
    select from reseller own
    where own.id = in_reseller and own.deleted_at is null and lower(own.email) = lower(in_address)
      and (select count(*) from (
             select from reseller r
             where mailbox_key(r.email) = mailbox_key(in_address) and r.deleted_at is null and (r.email_since, r.id) < (own.email_since, own.id)
               and top_account(r.id) = top_account(in_reseller)
             limit most) earlier) < most)
$$;

-- The limit that the next mail would exceed, and when it can be sent.
create or replace function mail_allowance(
  in_reseller bigint, in_address text, in_kinds text[], in_purpose text, per_account integer, per_mailbox integer,
  per_mailbox_of_all integer, at_least integer, at_least_own integer, accounts_at_mailbox integer, spacing interval
) returns table(ceiling text, is_proven boolean, retry_at timestamptz)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  period constant interval := '1 day';
  proven boolean;
  reserve integer := at_least;
  newest timestamptz;
  -- When the mail was sent that must leave the period first. Null: the limit is not reached.
  own_full timestamptz;
  whole_full timestamptz;
  reserve_full timestamptz;
  account_full timestamptz;
begin
  if not exists (select from reseller r where r.id = in_reseller and (is_tenant(r.id) or is_tenant(r.parent_id))) then
    raise insufficient_privilege using message = 'not a reseller of this connection';
  end if;
  proven := exists (select from membership m join person p on p.id = m.person_id
                    where m.reseller_id = in_reseller and lower(p.email) = lower(in_address) and m.suspended_at is null and p.disabled_at is null)
    or exists (select from mail_address a where a.reseller_id = in_reseller and a.address_key = lower(in_address) and a.verified_at is not null);
  with sent as (
    select n.queued_at, n.reseller_id = in_reseller as is_own,
      row_number() over (partition by n.reseller_id = in_reseller order by n.queued_at desc) as own_place,
      row_number() over (partition by n.is_proven order by n.queued_at desc) as place, n.is_proven
    from notice n
    where mailbox_key(n.address) = mailbox_key(in_address) and n.queued_at > now() - period and n.kind = any (in_kinds)
      and n.purpose is not distinct from in_purpose and n.suppressed_by is null)
  select max(s.queued_at) filter (where s.is_own), max(s.queued_at) filter (where s.is_own and s.own_place = per_mailbox),
      max(s.queued_at) filter (where not s.is_proven and s.place = per_mailbox_of_all)
    into newest, own_full, whole_full from sent s;
  if own_full is not null and (spacing is null or newest > now() - spacing) then
    return query select 'mailbox', proven, least(own_full + period, newest + spacing);
    return;
  end if;
  if not proven and whole_full is not null then
    if has_own_mailbox(in_reseller, in_address, accounts_at_mailbox) then
      reserve := greatest(at_least, at_least_own);
    end if;
    select n.queued_at into reserve_full from notice n
      where n.reseller_id = in_reseller and mailbox_key(n.address) = mailbox_key(in_address) and n.queued_at > now() - period and n.kind = any (in_kinds)
        and n.purpose is not distinct from in_purpose and n.suppressed_by is null
      order by n.queued_at desc offset greatest(reserve - 1, 0) limit 1;
    if reserve = 0 or reserve_full is not null then
      return query select 'mailbox', proven, case when reserve = 0 then whole_full else least(whole_full, reserve_full) end + period;
      return;
    end if;
  end if;
  select n.queued_at into account_full from notice n
    where n.reseller_id = in_reseller and n.queued_at > now() - period and n.kind = any (in_kinds)
      and n.purpose is not distinct from in_purpose and n.suppressed_by is null
    order by n.queued_at desc offset per_account - 1 limit 1;
  return query select case when account_full is not null then 'account' end, proven, account_full + period;
end
$$;

revoke execute on function
  mail_ceiling, mail_budget, has_own_mailbox, mail_allowance
from public, namehold_app, namehold_clockwork, namehold_retention;
grant execute on function
  mail_ceiling, mail_budget, has_own_mailbox, mail_allowance
to namehold_clockwork;
grant execute on function
  mail_ceiling, mail_budget, mail_allowance
to namehold_app;
-- Used by indexes, so migrations change it (tables/02-accounts.sql).
revoke execute on function mailbox_key from public, namehold_app, namehold_clockwork, namehold_retention;
grant execute on function mailbox_key to namehold_clockwork;
grant execute on function mailbox_key to namehold_app;
grant execute on function mailbox_key to namehold_retention;
