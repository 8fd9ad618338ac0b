-- oldest release: 0.1.0
-- What a credit note has given back of a charge is not refunded again when the purchase comes back; the remainder is, as for customers.

-- Of a purchase: how much of it came back by deletes and departures, with what credit notes had given before. Null: nothing, or as much as was refunded.
alter table ledger_transaction add column returned bigint check (returned between 0 and captured);

-- Paid back twice before this release: what was given beside the refund is a deposit as every other, and no part of the charge.
update invoice_charge c set given = greatest(0, t.captured - t.refunded)
from ledger_transaction t where t.id = c.transaction_id and c.replaced_by is null and t.refunded + c.given > t.captured;

-- As before (0104); less what credit notes gave of the level.
create or replace function ledger_refund(in_at timestamptz, in_transaction bigint, in_total bigint, in_keep_cost boolean)
returns setof ledger_transaction language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  buyer ledger_transaction := ledger_lock_purchase(in_transaction);
  total bigint := coalesce(in_total, buyer.captured);
  level ledger_transaction;
  given bigint;
  step bigint;
  cost bigint;
  operator bigint;
  transactions bigint[] := '{}';
  accounts bigint[] := '{}';
  amounts bigint[] := '{}';
begin
  if buyer.status <> 'completed' or total < greatest(buyer.refunded, coalesce(buyer.returned, 0)) then return query select (buyer).*; return; end if;
  if total > buyer.captured then
    raise exception 'cannot refund % of %', total, buyer.captured using errcode = 'numeric_value_out_of_range';
  end if;
  for level in select * from ledger_transaction where purchase_id = in_transaction order by id loop
    continue when level.status = 'cancelled';
    if level.status = 'unpaid' then
      step := ledger_share(level.amount, total, buyer.captured);
      update ledger_transaction set credited = greatest(level.credited, step),
        status = case when total = buyer.captured then 'cancelled' else 'unpaid' end,
        settled_at = case when total = buyer.captured then in_at end
      where id = level.id;
      continue;
    end if;
    given := coalesce((select c.given from invoice_charge c where c.transaction_id = level.id and c.replaced_by is null), 0);
    step := greatest(0, ledger_share(level.captured + level.credited, total, buyer.captured) - level.credited - level.refunded - given);
    if level.seller_id is not null and step > 0 then
      transactions := transactions || array[level.id, level.id];
      accounts := accounts || array[ledger_account_id('revenue', level.seller_id, null, level.currency),
        ledger_account_id(case when level.customer_id is null then 'available' else 'customer' end, level.reseller_id, level.customer_id, level.currency)];
      amounts := amounts || array[-step, step];
    end if;
    -- The registry gives back in the same measure, unless it keeps its fee.
    cost := case when in_keep_cost or level.cost_amount is null then 0
      else greatest(0, level.cost_posted - (level.cost_amount - ledger_share(level.cost_amount, total, buyer.captured))) end;
    if cost > 0 then
      operator := coalesce(level.seller_id, level.reseller_id);
      transactions := transactions || array[level.id, level.id];
      accounts := accounts || array[ledger_account_id('registry_payable', operator, null, level.cost_currency),
                                    ledger_account_id('registry_cost', operator, null, level.cost_currency)];
      amounts := amounts || array[-cost, cost];
    end if;
    update ledger_transaction set refunded = level.refunded + step, returned = case when level.id = in_transaction then total end, cost_posted = level.cost_posted - cost,
      status = case when total = buyer.captured or (level.customer_id is not null and level.captured > 0 and level.refunded + step = level.captured)
        then 'refunded' else 'completed' end
    where id = level.id;
  end loop;
  perform ledger_move(in_at, array_fill('refund'::text, array[cardinality(amounts)]), transactions, accounts, amounts);
  return query select * from ledger_transaction where id = in_transaction;
end
$$;

-- The charges of an invoice, locked in the order in which refunds lock them: of a credit note and a refund at once the second sees the first.
create function invoice_lock_charges(in_reseller bigint, in_invoice text) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if not is_tenant(in_reseller) then
    raise exception 'reseller % is not the tenant', in_reseller using errcode = 'insufficient_privilege';
  end if;
  perform from ledger_transaction t
  where t.id in (select c.transaction_id from invoice_charge c join invoice i on i.id = c.invoice_id where c.invoice_id = in_invoice and i.reseller_id = in_reseller)
  order by t.id for no key update;
end
$$;
revoke all on function invoice_lock_charges from public;
grant execute on function invoice_lock_charges to namehold_clockwork;
