-- A parent may send a notice to a child, but not read the child's notices.
select reset_access(
  'notice', 'notice_brand', 'notice_text', 'mail_address', 'sandbox_mail', 'brand', 'brand_host'
);

grant select, insert on notice to namehold_app;
grant select, insert, update, delete on notice to namehold_clockwork;
create policy child on notice for insert to namehold_app
  with check (exists (select from reseller r where r.id = notice.reseller_id and r.parent_id = (select current_tenant())));
create policy customer_acts on notice as restrictive to namehold_app
  using ((select acting_customer()) is null or domain_id in (select customers_domains()));
create policy own on notice to namehold_app using (reseller_id = (select current_tenant()));

grant select, insert, update, delete on notice_brand to namehold_app;
grant select, insert, update, delete on notice_brand to namehold_clockwork;
create policy customer_acts on notice_brand as restrictive for select to namehold_app
  using ((select acting_customer()) is null or reseller_id = (select current_tenant()));
create policy customer_adds_none on notice_brand as restrictive for insert to namehold_app with check ((select acting_customer()) is null);
create policy customer_changes_none on notice_brand as restrictive for update to namehold_app using ((select acting_customer()) is null);
create policy customer_removes_none on notice_brand as restrictive for delete to namehold_app using ((select acting_customer()) is null);
create policy own on notice_brand to namehold_app using (reseller_id = (select current_tenant()));

grant select, insert, update, delete on notice_text to namehold_app;
grant select, insert, update, delete on notice_text to namehold_clockwork;
create policy customer_acts on notice_text as restrictive for select to namehold_app
  using ((select acting_customer()) is null or reseller_id = (select current_tenant()));
create policy customer_adds_none on notice_text as restrictive for insert to namehold_app with check ((select acting_customer()) is null);
create policy customer_changes_none on notice_text as restrictive for update to namehold_app using ((select acting_customer()) is null);
create policy customer_removes_none on notice_text as restrictive for delete to namehold_app using ((select acting_customer()) is null);
create policy own on notice_text to namehold_app using (reseller_id = (select current_tenant()));

grant select on mail_address to namehold_app;
grant select, insert, update, delete on mail_address to namehold_clockwork;
create policy customer_acts on mail_address as restrictive for select to namehold_app
  using ((select acting_customer()) is null or reseller_id = (select current_tenant()));
create policy customer_adds_none on mail_address as restrictive for insert to namehold_app with check ((select acting_customer()) is null);
create policy customer_changes_none on mail_address as restrictive for update to namehold_app using ((select acting_customer()) is null);
create policy customer_removes_none on mail_address as restrictive for delete to namehold_app using ((select acting_customer()) is null);
create policy own on mail_address to namehold_app using (reseller_id = (select current_tenant()));

grant select on sandbox_mail to namehold_app;
grant select, insert, update, delete on sandbox_mail to namehold_clockwork;
create policy customer_acts on sandbox_mail as restrictive to namehold_app using ((select acting_customer()) is null);
create policy own on sandbox_mail to namehold_app using (reseller_id = (select current_tenant()));

grant select, insert, update, delete on brand to namehold_app;
grant select, insert, update, delete on brand to namehold_clockwork;
create policy customer_acts on brand as restrictive for select to namehold_app
  using ((select acting_customer()) is null or reseller_id = (select current_tenant()));
create policy customer_adds_none on brand as restrictive for insert to namehold_app with check ((select acting_customer()) is null);
create policy customer_changes_none on brand as restrictive for update to namehold_app using ((select acting_customer()) is null);
create policy customer_removes_none on brand as restrictive for delete to namehold_app using ((select acting_customer()) is null);
create policy own on brand to namehold_app using (reseller_id = (select current_tenant()));

grant select on brand_host to namehold_app;
grant select, insert, update, delete on brand_host to namehold_clockwork;
grant insert (reseller_id, host, proof, created_at) on brand_host to namehold_app;
create policy customer_acts on brand_host as restrictive to namehold_app using ((select acting_customer()) is null);
create policy own on brand_host to namehold_app using (reseller_id = (select current_tenant()));
