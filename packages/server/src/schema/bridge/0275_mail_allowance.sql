-- oldest release: 0.1.0
-- Mail of an account to its own address cannot be used up by other accounts; and the caller learns when there is room for the next mail.
create index reseller_mailbox on reseller (mailbox_key(email)) where deleted_at is null;

-- The account directly below the operator: the account itself, or the topmost of its parents.
create function top_account(in_reseller bigint) returns bigint
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  with recursive above as (
    select r.id, r.parent_id from reseller r where r.id = in_reseller
    union all select r.id, r.parent_id from reseller r join above a on r.id = a.parent_id)
  select a.id from above a left join reseller p on p.id = a.parent_id
  where p.parent_id is null order by a.parent_id nulls last limit 1
$$;
revoke execute on function top_account from public;

-- Whether it is the account's own address, and the account is one of the first so many below its top account that have this mailbox. The
-- number bounds the mail that one top account can cause with sub-accounts of other people's addresses.
create function has_own_mailbox(in_reseller bigint, in_address text, most integer) returns boolean
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
revoke execute on function has_own_mailbox from public;

-- The budget that the next mail of these kinds and this purpose would exceed, and when there is room for it. An account has proven an address if a user of the
-- account signs in with it, or if it was confirmed by a link. Only mail to unproven addresses counts for all accounts together. `at_least`: so many an account may
-- send whatever others sent; `at_least_own` to its own address, for the first `accounts_at_mailbox` accounts there. `spacing`: beyond the limit one mail may leave in
-- each such interval. Row-level security hides other accounts and users from the caller.
create function mail_allowance(in_reseller bigint, in_address text, in_kinds text[], in_purpose text,
  per_account integer, per_mailbox integer, per_mailbox_of_all integer, at_least integer, at_least_own integer, accounts_at_mailbox integer, spacing interval)
returns table (ceiling text, is_proven boolean, retry_at timestamptz)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  period constant interval := '1 day';
  proven boolean;
  reserve integer := at_least;
  newest timestamptz;
  -- When the mail was sent that has to leave the period first; null: the limit is not reached.
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
revoke execute on function mail_allowance from public;
grant execute on function mail_allowance to namehold_app, namehold_clockwork;
