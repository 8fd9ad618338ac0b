-- A command whose answer never came can arrive after its order was given up and its money given back. Such an order is looked at again,
-- and can be taken up again where the registry shows that it was carried out after all.
alter table operation
  add column look_again_at timestamptz,
  add column looks smallint not null default 0,
  -- When a look found that the registry carried out what was given up.
  add column arrived_late_at timestamptz;
create index operation_look_again on operation (look_again_at) where look_again_at is not null;

-- Takes a release back: what went back to the payers is set aside again, at every level or at none (`ledger_account_limit`). In the
-- entries it is the release turned round, so that what was held and released still adds up to what the status says.
create function ledger_hold_again(in_at timestamptz, in_transaction bigint)
returns setof ledger_transaction language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  buyer ledger_transaction := ledger_lock_purchase(in_transaction);
begin
  if buyer.status = 'cancelled' then
    perform ledger_move(in_at, array_agg('release'::text), array_agg(e.transaction_id order by e.id), array_agg(e.account_id order by e.id),
                        array_agg(e.amount order by e.id))
    from ledger_entry e join ledger_transaction t on t.id = e.transaction_id
    where t.purchase_id = in_transaction and e.posting = 'hold'
    having count(*) > 0;
    update ledger_transaction set status = 'pending', settled_at = null where purchase_id = in_transaction;
  end if;
  return query select * from ledger_transaction where id = in_transaction;
end
$$;
