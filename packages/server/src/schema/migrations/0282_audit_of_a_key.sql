-- oldest release: 0.2.0
-- The audit log of one key or one user, newest first.
create index audit_key on audit (reseller_id, key_id, id) where key_id is not null;
create index audit_person on audit (reseller_id, person_id, id) where person_id is not null;
