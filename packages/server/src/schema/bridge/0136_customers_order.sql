-- oldest release: 0.1.0
-- Customers order at their own price (decision 0073). A quote belongs to who asked for it: what a customer was told is its own price, and nobody else's.
alter table quote add column customer_id bigint, add foreign key (reseller_id, customer_id) references customer (reseller_id, id);
drop policy customer_acts on quote;
create policy customer_acts on quote as restrictive to namehold_app using ((select acting_customer()) is null or customer_id = (select acting_customer()));

-- What comes on top of its price is told by its reseller's rates; to read.
do $$
declare
  t text;
begin
  foreach t in array array['invoice_settings', 'invoice_months', 'tax_rate'] loop
    execute format('drop policy customer_acts on %I', t);
    execute format('create policy customer_acts on %I as restrictive for select to namehold_app using ((select acting_customer()) is null or reseller_id = (select current_tenant()))', t);
    execute format('create policy customer_adds_none on %I as restrictive for insert to namehold_app with check ((select acting_customer()) is null)', t);
    execute format('create policy customer_changes_none on %I as restrictive for update to namehold_app using ((select acting_customer()) is null)', t);
    execute format('create policy customer_removes_none on %I as restrictive for delete to namehold_app using ((select acting_customer()) is null)', t);
  end loop;
end
$$;
