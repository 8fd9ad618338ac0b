-- oldest release: 0.1.0
-- Holders are reminded of their data once a year, and old notices are forgotten.
alter table domain add column data_reminded_at timestamptz;
create index domain_data_reminder on domain ((coalesce(data_reminded_at, created_at))) where state = 'live';
create index notice_queued on notice (queued_at);
create index confirmation_expires on confirmation (expires_at);
-- A mail in the mailbox goes with its notice.
alter table sandbox_mail drop constraint sandbox_mail_notice_id_fkey,
  add foreign key (notice_id) references notice (id) on delete cascade;

create or replace function retention_forget(in_what text, in_before timestamptz, in_limit integer)
returns table (reseller_id bigint, removed bigint, cut_number bigint, cut_hash text)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  floor_at timestamptz := now() - case in_what
    when 'audit' then interval '90 days'
    -- Fifteen months: what the books are compared with.
    when 'operations' then interval '15 months'
    when 'journal' then interval '15 months'
    when 'poll_messages' then interval '90 days'
    when 'idempotency' then interval '1 day'
    -- That a holder was told must be shown for a while.
    when 'notices' then interval '1 year'
    else interval '0' end;
  cut_before timestamptz := case when in_what in ('events', 'quotes', 'confirmations') then in_before else least(in_before, floor_at) end;
  h record;
begin
  if in_limit not between 1 and 10000 then raise exception 'from 1 to 10000 at once' using errcode = 'data_exception'; end if;
  case in_what
  when 'events' then
    return query with gone as (
      delete from event e where (e.reseller_id, e.number) in (
        select o.reseller_id, o.number from event o where o.at < cut_before order by o.at limit in_limit) returning 1)
    select null::bigint, count(*), null::bigint, null::text from gone;
  when 'quotes' then
    return query with gone as (
      delete from quote q where q.id in (select o.id from quote o where o.valid_until < cut_before order by o.valid_until limit in_limit) returning 1)
    select null::bigint, count(*), null::bigint, null::text from gone;
  when 'idempotency' then
    return query with gone as (
      delete from idempotency i where (i.reseller_id, i.key) in (
        select o.reseller_id, o.key from idempotency o where o.created_at < cut_before order by o.created_at limit in_limit) returning 1)
    select null::bigint, count(*), null::bigint, null::text from gone;
  when 'notices' then
    return query with gone as (
      delete from notice n where n.id in (
        select o.id from notice o where o.queued_at < cut_before and o.state <> 'queued' order by o.queued_at limit in_limit) returning 1)
    select null::bigint, count(*), null::bigint, null::text from gone;
  when 'confirmations' then
    return query with gone as (
      delete from confirmation c where c.fingerprint in (
        select o.fingerprint from confirmation o where o.expires_at < cut_before order by o.expires_at limit in_limit) returning 1)
    select null::bigint, count(*), null::bigint, null::text from gone;
  when 'poll_messages' then
    return query with gone as (
      delete from poll_message m where (m.registry_id, m.message_id) in (
        select o.registry_id, o.message_id from poll_message o
        where o.received_at < cut_before and o.processed_at is not null and o.acked_at is not null order by o.received_at limit in_limit) returning 1)
    select null::bigint, count(*), null::bigint, null::text from gone;
  when 'journal' then
    -- Commands of no operation; those of an operation go with it.
    return query with gone as (
      delete from registry_command c where c.cltrid in (
        select o.cltrid from registry_command o
        where o.operation_id is null and o.prepared_at < cut_before and o.state in ('answered', 'resolved') order by o.prepared_at limit in_limit)
      returning 1)
    select null::bigint, count(*), null::bigint, null::text from gone;
  when 'operations' then
    -- An operation with a purchase, or of a kind that the books hold against journal and registry, stays as long as the ledger does.
    return query with old as (
      select o.id from operation o
      where o.finished_at < cut_before and o.state in ('done', 'refused', 'cancelled')
        and o.kind not in ('register', 'renew', 'restore', 'delete', 'transfer') and o.transaction_id is null
        and not exists (select from ledger_transaction t where t.operation_id = o.id)
        and not exists (select from registry_command c where c.operation_id = o.id and c.state not in ('answered', 'resolved'))
      order by o.finished_at limit in_limit
    ), journal as (
      delete from registry_command c using old where c.operation_id = old.id returning c.operation_id
    ), gone as (
      delete from operation o using old where o.id = old.id and (select count(*) from journal) >= 0 returning 1)
    select null::bigint, count(*), null::bigint, null::text from gone;
  when 'audit' then
    for h in
      select x.reseller_id, x.cut_number as from_number, least(x.cut_number + in_limit, coalesce(
          (select min(l.number) - 1 from audit_link l join audit a on a.id = l.audit_id where l.reseller_id = x.reseller_id and a.at >= cut_before),
          x.number)) as to_number
      from audit_head x order by x.reseller_id for update of x
    loop
      continue when h.to_number <= h.from_number;
      delete from audit a using audit_link l
      where l.reseller_id = h.reseller_id and l.number <= h.to_number and a.id = l.audit_id;
      update audit_head x set cut_number = h.to_number, cut_at = now(),
        cut_hash = (select l.hash from audit_link l where l.reseller_id = h.reseller_id and l.number = h.to_number)
      where x.reseller_id = h.reseller_id returning encode(x.cut_hash, 'hex') into retention_forget.cut_hash;
      delete from audit_link l where l.reseller_id = h.reseller_id and l.number <= h.to_number;
      reseller_id := h.reseller_id;
      removed := h.to_number - h.from_number;
      cut_number := h.to_number;
      return next;
    end loop;
  else
    raise exception 'nothing of that name is forgotten' using errcode = 'data_exception';
  end case;
end
$$;
