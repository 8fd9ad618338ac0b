-- An account sees itself and its direct children.
select reset_access(
  'reseller', 'api_key', 'invitation', 'idempotency', 'rate_bucket', 'refusal_count'
);

grant select on reseller to namehold_app;
grant select, insert, update, delete on reseller to namehold_clockwork;
grant insert (
  parent_id, email, name, brand_name, company, address_line_1, address_line_2, address_line_3, city, state, country_code, zipcode,
  tel_cc_no, tel_no, alt_tel_cc_no, alt_tel_no, mobile_cc_no, mobile_no, fax_cc_no, fax_no, lang_id, selling_currency,
  accounting_currency, parent_selling_currency, password_hash, temp_password_hash, temp_password_expires_at, created_at
) on reseller to namehold_app;
grant update (
  email, name, brand_name, company, address_line_1, address_line_2, address_line_3, city, state, country_code, zipcode, tel_cc_no,
  tel_no, alt_tel_cc_no, alt_tel_no, mobile_cc_no, mobile_no, fax_cc_no, fax_no, lang_id, password_hash, temp_password_hash,
  temp_password_expires_at
) on reseller to namehold_app;
create policy customer_acts on reseller as restrictive for select to namehold_app
  using ((select acting_customer()) is null or id = (select current_tenant()));
create policy customer_adds_none on reseller as restrictive for insert to namehold_app with check ((select acting_customer()) is null);
create policy customer_changes_none on reseller as restrictive for update to namehold_app using ((select acting_customer()) is null);
create policy customer_removes_none on reseller as restrictive for delete to namehold_app using ((select acting_customer()) is null);
-- A new row is always a child of this account.
create policy only_children on reseller as restrictive for insert to namehold_app with check (parent_id = (select current_tenant()));
create policy own_and_children on reseller to namehold_app
  using (id = (select current_tenant()) or parent_id = (select current_tenant()))
  with check (id = (select current_tenant()) or parent_id = (select current_tenant()));

grant select, insert, update, delete on api_key to namehold_app;
grant select, insert, update, delete on api_key to namehold_clockwork;
create policy customer_acts on api_key as restrictive to namehold_app using ((select acting_customer()) is null);
create policy own on api_key to namehold_app using (reseller_id = (select current_tenant()));

grant select, insert, update on invitation to namehold_app;
grant select, insert, update, delete on invitation to namehold_clockwork;
create policy customer_acts on invitation as restrictive to namehold_app using ((select acting_customer()) is null);
create policy own on invitation to namehold_app using (reseller_id = (select current_tenant()) or parent_id = (select current_tenant()));

grant select, insert, update, delete on idempotency to namehold_app;
grant select, insert, update, delete on idempotency to namehold_clockwork;
create policy customer on idempotency to namehold_app
  using (reseller_id = (select customer_reseller()) and split_part(key, ' ', 1) = ('customer:' || (select current_customer())));
create policy customer_acts on idempotency as restrictive to namehold_app
  using ((select acting_customer()) is null or split_part(key, ' ', 1) = ('customer:' || (select acting_customer())));
create policy own on idempotency to namehold_app using (reseller_id = (select current_tenant()));

grant select, insert, update, delete on rate_bucket to namehold_clockwork;

grant select, insert, update, delete on refusal_count to namehold_app;
grant select, insert, update, delete on refusal_count to namehold_clockwork;
create policy customer_acts on refusal_count as restrictive to namehold_app using ((select acting_customer()) is null);
create policy own on refusal_count to namehold_app using (reseller_id = (select current_tenant()));
