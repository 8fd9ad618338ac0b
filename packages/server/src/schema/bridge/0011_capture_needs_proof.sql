-- Whether the record of an operation and its journal prove that it was done. The deciding step carries the name of the kind.
create function operation_is_proven(o operation) returns boolean language sql stable security definer set search_path = public, pg_temp as $$
  select o.state = 'done' and case o.proof
    when 'operator' then o.decision ->> 'says' = 'done'
    -- The years that the registry added by itself; nothing may be under way besides.
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

-- At commit, so that no order of statements and no caller gets round it.
create function capture_needs_proof() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not exists (select from operation o where o.id = new.operation_id and operation_is_proven(o)) then
    raise exception 'purchase % of operation % is captured without proof', new.id, new.operation_id
      using errcode = 'check_violation', constraint = 'capture_needs_proof', table = 'ledger_transaction';
  end if;
  return null;
end
$$;
create constraint trigger capture_needs_proof after update on ledger_transaction deferrable initially deferred
  for each row when (old.status = 'pending' and new.status = 'completed' and new.id = new.purchase_id)
  execute function capture_needs_proof();

-- Money and operation end together: done is captured, refused and cancelled are released; and nothing is refused that was carried out
-- or may have been, unless a person says so.
create function operation_ends_with_money() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
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
  if new.state = 'refused' and coalesce(new.decision ->> 'says', '') <> 'refused' and exists (
    select from registry_command c where c.operation_id = new.id and c.step = new.kind
      and (c.state in ('prepared', 'sent', 'unknown') or c.found = 'done'
        or (c.state = 'answered' and c.result_code between 1000 and 1999 and c.result_code <> 1001))) then
    raise exception 'operation % is refused, but may have been carried out', new.id
      using errcode = 'check_violation', constraint = 'operation_may_be_done', table = 'operation';
  end if;
  return null;
end
$$;
create constraint trigger operation_ends_with_money after update on operation deferrable initially deferred
  for each row when (new.state in ('done', 'refused', 'cancelled') and old.state is distinct from new.state)
  execute function operation_ends_with_money();

-- Who runs a request under an Idempotency-Key: taken over, the token changes, and the old holder can neither store nor commit.
alter table idempotency add column token text not null default gen_random_uuid()::text;
