-- Fields of an upstream like CentralNic Reseller. Null: the domain is not at one.
alter table domain add column keysys jsonb;
-- Contacts and nameservers that a transfer order sets when it is completed.
alter table transfer add column parties jsonb;
