-- Users and sessions cannot refer to a deleted account (functions/accounts.sql).

create or replace trigger refers_to_live_new
  after insert on membership
  for each row
  execute function refers_to_live('reseller', 'reseller_id');

create or replace trigger refers_to_live
  after update of reseller_id on person_session
  for each row when (old.reseller_id <> new.reseller_id)
  execute function refers_to_live('reseller', 'reseller_id');

create or replace trigger refers_to_live_new
  after insert on person_session
  for each row
  execute function refers_to_live('reseller', 'reseller_id', 'customer', 'customer_id');

create or replace trigger refers_to_live_new
  after insert on person_code
  for each row
  execute function refers_to_live('reseller', 'reseller_id');

create or replace trigger refers_to_live_new
  after insert on factor_reset
  for each row
  execute function refers_to_live('reseller', 'reseller_id');
