-- Requests cannot write what was paid for, what a registry reported, or an owner. A parent may read the domains of direct
-- children.
select reset_access(
  'domain', 'domain_total', 'child_host', 'registry_contact', 'operation', 'registry_command', 'drift', 'expiry_mark', 'auto_renewal',
  'confirmation', 'move_try', 'name_month', 'name_month_mark'
);

grant select on domain to namehold_app;
grant select, insert, update on domain to namehold_clockwork;
grant insert (
  reseller_id, customer_id, name, tld, registry_id, state, registrant_contact_id, admin_contact_id, tech_contact_id,
  billing_contact_id, nameservers, ds, extra, locked, locked_reason, locked_at, suspended, suspended_reason, suspended_at,
  theft_protection, premium_class, premium_renewal_fee, premium_currency, created_at, updated_at, transfer, renewal_mode
) on domain to namehold_app;
grant update (
  customer_id, registrant_contact_id, admin_contact_id, tech_contact_id, billing_contact_id, nameservers, ds, extra, locked,
  locked_reason, locked_at, suspended, suspended_reason, suspended_at, theft_protection, privacy_enabled, auth_code_sealed,
  auth_code_expires_at, updated_at, watched, renewal_mode, renewal_max_price, renewal_try_at, verify_since, verify_by, verify_cause,
  verify_reminded_at, verify_look_at, verify_owed, verify_tell_at
) on domain to namehold_app;
-- A parent may read the domains of its direct children (show_child_orders), never write them.
create policy children_read on domain for select to namehold_app
  using (exists (select from reseller r where r.id = domain.reseller_id and r.parent_id = (select current_tenant())));
create policy customer on domain for select to namehold_app using (customer_id = (select current_customer()));
create policy customer_acts on domain as restrictive to namehold_app
  using ((select acting_customer()) is null or customer_id = (select acting_customer()));
-- A request cannot insert a domain as paid.
create policy only_pending on domain as restrictive for insert to namehold_app with check (state in ('pending', 'unpaid'));
create policy own on domain to namehold_app using (reseller_id = (select current_tenant()));

grant select on domain_total to namehold_app;
grant select on domain_total to namehold_clockwork;
create policy children_read on domain_total for select to namehold_app
  using (exists (select from reseller r where r.id = domain_total.reseller_id and r.parent_id = (select current_tenant())));
create policy customer_acts on domain_total as restrictive to namehold_app using ((select acting_customer()) is null);
create policy own on domain_total to namehold_app using (reseller_id = (select current_tenant()));

grant select, insert, update, delete on child_host to namehold_app;
grant select, insert, update, delete on child_host to namehold_clockwork;
create policy customer on child_host for select to namehold_app
  using ((select current_customer()) is not null and domain_id in (select customers_domains()));
create policy customer_acts on child_host as restrictive to namehold_app
  using ((select acting_customer()) is null or domain_id in (select customers_domains()));
create policy own on child_host to namehold_app using (reseller_id = (select current_tenant()));

grant select on registry_contact to namehold_app;
grant select, insert, update, delete on registry_contact to namehold_clockwork;
create policy customer_acts on registry_contact as restrictive to namehold_app
  using ((select acting_customer()) is null or exists (select from contact c where c.id = registry_contact.contact_id));
create policy own on registry_contact to namehold_app using (reseller_id = (select current_tenant()));

grant select on operation to namehold_app;
grant select, insert, update on operation to namehold_clockwork;
grant update (request_id) on operation to namehold_app;
create policy customer on operation for select to namehold_app
  using ((select current_customer()) is not null and domain_id in (select customers_domains()));
create policy customer_acts on operation as restrictive to namehold_app
  using ((select acting_customer()) is null or domain_id in (select customers_domains()) or exists (select from contact c where c.id = operation.contact_id));
create policy own on operation to namehold_app using (reseller_id = (select current_tenant()));

grant select, insert, update on registry_command to namehold_clockwork;
grant select (
  cltrid, registry_id, operation_id, step, object, verb, name, state, result_code, svtrid, prepared_at, sent_at, answered_at
) on registry_command to namehold_app;
create policy customer_acts on registry_command as restrictive to namehold_app
  using ((select acting_customer()) is null or exists (select from operation o where o.id = registry_command.operation_id));
create policy own on registry_command for select to namehold_app
  using (exists (select from operation o where o.id = registry_command.operation_id));

grant select on drift to namehold_app;
grant select, insert, update, delete on drift to namehold_clockwork;
create policy customer_acts on drift as restrictive to namehold_app using ((select acting_customer()) is null);
create policy own on drift to namehold_app using (reseller_id = (select current_tenant()));

grant select, insert, update, delete on expiry_mark to namehold_clockwork;
create policy customer_acts on expiry_mark as restrictive to namehold_app using ((select acting_customer()) is null);
create policy own on expiry_mark to namehold_app using (reseller_id = (select current_tenant()));

grant select, insert, update on auto_renewal to namehold_app;
grant select, insert, update, delete on auto_renewal to namehold_clockwork;
create policy customer on auto_renewal for select to namehold_app
  using ((select current_customer()) is not null and domain_id in (select customers_domains()));
create policy customer_acts on auto_renewal as restrictive to namehold_app using ((select acting_customer()) is null);
create policy own on auto_renewal to namehold_app using (reseller_id = (select current_tenant()));

grant select, insert on confirmation to namehold_app;
grant select, insert, update, delete on confirmation to namehold_clockwork;
create policy customer_acts on confirmation as restrictive to namehold_app
  using ((select acting_customer()) is null or domain_id in (select customers_domains()));
create policy own on confirmation to namehold_app using (reseller_id = (select current_tenant()));

grant select, insert, update, delete on move_try to namehold_clockwork;
create policy customer_acts on move_try as restrictive to namehold_app using ((select acting_customer()) is null);
create policy own on move_try to namehold_app using (reseller_id = (select current_tenant()));

grant select on name_month to namehold_app;
grant select, insert, update, delete on name_month to namehold_clockwork;
create policy customer_acts on name_month as restrictive to namehold_app using ((select acting_customer()) is null);
create policy own on name_month to namehold_app using (reseller_id = (select current_tenant()));

grant select on name_month_mark to namehold_app;
grant select, insert, update, delete on name_month_mark to namehold_clockwork;
create policy customer_acts on name_month_mark as restrictive to namehold_app using ((select acting_customer()) is null);
create policy own on name_month_mark to namehold_app using (reseller_id = (select current_tenant()));
