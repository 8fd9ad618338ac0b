-- oldest release: 0.1.0
-- Invoices to children are corrected as those to customers are (decision 0056): taken back with a deposit, or issued anew.
alter table invoice_charge
  -- What its seller gave of it by credit notes, as deposits, beside what came back of the purchase; on this invoice or one before it.
  add column given bigint not null default 0 check (given >= 0),
  -- What was issued in place of its invoice: the charge stands there now.
  add column replaced_by text references invoice (id),
  drop constraint invoice_charge_pkey,
  add primary key (invoice_id, transaction_id),
  add constraint invoice_charge_replaced check (replaced_by is null or credited = amount);
drop index invoice_charge_invoice;
create index invoice_charge_transaction on invoice_charge (transaction_id);
create unique index invoice_charge_standing on invoice_charge (transaction_id) where replaced_by is null;

-- As before (0105).
create or replace function invoice_follows_charge() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into invoice_due (bill_id) select c.transaction_id from invoice_charge c where c.transaction_id = new.id and c.replaced_by is null;
  return null;
end
$$;
