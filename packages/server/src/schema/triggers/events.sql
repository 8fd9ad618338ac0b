-- Triggers of the logs (functions/events.sql).

drop trigger if exists audit_chain on audit;
create constraint trigger audit_chain
  after insert on audit deferrable initially deferred
  for each row
  execute function audit_chain();

create or replace trigger event_of_customer
  before insert on event
  for each row
  execute function event_of_customer();
