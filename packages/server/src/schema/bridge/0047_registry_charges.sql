-- oldest release: 0.1.0
-- A registry that renews by itself takes its money before anybody here has paid: its charge stands in the books by itself, until a purchase
-- takes it over or the registry gives it back.
alter table ledger_transaction drop constraint ledger_transaction_type_check,
  add constraint ledger_transaction_type_check check (type in ('domain', 'deposit', 'note', 'privacy_protect', 'registry')),
  -- The end of the term that the registry has extended.
  add column period timestamptz,
  add constraint ledger_transaction_period check ((period is not null) = (type = 'registry'));
create unique index ledger_transaction_charge on ledger_transaction (domain_id, period) where type = 'registry' and status = 'completed';

-- No reseller pays: the operator owes the registry. Answers with no row where it stands already.
create function ledger_registry_charge(
  in_at timestamptz, in_domain bigint, in_period timestamptz, in_cost bigint, in_currency text, in_description text) returns setof bigint
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
          in_cost, in_currency, in_cost, in_description, in_domain, 'auto_renew', 1, in_period, in_at, in_at)
  on conflict (domain_id, period) where type = 'registry' and status = 'completed' do nothing;
  if not found then return; end if;
  perform ledger_move(in_at, array['capture', 'capture'], array[new_id, new_id],
    array[ledger_account_id('registry_cost', operator, null, in_currency), ledger_account_id('registry_payable', operator, null, in_currency)],
    array[-in_cost, in_cost]);
  return next new_id;
end
$$;

-- `cancelled`: a purchase has it now, with its own entries. `refunded`: the registry gave it back. One that has ended is left as it is.
create function ledger_registry_charge_end(in_at timestamptz, in_transaction bigint, in_status text) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  charge ledger_transaction;
begin
  if in_status not in ('cancelled', 'refunded') then
    raise exception 'a charge does not end as %', in_status using errcode = 'data_exception';
  end if;
  select * into charge from ledger_transaction where id = in_transaction and type = 'registry' and status = 'completed' for no key update;
  if not found then return; end if;
  perform ledger_move(in_at, array['refund', 'refund'], array[charge.id, charge.id],
    array[ledger_account_id('registry_payable', charge.reseller_id, null, charge.cost_currency),
          ledger_account_id('registry_cost', charge.reseller_id, null, charge.cost_currency)],
    array[-charge.cost_posted, charge.cost_posted]);
  update ledger_transaction set status = in_status, cost_posted = 0, settled_at = in_at where id = charge.id;
end
$$;
