-- Requests cannot read these tables: authentication runs as the service login, before a tenant is set.
select reset_access(
  'person', 'membership', 'person_session', 'person_code', 'passkey', 'passkey_challenge', 'totp', 'recovery_code', 'factor_reset',
  'recovery_wish'
);

grant select, insert, update, delete on person to namehold_clockwork;
create policy customer_acts on person as restrictive to namehold_app using ((select acting_customer()) is null);

grant select, insert, update, delete on membership to namehold_clockwork;
create policy customer_acts on membership as restrictive to namehold_app using ((select acting_customer()) is null);

grant select, insert, update, delete on person_session to namehold_clockwork;
create policy customer_acts on person_session as restrictive to namehold_app using ((select acting_customer()) is null);

grant select, insert, update, delete on person_code to namehold_clockwork;
create policy customer_acts on person_code as restrictive to namehold_app using ((select acting_customer()) is null);

grant select, insert, update, delete on passkey to namehold_clockwork;
create policy customer_acts on passkey as restrictive to namehold_app using ((select acting_customer()) is null);

grant select, insert, update, delete on passkey_challenge to namehold_clockwork;
create policy customer_acts on passkey_challenge as restrictive to namehold_app using ((select acting_customer()) is null);

grant select, insert, update, delete on totp to namehold_clockwork;
create policy customer_acts on totp as restrictive to namehold_app using ((select acting_customer()) is null);

grant select, insert, update, delete on recovery_code to namehold_clockwork;
create policy customer_acts on recovery_code as restrictive to namehold_app using ((select acting_customer()) is null);

grant select, insert, update, delete on factor_reset to namehold_clockwork;
create policy customer_acts on factor_reset as restrictive to namehold_app using ((select acting_customer()) is null);

grant select, insert, update, delete on recovery_wish to namehold_clockwork;
create policy customer_acts on recovery_wish as restrictive to namehold_app using ((select acting_customer()) is null);
