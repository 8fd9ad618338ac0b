-- Requests cannot write what processes measure.
select reset_access(
  'forwarding', 'forward_target', 'forward_hour', 'certificate', 'certificate_order', 'certificate_account', 'mail_domain',
  'mail_forward', 'mail_target', 'mail_hour', 'mail_host', 'mail_report'
);

grant select, insert, update on forwarding to namehold_app;
grant select, insert, update, delete on forwarding to namehold_clockwork;
create policy customer on forwarding for select to namehold_app
  using ((select current_customer()) is not null and domain_id in (select customers_domains()));
create policy customer_acts on forwarding as restrictive to namehold_app
  using ((select acting_customer()) is null or domain_id in (select customers_domains()));
create policy own on forwarding to namehold_app using (reseller_id = (select current_tenant()));

grant select, insert, update, delete on forward_target to namehold_app;
grant select, insert, update, delete on forward_target to namehold_clockwork;
create policy customer on forward_target for select to namehold_app
  using ((select current_customer()) is not null and domain_id in (select customers_domains()));
create policy customer_acts on forward_target as restrictive to namehold_app
  using ((select acting_customer()) is null or domain_id in (select customers_domains()));
create policy own on forward_target to namehold_app using (reseller_id = (select current_tenant()));

grant select on forward_hour to namehold_app;
grant select, insert, update, delete on forward_hour to namehold_clockwork;
create policy customer on forward_hour for select to namehold_app
  using ((select current_customer()) is not null and domain_id in (select customers_domains()));
create policy customer_acts on forward_hour as restrictive to namehold_app
  using ((select acting_customer()) is null or domain_id in (select customers_domains()));
create policy own on forward_hour to namehold_app using (reseller_id = (select current_tenant()));

grant select, insert, update, delete on certificate to namehold_clockwork;
grant select (
  domain_id, reseller_id, names, not_before, not_after, renew_at, live_since, state, reason, failures
) on certificate to namehold_app;
create policy customer on certificate for select to namehold_app
  using ((select current_customer()) is not null and domain_id in (select customers_domains()));
create policy customer_acts on certificate as restrictive to namehold_app
  using ((select acting_customer()) is null or domain_id in (select customers_domains()));
create policy own on certificate to namehold_app using (reseller_id = (select current_tenant()));

grant select, insert, update, delete on certificate_order to namehold_clockwork;
create policy customer_acts on certificate_order as restrictive to namehold_app using ((select acting_customer()) is null);

grant select, insert, update, delete on certificate_account to namehold_clockwork;

grant select, insert, update, delete on mail_domain to namehold_app;
grant select, insert, update, delete on mail_domain to namehold_clockwork;
create policy customer on mail_domain for select to namehold_app
  using ((select current_customer()) is not null and domain_id in (select customers_domains()));
create policy customer_acts on mail_domain as restrictive to namehold_app
  using ((select acting_customer()) is null or domain_id in (select customers_domains()));
create policy own on mail_domain to namehold_app using (reseller_id = (select current_tenant()));

grant select, insert, update, delete on mail_forward to namehold_app;
grant select, insert, update, delete on mail_forward to namehold_clockwork;
create policy customer on mail_forward for select to namehold_app
  using ((select current_customer()) is not null and domain_id in (select customers_domains()));
create policy customer_acts on mail_forward as restrictive to namehold_app
  using ((select acting_customer()) is null or domain_id in (select customers_domains()));
create policy own on mail_forward to namehold_app using (reseller_id = (select current_tenant()));

grant select, insert, update on mail_target to namehold_app;
grant select, insert, update, delete on mail_target to namehold_clockwork;
create policy customer on mail_target for select to namehold_app using (customer_id = (select current_customer()));
create policy customer_acts on mail_target as restrictive to namehold_app
  using ((select acting_customer()) is null or customer_id = (select acting_customer()));
create policy own on mail_target to namehold_app using (reseller_id = (select current_tenant()));

grant select on mail_hour to namehold_app;
grant select, insert, update, delete on mail_hour to namehold_clockwork;
create policy customer on mail_hour for select to namehold_app
  using ((select current_customer()) is not null and domain_id in (select customers_domains()));
create policy customer_acts on mail_hour as restrictive to namehold_app
  using ((select acting_customer()) is null or domain_id in (select customers_domains()));
create policy own on mail_hour to namehold_app using (reseller_id = (select current_tenant()));

grant select, insert, update, delete on mail_host to namehold_clockwork;
create policy customer_acts on mail_host as restrictive to namehold_app using ((select acting_customer()) is null);

grant select, insert, update, delete on mail_report to namehold_clockwork;
create policy customer_acts on mail_report as restrictive to namehold_app using ((select acting_customer()) is null);
