-- oldest release: 0.1.0
-- Daily ceilings for mail: per account and per mailbox. Sub-addresses (user+1@, user+2@) are one mailbox.
create function mailbox_key(address text) returns text
language sql immutable strict parallel safe set search_path = pg_catalog, public, pg_temp as $$
  select case when host in ('gmail.com', 'googlemail.com') then replace(base, '.', '') || '@gmail.com' else base || '@' || host end
  from (select coalesce(nullif(split_part(local, '+', 1), ''), local) as base, host
        from (select left(a, greatest(length(a) - length(h) - 1, 0)) as local, h as host
              from (select lower(address) as a, split_part(lower(address), '@', -1) as h) split) parts) folded
$$;
-- Indexes below evaluate it for whoever writes.
revoke execute on function mailbox_key from public;
grant execute on function mailbox_key to namehold_app, namehold_clockwork, namehold_retention;

-- Not null: the mail was not sent because of that ceiling.
alter table notice add column suppressed_by text check (suppressed_by in ('account', 'mailbox'));
create index notice_account_day on notice (reseller_id, queued_at) include (kind, suppressed_by);
create index notice_mailbox_day on notice (mailbox_key(address), queued_at);
create index notice_suppressed on notice (queued_at) where suppressed_by is not null;
create index confirmation_mailbox on confirmation (mailbox_key(address_key), created_at) where mail_target_id is not null;
create index mail_target_mailbox on mail_target (mailbox_key(address));

-- Which ceiling the next mail of these kinds would exceed. Counts the mail of other accounts to the mailbox too, which row-level security hides.
create function mail_ceiling(in_reseller bigint, in_address text, in_kinds text[], per_account integer, per_mailbox integer, per_mailbox_of_all integer)
returns text
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
revoke execute on function mail_ceiling from public;
grant execute on function mail_ceiling to namehold_app, namehold_clockwork;
