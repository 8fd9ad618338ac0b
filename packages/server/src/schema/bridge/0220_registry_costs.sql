-- oldest release: 0.1.0
-- What a registry charged and nobody here pays: booked from its statement, by its command. `auto_renew` stays what the registry renews by itself.
create function ledger_registry_cost(
  in_at timestamptz, in_domain bigint, in_charged_at timestamptz, in_action text, in_cost bigint, in_currency text, in_description text) returns setof bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  operator bigint := (select r.id from reseller r where r.parent_id is null order by r.id limit 1);
  new_id bigint := nextval('ledger_transaction_id_seq');
begin
  if in_cost <= 0 then
    raise exception 'a registry charges more than %', in_cost using errcode = 'numeric_value_out_of_range';
  end if;
  insert into ledger_transaction (id, purchase_id, reseller_id, type, status, direction, amount, currency, balance_after,
                                  cost_amount, cost_currency, cost_posted, description, domain_id, action, years, period, created_at, settled_at)
  values (new_id, new_id, operator, 'registry', 'completed', 'debit', 0, in_currency, 0,
          in_cost, in_currency, in_cost, in_description, in_domain, in_action, 1, in_charged_at, in_at, in_at)
  on conflict (domain_id, period) where type = 'registry' and status = 'completed' do nothing;
  if not found then return; end if;
  perform ledger_move(in_at, array['capture', 'capture'], array[new_id, new_id],
    array[ledger_account_id('registry_cost', operator, null, in_currency), ledger_account_id('registry_payable', operator, null, in_currency)],
    array[-in_cost, in_cost]);
  return next new_id;
end
$$;
