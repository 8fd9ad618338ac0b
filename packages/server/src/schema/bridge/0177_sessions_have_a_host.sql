-- oldest release: 0.1.0
-- A session counts at the host where it was begun, and a passkey where it was made (decision 0088); null: the service's own address.
alter table person_session add column host text;
create index person_session_host on person_session (host) where host is not null and ended_at is null;
alter table passkey add column host text;
