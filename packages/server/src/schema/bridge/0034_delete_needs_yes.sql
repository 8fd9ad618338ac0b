-- oldest release: 0.1.0
-- A name that is deleted is lost, or registered anew with whatever nameservers: a reseller may want a second yes to that too.
alter table reseller drop constraint reseller_second_yes_check,
  add constraint reseller_second_yes_check check (second_yes <@ array['nameservers', 'ds', 'auth_code', 'unlock', 'delete']);
