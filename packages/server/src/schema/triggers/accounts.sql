-- An account cannot refer to a deleted one (functions/accounts.sql).

create or replace trigger email_since
  before update of email on reseller
  for each row when (lower(old.email) is distinct from lower(new.email))
  execute function record_email_since();

create or replace trigger refers_to_live
  after update of deleted_at on reseller
  for each row when (old.deleted_at is not null and new.deleted_at is null)
  execute function refers_to_live('reseller', 'parent_id');

create or replace trigger refers_to_live_new
  after insert on reseller
  for each row
  execute function refers_to_live('reseller', 'parent_id');

create or replace trigger refers_to_live_new
  after insert on api_key
  for each row
  execute function refers_to_live('reseller', 'reseller_id');

create or replace trigger refers_to_live_new
  after insert on invitation
  for each row
  execute function refers_to_live('reseller', 'reseller_id', 'reseller', 'parent_id');
