-- Triggers of customers and contacts.

create or replace trigger customer_total_add
  after insert on customer referencing new table as added
  for each statement
  execute function customer_total_add();

create or replace trigger customer_total_change
  after update of deleted_at on customer
  for each row when ((old.deleted_at is null) <> (new.deleted_at is null))
  execute function customer_total_change();

create or replace trigger refers_to_live
  after update of deleted_at on customer
  for each row when (old.deleted_at is not null and new.deleted_at is null)
  execute function refers_to_live('reseller', 'reseller_id');

create or replace trigger refers_to_live_new
  after insert on customer
  for each row
  execute function refers_to_live('reseller', 'reseller_id');

create or replace trigger refers_to_live
  after update of deleted_at on contact
  for each row when (old.deleted_at is not null and new.deleted_at is null)
  execute function refers_to_live('customer', 'customer_id');

create or replace trigger refers_to_live_new
  after insert on contact
  for each row
  execute function refers_to_live('customer', 'customer_id');

create or replace trigger end_customer_sessions
  after update of access, status, deleted_at on customer
  for each row when (
    (new.access = 'none' or new.status <> 'Active' or new.deleted_at is not null)
    and (old.access, old.status, old.deleted_at) is distinct from (new.access, new.status, new.deleted_at))
  execute function end_customer_sessions();
