-- oldest release: 0.1.0
-- Accounts look after their own people (decision 0062). Who invites somebody sees the code, so whoever comes by it is of the same hand: null is a hand of
-- its own, as codes of the command line make it. A code ends with the membership of who made it.
alter table membership add column hand text, add column suspended_at timestamptz;
alter table person_code add column hand text, add column made_by text;
create index person_code_reseller on person_code (reseller_id, expires_at);
