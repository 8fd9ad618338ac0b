-- Accounts write their own prices. Functions read those above (functions/pricing.sql).
select reset_access(
  'tld_catalogue', 'tld', 'tld_alternative', 'transfer_lock', 'registry_cost', 'tld_alternative_cost', 'price', 'price_rule', 'exchange_rate', 'quote'
);

grant select on tld_catalogue to namehold_app;
grant select, insert on tld_catalogue to namehold_clockwork;

grant select on tld to namehold_app;
grant select, insert, update on tld to namehold_clockwork;

grant select on tld_alternative to namehold_app;
grant select, insert, update, delete on tld_alternative to namehold_clockwork;

grant select on transfer_lock to namehold_app;
grant select, insert, update, delete on transfer_lock to namehold_clockwork;

grant select, insert, update, delete on registry_cost to namehold_app;
grant select, insert, update, delete on registry_cost to namehold_clockwork;
create policy customer_acts on registry_cost as restrictive to namehold_app using ((select acting_customer()) is null);
create policy operator on registry_cost to namehold_app using ((select current_tenant()) = 1);

grant select, insert, update, delete on tld_alternative_cost to namehold_app;
grant select, insert, update, delete on tld_alternative_cost to namehold_clockwork;
create policy customer_acts on tld_alternative_cost as restrictive to namehold_app using ((select acting_customer()) is null);
create policy operator on tld_alternative_cost to namehold_app using ((select current_tenant()) = 1);

grant select, insert, update, delete on price to namehold_app;
grant select, insert, update, delete on price to namehold_clockwork;
create policy customer_acts on price as restrictive to namehold_app using ((select acting_customer()) is null);
create policy own on price to namehold_app using (owner_reseller_id = (select current_tenant()));

grant select, insert, update, delete on price_rule to namehold_app;
grant select, insert, update, delete on price_rule to namehold_clockwork;
create policy customer_acts on price_rule as restrictive to namehold_app using ((select acting_customer()) is null);
create policy own on price_rule to namehold_app using (owner_reseller_id = (select current_tenant()));

grant select, insert, update on exchange_rate to namehold_app;
grant select, insert, update, delete on exchange_rate to namehold_clockwork;
create policy customer_acts on exchange_rate as restrictive to namehold_app using ((select acting_customer()) is null);
create policy own on exchange_rate to namehold_app using (reseller_id = (select current_tenant()));

grant select, insert, update, delete on quote to namehold_app;
grant select, insert, update, delete on quote to namehold_clockwork;
create policy customer_acts on quote as restrictive to namehold_app
  using ((select acting_customer()) is null or customer_id = (select acting_customer()));
create policy own on quote to namehold_app using (reseller_id = (select current_tenant()));
