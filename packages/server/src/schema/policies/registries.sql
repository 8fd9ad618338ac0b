-- The tables of the operator are closed to requests, except for the columns that are granted here.
select reset_access(
  'registry', 'registry_tld', 'registry_slot', 'registry_pace', 'registry_maintenance', 'registry_balance', 'registry_listing',
  'poll_message', 'wait_hour', 'wait_mark', 'upstream_session', 'upstream_request'
);

grant select, insert, update, delete on registry to namehold_clockwork;
grant select (id, profile, is_active) on registry to namehold_app;

grant select on registry_tld to namehold_app;
grant select, insert, update, delete on registry_tld to namehold_clockwork;

grant select, insert, update, delete on registry_slot to namehold_clockwork;

grant select, insert, update, delete on registry_pace to namehold_clockwork;

grant select, insert, update, delete on upstream_session to namehold_clockwork;

grant select, insert, update, delete on upstream_request to namehold_clockwork;

grant select, insert, update, delete on registry_maintenance to namehold_clockwork;

grant select, insert, update, delete on registry_balance to namehold_clockwork;

grant select, insert, update, delete on registry_listing to namehold_clockwork;

grant select, insert, update on poll_message to namehold_clockwork;

grant select, insert, update, delete on wait_hour to namehold_clockwork;
create policy customer_acts on wait_hour as restrictive to namehold_app using ((select acting_customer()) is null);

grant select, insert, update, delete on wait_mark to namehold_clockwork;
create policy customer_acts on wait_mark as restrictive to namehold_app using ((select acting_customer()) is null);
