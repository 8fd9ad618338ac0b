-- Every create touches the registrar's row; a foreign key to it would lock that row once more for each reference.
-- The registrar is known to exist when a command arrives, and rows of this table are never deleted.
alter table domain drop constraint domain_sponsor_fkey;
alter table statement drop constraint statement_client_id_fkey;
alter table grace_period drop constraint grace_period_statement_id_fkey;
