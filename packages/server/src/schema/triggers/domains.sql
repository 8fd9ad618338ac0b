-- Triggers of domains and operations. Their functions are in functions/domains.sql, totals.sql and forwarding.sql.

create or replace trigger domain_total_add
  after insert on domain referencing new table as added
  for each statement
  execute function domain_total_add();

create or replace trigger domain_total_move
  after update of state, reseller_id on domain
  for each row when (old.state <> new.state or old.reseller_id <> new.reseller_id)
  execute function domain_total_move();

create or replace trigger forwarding_follows
  after update on domain
  for each row when (old.state is distinct from new.state
    or old.suspended is distinct from new.suspended
    or old.unverified is distinct from new.unverified
    or old.unpaid is distinct from new.unpaid
    or old.nameservers is distinct from new.nameservers)
  execute function forwarding_follows_domain();

create or replace trigger mail_follows
  after update on domain
  for each row when (old.state is distinct from new.state
    or old.suspended is distinct from new.suspended
    or old.unverified is distinct from new.unverified
    or old.unpaid is distinct from new.unpaid
    or old.customer_id is distinct from new.customer_id)
  execute function mail_follows_domain();

create or replace trigger refers_to_live
  after update of state, customer_id, registrant_contact_id, admin_contact_id, tech_contact_id, billing_contact_id on domain
  for each row when (new.state <> 'removed'
    and (old.state = 'removed'
    or old.customer_id <> new.customer_id
    or new.registrant_contact_id is distinct from old.registrant_contact_id
    or new.admin_contact_id is distinct from old.admin_contact_id
    or new.tech_contact_id is distinct from old.tech_contact_id
    or new.billing_contact_id is distinct from old.billing_contact_id))
  execute function domain_refers_to_live();

create or replace trigger refers_to_live_new
  after insert on domain
  for each row when (new.state <> 'removed')
  execute function domain_refers_to_live();

drop trigger if exists operation_ends_with_money on operation;
create constraint trigger operation_ends_with_money
  after update on operation deferrable initially deferred
  for each row when ((new.state in ('done', 'refused', 'cancelled')) and old.state is distinct from new.state)
  execute function operation_ends_with_money();
