-- A zone belongs to the account of its domain (functions/zones.sql).

create or replace trigger zone_belongs_changed
  before update on zone
  for each row when (old.reseller_id is distinct from new.reseller_id
    or old.domain_id is distinct from new.domain_id
    or old.name is distinct from new.name
    or old.state <> 'active'
    and new.state = 'active')
  execute function zone_belongs();

create or replace trigger zone_belongs_made
  before insert on zone
  for each row
  execute function zone_belongs();

create or replace trigger refers_to_live_new
  after insert on zone_template
  for each row
  execute function refers_to_live('reseller', 'reseller_id');

create or replace trigger refers_to_live_new
  after insert on default_zone_template
  for each row
  execute function refers_to_live('reseller', 'reseller_id');
