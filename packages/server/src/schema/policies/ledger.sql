-- Requests only read. Functions write (functions/ledger.sql).
select reset_access(
  'ledger_account', 'ledger_transaction', 'ledger_entry', 'transaction_total', 'books_run'
);

grant select on ledger_account to namehold_app;
grant select on ledger_account to namehold_clockwork;
create policy customer on ledger_account for select to namehold_app using (customer_id = (select current_customer()));
create policy customer_acts on ledger_account as restrictive to namehold_app using ((select acting_customer()) is null);
create policy own on ledger_account to namehold_app using (reseller_id = (select current_tenant()));

grant select on ledger_transaction to namehold_app;
grant select on ledger_transaction to namehold_clockwork;
create policy customer on ledger_transaction for select to namehold_app using (customer_id = (select current_customer()));
create policy customer_acts on ledger_transaction as restrictive to namehold_app using ((select acting_customer()) is null);
create policy payer_and_seller on ledger_transaction to namehold_app
  using (reseller_id = (select current_tenant()) or seller_id = (select current_tenant()));

grant select on ledger_entry to namehold_app;
grant select on ledger_entry to namehold_clockwork;
create policy customer_acts on ledger_entry as restrictive to namehold_app using ((select acting_customer()) is null);
create policy own on ledger_entry to namehold_app using (exists (select from ledger_account a where a.id = ledger_entry.account_id));

grant select on transaction_total to namehold_app;
grant select, insert, update, delete on transaction_total to namehold_clockwork;
create policy children_read on transaction_total for select to namehold_app
  using (customer_id = 0 and (exists (select from reseller r where r.id = transaction_total.reseller_id and r.parent_id = (select current_tenant()))));
create policy customer_acts on transaction_total as restrictive to namehold_app
  using ((select acting_customer()) is null or customer_id = (select acting_customer()));
create policy own on transaction_total to namehold_app using (reseller_id = (select current_tenant()));

grant select, insert, update, delete on books_run to namehold_clockwork;
