-- Edges and mail hosts are told of changes (functions/forwarding.sql).

create or replace trigger certificate_follows
  after insert or update of rules, domain_id, mail_policy on forwarding
  for each row
  execute function certificate_follows_forwarding();

create or replace trigger forwarding_follows_certificate
  after update on certificate
  for each row when (new.domain_id is not null and old.id is distinct from new.id)
  execute function forwarding_follows_certificate();

create or replace trigger mail_follows
  after insert or update of state on mail_target
  for each row
  execute function mail_follows_target();

create or replace trigger refers_to_live_new
  after insert on mail_target
  for each row
  execute function refers_to_live('customer', 'customer_id');
