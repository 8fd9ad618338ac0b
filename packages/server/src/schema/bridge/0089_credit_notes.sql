-- oldest release: 0.1.0
-- What a seller gives back of a bill by a credit note (decision 0051): off what is owed where it is open, onto the customer's balance where it was paid.
create function ledger_bill_credit(in_at timestamptz, in_reseller bigint, in_bill bigint, in_amount bigint) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  bill ledger_transaction;
  fate text;
begin
  perform from ledger_transaction t where t.id = in_bill or t.purchase_id = (select x.purchase_id from ledger_transaction x where x.id = in_bill)
  order by t.id for no key update;
  select * into bill from ledger_transaction t where t.id = in_bill and t.customer_id is not null and t.type in ('domain', 'privacy_protect');
  select t.status into fate from ledger_transaction t where t.id = bill.purchase_id and t.id <> bill.id;
  if not is_tenant(in_reseller) or bill.reseller_id is distinct from in_reseller or bill.status not in ('unpaid', 'completed')
    or fate is distinct from 'completed' or in_amount <= 0
    or in_amount > (case bill.status when 'unpaid' then bill.amount - bill.credited else bill.captured - bill.refunded end) then
    raise exception 'so much of bill % cannot be credited', in_bill using errcode = 'no_data_found';
  end if;
  if bill.status = 'unpaid' then
    update ledger_transaction t set credited = t.credited + in_amount,
      status = case when t.credited + in_amount = t.amount then 'cancelled' else 'unpaid' end,
      settled_at = case when t.credited + in_amount = t.amount then in_at end
    where t.id = bill.id;
    return;
  end if;
  perform ledger_move(in_at, array['refund', 'refund'], array[bill.id, bill.id],
    array[ledger_account_id('revenue', bill.seller_id, null, bill.currency), ledger_account_id('customer', in_reseller, bill.customer_id, bill.currency)],
    array[-in_amount, in_amount]);
  update ledger_transaction t set refunded = t.refunded + in_amount,
    status = case when t.refunded + in_amount = t.captured then 'refunded' else 'completed' end
  where t.id = bill.id;
end
$$;

-- One bill as `invoice_take` has it, locked, whether it is due or not.
create function invoice_bill(in_reseller bigint, in_bill bigint)
returns table (bill_id bigint, reseller_id bigint, customer_id bigint, status text, purchase_status text, amount bigint, captured bigint, credited bigint,
               refunded bigint, currency text, description text, action text, years integer, domain_id bigint, domain_name text, settled_at timestamptz,
               sold_at timestamptz)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if not is_clockwork() then raise exception 'documents are made by the clockwork' using errcode = 'insufficient_privilege'; end if;
  perform from ledger_transaction t where t.id = in_bill or t.purchase_id = (select x.purchase_id from ledger_transaction x where x.id = in_bill)
  order by t.id for no key update;
  return query
    select t.id, t.reseller_id, t.customer_id, t.status, p.status, t.amount, t.captured, t.credited, t.refunded, t.currency, t.description, t.action, t.years,
      t.domain_id, d.name, t.settled_at, p.settled_at
    from ledger_transaction t join ledger_transaction p on p.id = t.purchase_id left join domain d on d.id = t.domain_id
    where t.id = in_bill and t.reseller_id = in_reseller;
end
$$;
revoke all on function ledger_bill_credit, invoice_bill from public;
grant execute on function ledger_bill_credit, invoice_bill to namehold_clockwork;
