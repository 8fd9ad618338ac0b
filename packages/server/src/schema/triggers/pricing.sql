-- Prices cannot refer to a deleted account (functions/accounts.sql).

create or replace trigger refers_to_live_new
  after insert on price
  for each row
  execute function refers_to_live('reseller', 'owner_reseller_id');

create or replace trigger refers_to_live_new
  after insert on price_rule
  for each row
  execute function refers_to_live('reseller', 'owner_reseller_id');
