-- Triggers of notices and brands (functions/accounts.sql).

create or replace trigger address_since
  before update on notice_brand
  for each row
  execute function record_brand_since();

create or replace trigger refers_to_live_new
  after insert on notice_brand
  for each row
  execute function refers_to_live('reseller', 'reseller_id');

create or replace trigger refers_to_live_new
  after insert on notice_text
  for each row
  execute function refers_to_live('reseller', 'reseller_id');

create or replace trigger refers_to_live_new
  after insert on brand
  for each row
  execute function refers_to_live('reseller', 'reseller_id');

create or replace trigger refers_to_live_new
  after insert on brand_host
  for each row
  execute function refers_to_live('reseller', 'reseller_id');
