-- oldest release: 0.1.0
-- A name that comes, or came, from another registrar: its transfer as the registry last showed it. Null: it did not come by one.
alter table domain add column transfer jsonb;
grant insert (transfer) on domain to namehold_app;

-- A transfer that was asked for can be cancelled at the registry: what is cancelled is held against the journal as what is refused.
create or replace function operation_ends_with_money() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
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
  if new.state in ('refused', 'cancelled') and coalesce(new.decision ->> 'says', '') <> 'refused' and exists (
    select from registry_command c where c.operation_id = new.id and c.step = new.kind
      and (c.state in ('prepared', 'sent', 'unknown') or c.found = 'done'
        or (c.state = 'answered' and c.result_code between 1000 and 1999 and c.result_code <> 1001))) then
    raise exception 'operation % is %, but may have been carried out', new.id, new.state
      using errcode = 'check_violation', constraint = 'operation_may_be_done', table = 'operation';
  end if;
  return null;
end
$$;
