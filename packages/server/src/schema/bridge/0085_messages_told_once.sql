-- oldest release: 0.1.0
-- A registry may send a message twice, under two ids: what it tells stands in the log once. Few messages tell anything.
create index poll_message_told on poll_message (registry_id, fingerprint) where told_at is not null;
