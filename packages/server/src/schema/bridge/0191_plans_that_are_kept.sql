-- oldest release: 0.1.0
-- Of these the server thought each time that a plan for just these values is cheaper: a list that it sees is shorter than one that it has to guess.
-- The plan is the same; to make it took longer than to carry it out (decision 0078).
alter function ledger_hold(timestamptz, bigint[], bigint[], bigint[], text[], bigint, text, text, text, bigint, text, integer, text)
  set plan_cache_mode = force_generic_plan;
alter function ledger_move(timestamptz, text[], bigint[], bigint[], bigint[]) set plan_cache_mode = force_generic_plan;
alter function operation_is_proven(operation) set plan_cache_mode = force_generic_plan;
alter function operation_ends_with_money() set plan_cache_mode = force_generic_plan;
alter function operation_place(text, text) set plan_cache_mode = force_generic_plan;
alter function zone_name_in_the_way(text, bigint) set plan_cache_mode = force_generic_plan;

-- The hash that a first row would have was worked out for every row. Whoever has a head goes on from it; as before, the row of the head is locked.
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
