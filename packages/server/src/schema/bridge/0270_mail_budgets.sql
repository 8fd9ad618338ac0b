-- oldest release: 0.1.0
-- Mail budgets: mail to an address that an account never proved counts apart, so that other accounts cannot stop the security mail of a mailbox.
-- Why it was sent, where one kind has several budgets; and whether the account had proven that its recipient reads it.
alter table notice add column purpose text, add column is_proven boolean not null default false;

-- Since when an address is in place: an address that was chosen a moment ago is not warned when it is replaced.
alter table reseller add column email_since timestamptz;
alter table notice_brand add column reply_to_since timestamptz, add column sender_address_since timestamptz;
update reseller set email_since = created_at;
update notice_brand set reply_to_since = updated_at, sender_address_since = updated_at;
alter table reseller alter column email_since set default now();
alter table notice_brand alter column reply_to_since set default now(), alter column sender_address_since set default now();

create function record_email_since() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  new.email_since := now();
  return new;
end
$$;
create trigger email_since before update of email on reseller for each row
  when (lower(old.email) is distinct from lower(new.email)) execute function record_email_since();

create function record_brand_since() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.reply_to is distinct from old.reply_to then new.reply_to_since := now(); end if;
  if new.sender_address is distinct from old.sender_address then new.sender_address_since := now(); end if;
  return new;
end
$$;
create trigger address_since before update on notice_brand for each row execute function record_brand_since();
revoke execute on function record_email_since, record_brand_since from public;

-- The budget that the next mail of these kinds and this purpose would exceed. An account has proven an address if a user of the account signs in with it, or if it
-- was confirmed by a link. Only mail to unproven addresses counts for all accounts together. `at_least`: so many an account may send whatever others sent.
-- `spacing`: beyond the limit one mail may leave in each such interval. Row-level security hides other accounts and users from the caller.
create function mail_budget(in_reseller bigint, in_address text, in_kinds text[], in_purpose text,
  per_account integer, per_mailbox integer, per_mailbox_of_all integer, at_least integer, spacing interval)
returns table (ceiling text, is_proven boolean)
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
revoke execute on function mail_budget from public;
grant execute on function mail_budget to namehold_app, namehold_clockwork;
