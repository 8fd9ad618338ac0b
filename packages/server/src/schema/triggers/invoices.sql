-- Issued documents and their series are protected (functions/invoices.sql).

create or replace trigger refers_to_live_new
  after insert on invoice_settings
  for each row
  execute function refers_to_live('reseller', 'reseller_id');

create or replace trigger refers_to_live_new
  after insert on tax_rate
  for each row
  execute function refers_to_live('reseller', 'reseller_id');

create or replace trigger invoice_series_grows
  before delete or update on invoice_series
  for each row
  execute function invoice_series_grows();

create or replace trigger invoice_kept
  before delete or update on invoice
  for each row
  execute function invoice_kept();

create or replace trigger refers_to_live_new
  after insert on invoice_reminder_settings
  for each row
  execute function refers_to_live('reseller', 'reseller_id');

create or replace trigger refers_to_live_new
  after insert on payment_account
  for each row
  execute function refers_to_live('reseller', 'reseller_id');

create or replace trigger refers_to_live_new
  after insert on expected_payment
  for each row
  execute function refers_to_live('reseller', 'reseller_id', 'customer', 'customer_id', 'reseller', 'payer_id');

create or replace trigger refers_to_live_new
  after insert on waiting_order
  for each row
  execute function refers_to_live('customer', 'customer_id');
