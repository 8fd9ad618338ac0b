-- Seller and buyer read issued documents.
select reset_access(
  'invoice_settings', 'tax_rate', 'invoice_series', 'invoice', 'invoice_due', 'invoice_charge', 'invoice_months',
  'invoice_reminder_settings', 'invoice_reminder', 'payment_account', 'expected_payment', 'payment', 'statement_line', 'waiting_order'
);

grant select, insert, update on invoice_settings to namehold_app;
grant select, insert, update, delete on invoice_settings to namehold_clockwork;
create policy customer_acts on invoice_settings as restrictive for select to namehold_app
  using ((select acting_customer()) is null or reseller_id = (select current_tenant()));
create policy customer_adds_none on invoice_settings as restrictive for insert to namehold_app
  with check ((select acting_customer()) is null);
create policy customer_changes_none on invoice_settings as restrictive for update to namehold_app
  using ((select acting_customer()) is null);
create policy customer_removes_none on invoice_settings as restrictive for delete to namehold_app
  using ((select acting_customer()) is null);
create policy own on invoice_settings to namehold_app using (reseller_id = (select current_tenant()));

grant select, insert, delete on tax_rate to namehold_app;
grant select, insert, update, delete on tax_rate to namehold_clockwork;
create policy customer_acts on tax_rate as restrictive for select to namehold_app
  using ((select acting_customer()) is null or reseller_id = (select current_tenant()));
create policy customer_adds_none on tax_rate as restrictive for insert to namehold_app with check ((select acting_customer()) is null);
create policy customer_changes_none on tax_rate as restrictive for update to namehold_app using ((select acting_customer()) is null);
create policy customer_removes_none on tax_rate as restrictive for delete to namehold_app using ((select acting_customer()) is null);
create policy own on tax_rate to namehold_app using (reseller_id = (select current_tenant()));

grant select on invoice_series to namehold_app;
grant select, insert, update on invoice_series to namehold_clockwork;
create policy customer_acts on invoice_series as restrictive to namehold_app using ((select acting_customer()) is null);
create policy own on invoice_series to namehold_app using (reseller_id = (select current_tenant()));

grant select on invoice to namehold_app;
grant select, insert, update on invoice to namehold_clockwork;
create policy child on invoice for select to namehold_app using (child_id = (select current_tenant()) and number is not null);
create policy customer on invoice for select to namehold_app using (customer_id = (select current_customer()) and number is not null);
create policy customer_acts on invoice as restrictive to namehold_app using ((select acting_customer()) is null);
create policy seller on invoice to namehold_app using (reseller_id = (select current_tenant()));

grant select, insert, update, delete on invoice_due to namehold_clockwork;
create policy customer_acts on invoice_due as restrictive to namehold_app using ((select acting_customer()) is null);

grant select, insert, update on invoice_charge to namehold_clockwork;
create policy customer_acts on invoice_charge as restrictive to namehold_app using ((select acting_customer()) is null);

grant select, insert, update on invoice_months to namehold_app;
grant select, insert, update on invoice_months to namehold_clockwork;
create policy customer_acts on invoice_months as restrictive for select to namehold_app
  using ((select acting_customer()) is null or reseller_id = (select current_tenant()));
create policy customer_adds_none on invoice_months as restrictive for insert to namehold_app
  with check ((select acting_customer()) is null);
create policy customer_changes_none on invoice_months as restrictive for update to namehold_app using ((select acting_customer()) is null);
create policy customer_removes_none on invoice_months as restrictive for delete to namehold_app using ((select acting_customer()) is null);
create policy own on invoice_months to namehold_app using (reseller_id = (select current_tenant()));

grant select, insert, update, delete on invoice_reminder_settings to namehold_app;
grant select, insert, update, delete on invoice_reminder_settings to namehold_clockwork;
create policy customer_acts on invoice_reminder_settings as restrictive to namehold_app using ((select acting_customer()) is null);
create policy own on invoice_reminder_settings to namehold_app
  using (reseller_id = (select current_tenant()))
  with check (reseller_id = (select current_tenant()));

grant select, insert, update, delete on invoice_reminder to namehold_clockwork;
create policy customer_acts on invoice_reminder as restrictive to namehold_app using ((select acting_customer()) is null);

grant select, insert, update on payment_account to namehold_app;
grant select, insert, update, delete on payment_account to namehold_clockwork;
create policy customer_acts on payment_account as restrictive to namehold_app using ((select acting_customer()) is null);
create policy own on payment_account to namehold_app
  using (reseller_id = (select current_tenant()))
  with check (reseller_id = (select current_tenant()));

grant select on expected_payment to namehold_app;
grant select, insert, update, delete on expected_payment to namehold_clockwork;
create policy customer on expected_payment for select to namehold_app using (customer_id = (select current_customer()));
create policy customer_acts on expected_payment as restrictive to namehold_app using ((select acting_customer()) is null);
create policy seller_and_payer on expected_payment for select to namehold_app
  using (reseller_id = (select current_tenant()) or payer_id = (select current_tenant()));

grant select on payment to namehold_app;
grant select, insert, update, delete on payment to namehold_clockwork;
grant update (
  event_id, expected_id, fate, reference, amount, currency, transaction_id, is_charge_back, accepted_at
) on payment to namehold_clockwork;
create policy customer_acts on payment as restrictive to namehold_app using ((select acting_customer()) is null);
create policy own on payment for select to namehold_app
  using (reseller_id = (select current_tenant()) or (exists (select from expected_payment x where x.id = payment.expected_id and x.payer_id = (select current_tenant()))));

grant select on statement_line to namehold_app;
grant select, insert, update on statement_line to namehold_clockwork;
create policy customer_acts on statement_line as restrictive to namehold_app using ((select acting_customer()) is null);
create policy own on statement_line for select to namehold_app using (reseller_id = (select current_tenant()));

grant select, insert on waiting_order to namehold_app;
grant select, insert, update, delete on waiting_order to namehold_clockwork;
create policy customer on waiting_order for select to namehold_app using (customer_id = (select current_customer()));
create policy customer_acts on waiting_order as restrictive to namehold_app using ((select acting_customer()) is null);
create policy own on waiting_order to namehold_app
  using (reseller_id = (select current_tenant()))
  with check (reseller_id = (select current_tenant()) and (exists (select from ledger_transaction t where t.id = waiting_order.transaction_id and t.reseller_id = waiting_order.reseller_id and t.customer_id = waiting_order.customer_id and t.status = 'unpaid' and t.operation_id is null)));
