-- Records and changes of an account's zones.
select reset_access(
  'zone', 'zone_rrset', 'zone_change', 'displaced_rrset', 'zone_template', 'default_zone_template', 'nameserver', 'zone_membership',
  'catalog', 'zone_publication', 'zone_published'
);

grant select on zone to namehold_app;
grant select, insert, update, delete on zone to namehold_clockwork;
grant insert (
  reseller_id, domain_id, name, serial, state, mname, rname, refresh, retry, expire, minimum, record_count, changed_xid, changed_at,
  created_at, withdrawn_at, deleted_at
) on zone to namehold_app;
grant update (
  serial, state, mname, rname, refresh, retry, expire, minimum, record_count, changed_xid, changed_at, withdrawn_at, deleted_at
) on zone to namehold_app;
create policy customer on zone for select to namehold_app
  using ((select current_customer()) is not null and domain_id in (select customers_domains()));
create policy customer_acts on zone as restrictive to namehold_app
  using ((select acting_customer()) is null or domain_id in (select customers_domains()));
create policy customer_changes on zone for update to namehold_app
  using ((select current_customer()) is not null and domain_id in (select customers_domains()));
create policy own on zone to namehold_app using (reseller_id = (select current_tenant()));

grant select, insert, update, delete on zone_rrset to namehold_app;
grant select, insert, update, delete on zone_rrset to namehold_clockwork;
create policy customer on zone_rrset to namehold_app
  using ((select current_customer()) is not null and zone_id in (select customers_zones()) and reseller_id = (select customer_reseller()));
create policy customer_acts on zone_rrset as restrictive to namehold_app
  using ((select acting_customer()) is null or zone_id in (select customers_zones()));
create policy own on zone_rrset to namehold_app using (reseller_id = (select current_tenant()));

grant select, insert, delete on zone_change to namehold_app;
grant select, insert, delete on zone_change to namehold_clockwork;
create policy customer on zone_change to namehold_app
  using ((select current_customer()) is not null and zone_id in (select customers_zones()) and reseller_id = (select customer_reseller()));
create policy customer_acts on zone_change as restrictive to namehold_app
  using ((select acting_customer()) is null or zone_id in (select customers_zones()));
create policy own on zone_change to namehold_app using (reseller_id = (select current_tenant()));

grant select, insert, delete on displaced_rrset to namehold_app;
grant select, insert, update, delete on displaced_rrset to namehold_clockwork;
create policy customer on displaced_rrset to namehold_app
  using ((select current_customer()) is not null and zone_id in (select customers_zones()) and reseller_id = (select customer_reseller()));
create policy customer_acts on displaced_rrset as restrictive to namehold_app
  using ((select acting_customer()) is null or zone_id in (select customers_zones()));
create policy own on displaced_rrset to namehold_app using (reseller_id = (select current_tenant()));

grant select, insert, update, delete on zone_template to namehold_app;
grant select, insert, update, delete on zone_template to namehold_clockwork;
create policy customer_acts on zone_template as restrictive to namehold_app using ((select acting_customer()) is null);
create policy own on zone_template to namehold_app using (reseller_id = (select current_tenant()));

grant select, insert, update, delete on default_zone_template to namehold_app;
grant select, insert, update, delete on default_zone_template to namehold_clockwork;
create policy customer_acts on default_zone_template as restrictive to namehold_app using ((select acting_customer()) is null);
create policy own on default_zone_template to namehold_app using (reseller_id = (select current_tenant()));

grant select, insert, update, delete on nameserver to namehold_clockwork;
grant select (id, is_public, is_active) on nameserver to namehold_app;

grant insert on zone_membership to namehold_app;
grant select, insert, update, delete on zone_membership to namehold_clockwork;
-- It has the names of all zones, so requests may only append their own.
create policy append on zone_membership for insert to namehold_app
  with check (exists (select from zone z where z.id = zone_membership.zone_id and z.name = zone_membership.name and z.catalog_label = zone_membership.catalog_label and z.reseller_id = (select current_tenant())));
create policy customer_acts on zone_membership as restrictive to namehold_app
  using ((select acting_customer()) is null or zone_id in (select customers_zones()));

grant select, insert, update, delete on catalog to namehold_clockwork;

grant select on zone_publication to namehold_app;
grant select, insert, update, delete on zone_publication to namehold_clockwork;
create policy customer on zone_publication for select to namehold_app
  using ((select current_customer()) is not null and zone_id in (select customers_zones()));
create policy customer_acts on zone_publication as restrictive to namehold_app
  using ((select acting_customer()) is null or zone_id in (select customers_zones()));
create policy own on zone_publication to namehold_app using (reseller_id = (select current_tenant()));

grant select on zone_published to namehold_app;
grant select, insert, update, delete on zone_published to namehold_clockwork;
create policy customer on zone_published for select to namehold_app
  using ((select current_customer()) is not null and zone_id in (select customers_zones()));
create policy customer_acts on zone_published as restrictive to namehold_app
  using ((select acting_customer()) is null or zone_id in (select customers_zones()));
create policy own on zone_published to namehold_app using (reseller_id = (select current_tenant()));
