-- The ledger is append-only, and every insert balances (functions/ledger.sql).

create or replace trigger ledger_account_kept
  before delete or truncate on ledger_account
  for each statement
  execute function ledger_append_only();

drop trigger if exists capture_needs_proof on ledger_transaction;
create constraint trigger capture_needs_proof
  after update on ledger_transaction deferrable initially deferred
  for each row when (old.status = 'pending' and new.status = 'completed' and new.id = new.purchase_id)
  execute function capture_needs_proof();

create or replace trigger invoice_follows_bill
  after insert or update on ledger_transaction
  for each row when (new.customer_id is not null and (new.type in ('domain', 'privacy_protect')))
  execute function invoice_follows_bill();

create or replace trigger invoice_follows_charge
  after update on ledger_transaction
  for each row when (new.customer_id is null and new.refunded is distinct from old.refunded)
  execute function invoice_follows_charge();

create or replace trigger ledger_transaction_kept
  before delete or truncate on ledger_transaction
  for each statement
  execute function ledger_append_only();

create or replace trigger refers_to_live_new
  after insert on ledger_transaction
  for each row when (new.type = 'deposit' and new.customer_id is null)
  execute function refers_to_live('reseller', 'reseller_id');

create or replace trigger refers_to_live_of_customer
  after insert on ledger_transaction
  for each row when (new.type = 'deposit' and new.customer_id is not null)
  execute function refers_to_live('customer', 'customer_id');

create or replace trigger transaction_total_add
  after insert on ledger_transaction referencing new table as added
  for each statement
  execute function transaction_total_add();

create or replace trigger ledger_entry_append_only
  before delete or update or truncate on ledger_entry
  for each statement
  execute function ledger_append_only();

create or replace trigger ledger_entry_balanced
  after insert on ledger_entry referencing new table as added
  for each statement
  execute function ledger_entry_balanced();
