-- The logs can be written and read, but not changed. A change of a child is in both logs.
select reset_access(
  'audit', 'audit_head', 'audit_link', 'event_counter', 'event'
);

grant select, insert on audit to namehold_app;
grant select, insert on audit to namehold_clockwork;
create policy child on audit for insert to namehold_app
  with check (exists (select from reseller r where r.id = audit.reseller_id and r.parent_id = (select current_tenant())));
create policy customer on audit for insert to namehold_app
  with check (reseller_id = (select customer_reseller()) and key_id is null and person_id = ('customer:' || (select current_customer())));
create policy customer_acts on audit as restrictive to namehold_app
  using ((select acting_customer()) is null)
  with check ((select acting_customer()) is null or key_id is null and person_id = ('customer:' || (select acting_customer())));
create policy own on audit to namehold_app using (reseller_id = (select current_tenant()));

grant select on audit_head to namehold_clockwork;
create policy customer_acts on audit_head as restrictive to namehold_app using ((select acting_customer()) is null);

grant select on audit_link to namehold_clockwork;
create policy customer_acts on audit_link as restrictive to namehold_app using ((select acting_customer()) is null);

grant select, insert, update, delete on event_counter to namehold_app;
grant select, insert, update, delete on event_counter to namehold_clockwork;
create policy customer on event_counter to namehold_app using (reseller_id = (select customer_reseller()));
create policy customer_acts on event_counter as restrictive to namehold_app using ((select acting_customer()) is null or true);
create policy own on event_counter to namehold_app using (reseller_id = (select current_tenant()));

grant select, insert on event to namehold_app;
grant select, insert on event to namehold_clockwork;
create policy customer on event for select to namehold_app using (customer_id = (select current_customer()));
create policy customer_acts on event as restrictive to namehold_app
  using ((select acting_customer()) is null or customer_id = (select acting_customer()))
  with check ((select acting_customer()) is null or customer_id = (select acting_customer()) or object_type = 'operation' and (exists (select from operation o where o.id = event.object_id)) or object_type = 'contact' and (exists (select from contact c where c.id::text = event.object_id)));
create policy customer_tells on event for insert to namehold_app
  with check (reseller_id = (select customer_reseller()) and customer_id = (select current_customer()));
create policy own on event to namehold_app using (reseller_id = (select current_tenant()));
