-- `own`: rows of the account. `customer`: a signed-in customer. `customer_acts`: a customer that acts with the tenant of its
-- reseller.
select reset_access(
  'customer', 'customer_total', 'contact', 'contact_owed'
);

grant select, insert, update on customer to namehold_app;
grant select, insert, update on customer to namehold_clockwork;
create policy customer on customer for select to namehold_app using (id = (select current_customer()));
create policy customer_acts on customer as restrictive to namehold_app
  using ((select acting_customer()) is null or id = (select acting_customer()))
  with check ((select acting_customer()) is null);
create policy own on customer to namehold_app using (reseller_id = (select current_tenant()));

grant select on customer_total to namehold_app;
grant select on customer_total to namehold_clockwork;
create policy customer_acts on customer_total as restrictive to namehold_app using ((select acting_customer()) is null);
create policy own on customer_total to namehold_app using (reseller_id = (select current_tenant()));

grant select, insert, update on contact to namehold_app;
grant select, insert, update on contact to namehold_clockwork;
create policy customer on contact for select to namehold_app using (customer_id = (select current_customer()));
create policy customer_acts on contact as restrictive to namehold_app
  using ((select acting_customer()) is null or customer_id = (select acting_customer()));
create policy own on contact to namehold_app using (reseller_id = (select current_tenant()));

grant select, insert, delete on contact_owed to namehold_app;
grant select, insert, update, delete on contact_owed to namehold_clockwork;
create policy customer_acts on contact_owed as restrictive to namehold_app using ((select acting_customer()) is null);
create policy own on contact_owed to namehold_app using (reseller_id = (select current_tenant()));
